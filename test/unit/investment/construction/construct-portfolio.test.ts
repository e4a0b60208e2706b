import { expect } from 'chai';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { constructPortfolio } from '#lib/investment/construction/construct-portfolio.ts';
import { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import type { ConstructionInput } from '#lib/investment/construction/construction-input.ts';
import { ConstructionResult } from '#lib/investment/construction/construction-result.schema.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { asset, construction, holding, SYMBOLS } from './sample-market.ts';

type Request = ConstructionRequestBody;
type Change = Partial<ConstructionInput>;

const historical = { returns: { kind: 'historical' as const } };
const benchmark = { AAA: 1, BBB: 1, FFF: 2 };
const plainKinds = [
  'minimum_variance',
  'maximum_sharpe',
  'minimum_cvar',
  'minimum_cdar',
  'minimum_mad',
  'risk_budget',
  'hierarchical_risk_parity',
  'maximum_diversification',
  'minimum_tracking_error',
  'inverse_volatility',
  'equal',
] as const;
const objectives: Request['objective'][] = [
  ...plainKinds.map((kind) => ({ kind })),
  { kind: 'mean_variance', risk_aversion: 60 },
  { kind: 'target_return', target: 0.4 },
  { kind: 'target_volatility', target: 0.05 },
];

const lots = [
  { lot: 'old', slice: 0, quantity: 10_000_00000000n, basisMinor: 10_000_000n, term: 'long' as const },
  { lot: 'new', slice: 0, quantity: 5_000_00000000n, basisMinor: 30_000_000n, term: 'short' as const },
];
/** A portfolio of one position worth 1,050,000.00, without cash. */
const held: Change = { cashMinor: 0n, holdings: [holding('FFF', 15_000, { lots })] };

function solved(request: Request, change: Change = {}) {
  const outcome = constructPortfolio(construction(request, change));
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.detail}`);
  return outcome.result;
}

function refusal(request: Request, change: Change = {}) {
  const outcome = constructPortfolio(construction(request, change));
  if (outcome.ok) throw new Error('expected a refusal');
  return outcome.refusal;
}

const sum = (values: Record<string, number>) =>
  Object.values(values).reduce((total, each) => total + each, 0);

describe('portfolio construction', () => {
  for (const objective of objectives) {
    it(`returns weights that sum to 1, in a result that is valid by its schema, for ${objective!.kind}`, () => {
      const request = { objective, ...historical, frontier_points: 3 } as Request;
      expect(Value.Errors(ConstructionRequestBody, request)).to.deep.equal([]);
      const result = solved(request, { benchmark });
      expect(sum(result.weights)).to.be.closeTo(1, 1e-12);
      expect([...Value.Errors(ConstructionResult, JSON.parse(JSON.stringify(result)))]).to.deep.equal([]);
      expect(result.kkt_residual ?? 0).to.be.below(1e-9);
      expect(result.heuristic).to.deep.equal([]);
    });

    it(`does not depend on the order of the assets for ${objective!.kind}`, () => {
      const request = { objective, ...historical } as Request;
      const forwards = constructPortfolio(construction(request, { benchmark, ...held }));
      const assets = construction().assets.toReversed();
      const backwards = constructPortfolio(construction(request, { benchmark, ...held, assets }));
      expect(backwards).to.deep.equal(forwards);
    });

    it(`meets the limits on weights, groups, turnover and cash for ${objective!.kind}`, () => {
      const request = {
        objective: objective!.kind === 'target_return' ? { kind: 'target_return', target: 0.1 } : objective,
        ...historical,
        constraints: {
          weight: { max: 0.6 },
          groups: [{ by: 'sector', name: 'Energy', min: 0.1, max: 0.5 }],
          turnover_max: 0.95,
          cash_min: 0.05,
        },
        ...(objective!.kind === 'target_volatility'
          ? { objective: { kind: 'target_volatility', target: 0.06 } }
          : {}),
      } as Request;
      const { weights, turnover, cash_left_minor, value_minor } = solved(request, { benchmark, ...held });
      expect(sum(weights)).to.be.closeTo(0.95, 1e-12);
      expect(Math.max(...Object.values(weights))).to.be.at.most(0.6 + 1e-9);
      const energy = (weights['AAA'] ?? 0) + (weights['BBB'] ?? 0) + (weights['CCC'] ?? 0);
      expect(energy).to.be.within(0.1 - 1e-9, 0.5 + 1e-9);
      expect(turnover).to.be.at.most(0.95 + 1e-9);
      expect(cash_left_minor).to.be.at.least(0.05 * value_minor);
    });
  }

  it('states exactly the cash that remains after trades and costs, in minor units', () => {
    const amounts = fc.record({
      cash: fc.integer({ min: 1, max: 1_000_000_00 }),
      quantities: fc.array(fc.integer({ min: 0, max: 50_000_000 }), { minLength: 6, maxLength: 6 }),
      costs: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(amounts, ({ cash, quantities, costs }) => {
        const holdings = SYMBOLS.map((symbol, k) => holding(symbol, quantities[k]! / 10_000));
        const request: Request = { objective: { kind: 'equal' }, costs: { linear_bps: costs } };
        const result = solved(request, { cashMinor: BigInt(cash), holdings });
        let left = cash;
        for (const { side, amount_minor, cost_minor } of result.trades)
          left += (side === 'sell' ? amount_minor : -amount_minor) - cost_minor;
        expect(result.cash_left_minor).to.equal(left);
        expect(left).to.be.at.least(0);
      }),
      { numRuns: 30 },
    );
  });

  it('returns risk contributions that sum to the volatility, and the hash of the covariance matrix', () => {
    const outcome = constructPortfolio(construction({}));
    if (!outcome.ok) throw new Error('refused');
    const { result, covariance } = outcome;
    const total = result.risk_contributions.reduce((all, { component }) => all + component, 0);
    expect(total).to.be.closeTo(result.volatility, 1e-14);
    expect(result.covariance_sha256).to.equal(canonicalHash(covariance));
    expect(result.covariance_sha256).to.not.equal(
      solved({ risk: { estimator: 'sample' } }).covariance_sha256,
    );
  });

  it('returns a frontier on which volatility and expected return increase', () => {
    const { frontier } = solved({ ...historical, frontier_points: 6 });
    expect(frontier).to.have.length(6);
    for (const [at, point] of frontier.entries()) {
      expect(sum(point.weights)).to.be.closeTo(1, 1e-12);
      if (at === 0) continue;
      expect(point.volatility).to.be.above(frontier[at - 1]!.volatility);
      expect(point.expected_return).to.be.above(frontier[at - 1]!.expected_return);
    }
    expect(solved({ ...historical, frontier_points: 1 }).frontier).to.have.length(1);
  });

  it('reports each binding limit with its shadow price', () => {
    const request: Request = { ...historical, objective: { kind: 'target_return', target: 0.4 } };
    const { binding, objective_value } = solved(request);
    expect(binding.map(({ pointer }) => pointer)).to.deep.equal(['/objective/target']);
    const more = solved({ ...request, objective: { kind: 'target_return', target: 0.4 + 1e-6 } });
    const slope = (more.objective_value! - objective_value!) / 1e-6;
    expect(slope).to.be.closeTo(binding[0]!.shadow_price, 1e-7);
  });

  it('meets maximum volatility and maximum tracking error', () => {
    const request: Request = {
      ...historical,
      objective: { kind: 'mean_variance', risk_aversion: 1 },
      constraints: { tracking_error_max: 0.01, volatility_max: 0.055 },
    };
    const { volatility, tracking_error } = solved(request, { benchmark });
    expect(volatility).to.be.at.most(0.055 + 1e-9);
    expect(tracking_error).to.be.at.most(0.01 + 1e-9);
  });

  it('limits the number of positions by a heuristic, and reports a lower bound of the objective', () => {
    const request: Request = { constraints: { positions_max: 2, weight: { min: 0.4 } } };
    const { weights, heuristic, objective_value, objective_bound } = solved(request);
    expect(Object.keys(weights)).to.have.length(2);
    expect(Math.min(...Object.values(weights))).to.be.at.least(0.4 - 1e-12);
    expect(heuristic).to.deep.equal(['positions_max']);
    expect(objective_bound).to.be.below(objective_value!);
    expect(solved({ constraints: { positions_max: 6 } }).heuristic).to.deep.equal([]);
  });

  it('has a lower turnover if trades cost more', () => {
    const objective = { kind: 'mean_variance' as const, risk_aversion: 500 };
    const turnovers = [0, 20, 200].map(
      (linear_bps) => solved({ ...historical, objective, costs: { linear_bps } }, held).turnover,
    );
    expect(turnovers[0]!).to.be.above(turnovers[1]!);
    expect(turnovers[1]!).to.be.above(turnovers[2]!);
    const impact = solved({ ...historical, objective, costs: { impact: { y: 1 } } }, held);
    expect(impact.turnover).to.be.below(turnovers[0]!);
    expect(impact.heuristic).to.deep.equal([]);
    expect(impact.cost_minor).to.be.above(0);
    const tail = (linear_bps: number) =>
      solved({ objective: { kind: 'minimum_cvar' }, costs: { linear_bps } }, held).turnover;
    expect(tail(40)).to.be.below(tail(0));
  });

  it('sells the lots with the least tax first, and causes less tax if the tax aversion is above 0', () => {
    const rates = { short_bps: 3700, long_bps: 2000 };
    const free = solved({ tax: { rates, aversion: 0 } }, held);
    const taxed = solved({ tax: { rates, aversion: 0.02 } }, held);
    expect(taxed.tax_minor).to.be.within(1, free.tax_minor - 1);
    expect(free.trades.find(({ side }) => side === 'sell')!.lots.map(({ lot }) => lot)).to.deep.equal([
      'new',
      'old',
    ]);
    for (const { trades, realised_gain_minor } of [free, taxed]) {
      const gain = trades.flatMap((trade) => trade.lots).reduce((all, { gain_minor }) => all + gain_minor, 0);
      expect(gain).to.equal(realised_gain_minor);
    }
  });

  it('limits realised gains to the maximum by a heuristic', () => {
    const rates = { short_bps: 3700, long_bps: 2000 };
    const tax = { rates, aversion: 0.01, realised_gain_max_minor: 1_000_000 };
    const { realised_gain_minor, heuristic } = solved({ tax }, held);
    expect(realised_gain_minor).to.be.within(900_000, 1_010_000);
    expect(heuristic).to.deep.equal(['realised_gain']);
    const { code, members } = refusal({ tax: { ...tax, realised_gain_max_minor: -1 } }, held);
    expect(code).to.equal('constraints_infeasible');
    expect(members['relax']).to.deep.equal([
      { pointer: '/tax/realised_gain_max_minor', from: -1, to: 0, sufficient: true },
    ]);
  });

  it('does not sell and buy the same symbol to realise a loss', () => {
    const loss = lots.map((lot) => ({ ...lot, basisMinor: 4n * lot.basisMinor + 100_000_000n }));
    const rates = { short_bps: 3700, long_bps: 2000 };
    const change = {
      cashMinor: 0n,
      holdings: [holding('FFF', 15_000, { lots: loss }), holding('AAA', 1000)],
    };
    const { trades, heuristic } = solved({ tax: { rates } }, change);
    expect(heuristic).to.deep.equal(['loss_lots']);
    expect(new Set(trades.map(({ symbol }) => symbol)).size).to.equal(trades.length);
    expect(trades.find(({ symbol }) => symbol === 'FFF')).to.include({ side: 'sell' });
  });

  it('sells all positions that are excluded or not eligible', () => {
    const change = {
      cashMinor: 0n,
      holdings: [holding('ZZZ', 1000.5, { price: 5_000_000_000n }), holding('AAA', 100)],
      assets: [...construction().assets, asset('GGG', { isEligible: false, price: null })],
    };
    const { trades, weights } = solved({ excluded: ['AAA'] }, change);
    expect(
      trades.filter(({ side }) => side === 'sell').map(({ symbol, quantity }) => [symbol, quantity]),
    ).to.deep.equal([
      ['AAA', '100'],
      ['ZZZ', '1000.5'],
    ]);
    expect(weights).to.not.have.any.keys('AAA', 'ZZZ', 'GGG');
  });

  it('adjusts the weights of a rule-based objective only if the weights exceed a limit', () => {
    const objective = { kind: 'equal' as const };
    expect(solved({ objective, constraints: { weight: { max: 0.2 } } }).adjusted).to.equal(false);
    const { weights, adjusted } = solved({
      objective,
      constraints: { weight: { max: 0.16, by_symbol: { AAA: { max: 0.3 } } } },
    });
    expect(adjusted).to.equal(true);
    expect(weights['AAA']).to.be.closeTo(0.2, 1e-9);
  });

  it('returns Black-Litterman expected returns that meet a view with a confidence of 1', () => {
    const views = [{ long: ['AAA'], short: ['FFF'], value: 0.05, confidence: 1 }];
    const { inputs } = solved({ returns: { kind: 'black_litterman', views } });
    const mean = (symbol: string) => inputs.find((each) => each.symbol === symbol)!.expected_return!;
    expect(mean('AAA') - mean('FFF')).to.be.closeTo(0.05, 1e-12);
  });

  it('accepts a single symbol, and accepts a symbol with a volatility of 0 only for equal weights', () => {
    expect(solved({}, { assets: [asset('AAA')] }).weights).to.deep.equal({ AAA: 1 });
    const flat = asset('BBB', { returns: Array.from({ length: 120 }, () => 0) });
    const { code } = refusal({ risk: { estimator: 'sample' } }, { assets: [asset('AAA'), flat] });
    expect(code).to.equal('not_identifiable');
    expect(
      refusal(
        { objective: { kind: 'inverse_volatility' }, risk: { estimator: 'sample' } },
        { assets: [asset('AAA'), flat] },
      ).code,
    ).to.equal('not_identifiable');
    const equal = solved(
      { objective: { kind: 'equal' }, risk: { estimator: 'sample' } },
      { assets: [asset('AAA'), flat] },
    );
    expect(equal.weights).to.deep.equal({ AAA: 0.5, BBB: 0.5 });
  });
});

describe('refusals of a portfolio construction', () => {
  const given = (value: number) => ({
    kind: 'given' as const,
    values: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, value])),
  });
  const twins = { assets: [asset('AAA'), asset('BBB', { returns: asset('AAA').returns })] };
  const sector = (name: string) => ({ by: 'sector' as const, name, max: 0.3 });
  const cases: [string, Request, Change, string, unknown][] = [
    [
      'maximum weights that are too small',
      { constraints: { weight: { max: 0.1 } } },
      {},
      'constraints_infeasible',
      ['/constraints/cash_min', '/constraints/weight/max'],
    ],
    [
      'minimum weights above 1',
      { constraints: { weight: { min: 0.2 } } },
      {},
      'constraints_infeasible',
      ['/constraints/cash_min', '/constraints/weight/min'],
    ],
    [
      'groups that exclude each other',
      { constraints: { groups: [sector('Energy'), sector('Health')] } },
      {},
      'constraints_infeasible',
      ['/constraints/cash_min', '/constraints/groups/0/max', '/constraints/groups/1/max'],
    ],
    [
      'a target above the largest return',
      { ...historical, objective: { kind: 'target_return', target: 5 } },
      {},
      'constraints_infeasible',
      ['/objective/target', '/constraints/weight/max'],
    ],
    [
      'a volatility that cannot be reached',
      { ...historical, objective: { kind: 'target_volatility', target: 0.01 } },
      {},
      'constraints_infeasible',
      ['/objective/target'],
    ],
    [
      'a maximum turnover of 0 for weights above a limit',
      { constraints: { turnover_max: 0, weight: { max: 0.5 } } },
      held,
      'constraints_infeasible',
      ['/constraints/turnover_max', '/constraints/weight/max'],
    ],
    [
      'a position that is too large for the volume',
      { constraints: { liquidity: { share_of_volume: 0.001 }, weight: { max: 0.5 } } },
      held,
      'constraints_infeasible',
      ['/constraints/liquidity', '/constraints/weight/max'],
    ],
    [
      'more positions than can be sold in time',
      { constraints: { positions_max: 1, liquidity: { days: 0.01 } } },
      { cashMinor: 0n, holdings: [holding('AAA', 20_000), holding('BBB', 20_000)] },
      'constraints_infeasible',
      ['/constraints/positions_max', '/constraints/liquidity'],
    ],
    [
      'an objective without returns',
      { objective: { kind: 'maximum_sharpe' } },
      {},
      'returns_required',
      undefined,
    ],
    ['a frontier without returns', { frontier_points: 3 }, {}, 'returns_required', undefined],
    [
      'expected returns below the risk-free rate',
      { objective: { kind: 'maximum_sharpe' }, returns: given(0.01), risk_free: 0.02 },
      {},
      'no_excess_return',
      undefined,
    ],
    [
      'two symbols with equal returns',
      { risk: { estimator: 'sample' } },
      twins,
      'not_identifiable',
      undefined,
    ],
    [
      'two currencies',
      {},
      { holdings: [holding('AAA', 1, { currency: 'EUR' })] },
      'currencies_mixed',
      undefined,
    ],
    ['a price of 0', {}, { assets: [asset('AAA', { price: 0n })] }, 'market_history_insufficient', undefined],
    [
      'a short history',
      {},
      { assets: [asset('AAA', { returns: [0.1, 0.2] })] },
      'market_history_insufficient',
      undefined,
    ],
    [
      'a factor run that lacks a symbol',
      { risk: { estimator: 'factor_run' } },
      { factorModel: { exposures: {}, factorCovariance: [], specificVariances: {} } },
      'market_history_insufficient',
      undefined,
    ],
    ['an empty universe', { excluded: [...SYMBOLS] }, {}, 'validation_failed', undefined],
    [
      'a missing benchmark',
      { objective: { kind: 'minimum_tracking_error' } },
      {},
      'validation_failed',
      undefined,
    ],
    ['a portfolio without value', {}, { cashMinor: 0n }, 'validation_failed', undefined],
    ['an unknown group', { constraints: { groups: [sector('Gas')] } }, {}, 'validation_failed', undefined],
    [
      'a negative minimum weight',
      { constraints: { weight: { min: -0.1 } } },
      {},
      'validation_failed',
      undefined,
    ],
    [
      'a minimum above its maximum',
      { constraints: { weight: { by_symbol: { AAA: { min: 0.5, max: 0.4 } } } } },
      {},
      'validation_failed',
      undefined,
    ],
    [
      'a maximum volatility for a tail risk objective',
      { objective: { kind: 'minimum_cvar' }, constraints: { volatility_max: 1 } },
      {},
      'validation_failed',
      undefined,
    ],
    ['a lot size of 0', { constraints: { lot_size: '0' } }, {}, 'validation_failed', undefined],
    [
      'views that contradict each other',
      {
        returns: {
          kind: 'black_litterman',
          views: [
            { long: ['AAA'], value: 0.1, confidence: 1 },
            { long: ['AAA'], value: 0.2, confidence: 1 },
          ],
        },
      },
      {},
      'validation_failed',
      undefined,
    ],
    [
      'a view on an unknown symbol',
      { returns: { kind: 'black_litterman', views: [{ long: ['ZZ'], value: 0 }] } },
      {},
      'validation_failed',
      undefined,
    ],
  ];
  for (const [name, request, change, code, conflict] of cases) {
    it(`have the code ${code} for ${name}`, () => {
      const found = refusal(request, change);
      expect(found.code).to.equal(code);
      expect(found.detail).to.match(/\.$/);
      if (conflict !== undefined) expect(found.members['conflict']).to.have.members(conflict as string[]);
    });
  }

  it('state the nearest value of a limit with which the request succeeds', () => {
    const { members } = refusal({ constraints: { weight: { max: 0.1 } } });
    const relax = members['relax'] as { pointer: string; from: number; to: number }[];
    const { from, to } = relax.find(({ pointer }) => pointer === '/constraints/weight/max')!;
    expect(from).to.equal(0.1);
    expect(to).to.be.closeTo(1 / 6, 1e-12);
    expect(sum(solved({ constraints: { weight: { max: to } } }).weights)).to.be.closeTo(1, 1e-12);
  });
});
