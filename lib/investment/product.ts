import { defineProduct, operatorAppends, operatorImports } from '#lib/core/product.ts';

/** Theme factors, portfolios, netting sets, collateral and valuation adjustments. */
export const investment = defineProduct({
  folder: 'investment',
  serves: {
    'Investment analytics': { paths: ['/investment'], about: 'Sealed portfolio and market analytics.' },
  },
  // The scenarios of a portfolio apply the samples of generative runs.
  uses: ['models'],
  scopes: ['investment:run', 'investment:read'],
  asked: {
    portfolio: {
      title: 'portfolio',
      domain: 'execution',
      names: ['portfolio', 'portfolios'],
      table: 'portfolio',
      rows: 'environment',
      uid: 'uid',
      label: 'key',
      fields: {
        base_currency: {
          column: 'base_currency',
          reads: 'text',
          names: ['base currency', 'reporting currency'],
        },
        account_kind: {
          column: 'account_kind',
          reads: 'text',
          names: ['account kind', 'kind of account', 'tax status'],
        },
        lot_relief: {
          column: 'lot_relief',
          reads: 'text',
          names: ['lot relief', 'lot relief method', 'cost basis method'],
        },
        benchmark: { column: 'benchmark', reads: 'text', names: ['benchmark'] },
        opened_on: { column: 'opened_on', reads: 'text', names: ['opening date', 'opening day', 'opened'] },
      },
      figures: {
        value: {
          reads: 'money',
          names: ['value', 'worth', 'market value', 'total value', 'net asset value', 'nav'],
        },
        cash: { reads: 'money', names: ['cash', 'cash balance', 'cash position'] },
        holdings: {
          reads: 'count',
          names: ['holdings', 'positions', 'number of holdings', 'number of positions'],
        },
      },
      words: {
        account_kind: { taxable: ['taxable'], tax_exempt: ['tax exempt', 'exempt from tax', 'untaxed'] },
      },
      day: 'opened_on',
    },
  },
  prefixes: {
    themeFactorRun: 'tfr',
    nettingSet: 'nst',
    marginCall: 'mgc',
    portfolio: 'prt',
    portfolioImport: 'pim',
    portfolioEvent: 'pev',
    portfolioTotal: 'pct',
    taxHarvest: 'thv',
    construction: 'pcn',
    portfolioScenarios: 'pfs',
    riskReport: 'rsk',
    valuationAdjustment: 'xva',
  },
  problems: {
    netting_set_superseded: { status: 409, title: 'The netting set has been superseded' },
    unknown_agreement_type: { status: 422, title: 'The agreement type is not known' },
    terms_inconsistent: { status: 422, title: 'The terms of the agreement contradict each other' },
    margin_not_determined: { status: 422, title: 'The agreement does not determine who posts collateral' },
    survival_rises: { status: 422, title: 'The survival probability of a credit curve rises over time' },
    threshold_not_stated: { status: 422, title: 'The agreement states no threshold' },
    portfolio_inconsistent: { status: 409, title: 'The events of the portfolio contradict each other' },
    scenario_run_ineligible: { status: 409, title: 'The run has no samples that can be applied' },
    samples_altered: { status: 409, title: 'The samples do not match the hash that the run sealed' },
    exposure_unmapped: {
      status: 422,
      title: 'Too much of the portfolio value has no exposure to the factors',
    },
    too_large: { status: 422, title: 'The request exceeds a limit of the operation' },
    tax_regime_unsupported: {
      status: 422,
      title: 'The operation does not support the tax regime of the portfolio',
    },
    constraints_infeasible: { status: 422, title: 'No weights satisfy all constraints' },
    no_excess_return: { status: 422, title: 'No expected return is above the risk-free rate' },
    returns_required: { status: 422, title: 'The request needs expected returns' },
    factor_run_ineligible: { status: 409, title: 'The theme factor run cannot be used' },
    account_tax_exempt: { status: 422, title: 'The account of the portfolio is exempt from tax' },
    name_in_use: { status: 422, title: 'The name of the agreement is already in use' },
    taxonomy_unavailable: { status: 503, title: 'No taxonomy was published by the as-of date' },
    taxonomy_exposure_insufficient: {
      status: 503,
      title: 'Too few symbols have a theme exposure in the taxonomy',
    },
    market_history_insufficient: { status: 503, title: 'The observed market history is too short' },
  },
  tables: {
    netting_set: {
      rows: 'environment',
      operator: 'select, insert, update (conflicts_open, superseded_at)',
      api: 'select, insert, update (conflicts_open, times_seen, last_seen_at)',
      worker: 'select',
    },
    portfolio: {
      rows: 'environment',
      operator:
        'select, insert, update (name, account_kind, lot_relief, tax_regime, tax_entity, wash_group, benchmark, changed_at)',
      api: 'select',
      worker: 'select',
    },
    portfolio_terms: { rows: 'environment', ...operatorAppends },
    portfolio_import: { rows: 'environment', ...operatorAppends },
    portfolio_event: { rows: 'environment', ...operatorImports },
    portfolio_control_total: { rows: 'environment', ...operatorAppends },
    // Written by the function `record_order_settlement`.
    order_settlement: { rows: 'environment', operator: 'select', api: 'select', worker: 'select' },
  },
  events: {
    'investment:read': {
      'netting_set.recorded': 'The terms of a netting set were recorded.',
      'netting_set.conflict': {
        about:
          'Evidence was refused because it contradicts the netting set that has the same source reference.',
        outcome: 'refused',
      },
      'netting_set.conflict_resolved': {
        about: 'A conflict about a netting set was resolved.',
        members: ['conflict_uid', 'decision'],
      },
      'portfolio.created': { about: 'A portfolio was created.', members: ['key', 'settled_orders'] },
      'portfolio.imported': {
        about: 'Portfolios, events or control totals were imported.',
        members: ['kind', 'rows', 'breaks', 'settled_orders'],
      },
    },
  },
});
