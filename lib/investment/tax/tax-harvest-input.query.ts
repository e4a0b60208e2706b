import { utcDate } from '#lib/core/clock.ts';
import { compareText } from '#lib/core/compare-text.ts';
import { parseDecimal } from '#lib/core/decimal.ts';
import type { Fault } from '#lib/core/problem.ts';
import { invalid } from '#lib/core/problem.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { type Em, tenantOf } from '#lib/database/base.ts';
import { pinPortfolio } from '../portfolios/pinned-portfolio.query.ts';
import { unknownAmong } from '../portfolios/staged-symbols.query.ts';
import { latestFactorRun } from '../theme-factors/factor-run.query.ts';
import type { TaxHarvestInput, TaxHarvestRequest } from './tax-harvest.schema.ts';

/** Returns the input of a tax harvest: the request with every default filled in, and the data that the run may read. */
export async function taxHarvestInput(em: Em, request: TaxHarvestRequest, now: Date) {
  const today = utcDate(now);
  const { portfolio: name, as_of: asOf = today, rates, replacements: chosen = {} } = request;
  const faults = [...faultsOf(request, today), ...(await unknownReplacements(em, request))];
  if (faults.length) throw invalid(faults);
  const { pinned } = await pinPortfolio(em, name, asOf);
  const input: TaxHarvestInput = {
    ...pinned,
    as_of: asOf,
    rates: { ...rates, ordinary_bps: rates.ordinary_bps ?? rates.short_bps },
    ordinary_limit_minor: request.ordinary_limit_minor ?? 300_000,
    realised: request.realised ?? null,
    carried_in: request.carried_in ?? { short_minor: 0, long_minor: 0 },
    policy: request.policy ?? 'avoid',
    minimum_loss_minor: request.minimum_loss_minor ?? 0,
    minimum_loss_bps: request.minimum_loss_bps ?? 0,
    minimum_net_minor: request.minimum_net_minor ?? 1,
    cost_bps: request.cost_bps ?? 10,
    identical: request.identical ?? [],
    outside_purchases: request.outside_purchases ?? [],
    planned_purchases: request.planned_purchases ?? [],
    horizon: request.horizon ?? 'now',
    replacements: {
      from: chosen.from ?? 'factor_run',
      most: chosen.most ?? 3,
      ...(chosen.symbols && { symbols: chosen.symbols.toSorted(compareText) }),
    },
    factor_run_uid: (await latestFactorRun(em, asOf)) ?? null,
  };
  return { input, datasetRevisions: await currentRevisions(em) };
}

/** Returns the faults of symbols in the list of replacements that no dataset of the workspace has. */
async function unknownReplacements(em: Em, { replacements }: TaxHarvestRequest): Promise<Fault[]> {
  const { symbols = [] } = replacements ?? {};
  if (symbols.length === 0) return [];
  const unknown = await unknownAmong(em, tenantOf(em), symbols);
  return symbols.flatMap((symbol, at): Fault[] =>
    unknown.has(symbol)
      ? [
          {
            pointer: `/replacements/symbols/${at}`,
            in: 'body',
            code: 'unknown_symbol',
            message: 'is in no dataset of the workspace',
          },
        ]
      : [],
  );
}

function faultsOf(request: TaxHarvestRequest, today: string): Fault[] {
  const faults: Fault[] = [];
  const add = (pointer: string, code: string, message: string) =>
    faults.push({ pointer, in: 'body', code, message });
  if (request.as_of !== undefined && request.as_of > today)
    add('/as_of', 'in_future', `must not be after today, ${today}`);
  const { from = 'factor_run', symbols } = request.replacements ?? {};
  if (from === 'list' && symbols === undefined)
    add('/replacements/symbols', 'required', 'is required if replacements are chosen from a list');
  if (from !== 'list' && symbols !== undefined)
    add('/replacements/symbols', 'unsupported', 'is allowed only if replacements are chosen from a list');
  const seen = new Set<string>();
  for (const [at, set] of (request.identical ?? []).entries()) {
    for (const [place, symbol] of set.entries()) {
      if (seen.has(symbol)) add(`/identical/${at}/${place}`, 'repeated', 'is already in a set');
      seen.add(symbol);
    }
  }
  for (const [at, { on }] of (request.outside_purchases ?? []).entries()) {
    if (on > today) add(`/outside_purchases/${at}/on`, 'in_future', `must not be after today, ${today}`);
  }
  for (const member of ['outside_purchases', 'planned_purchases'] as const) {
    for (const [at, { quantity }] of (request[member] ?? []).entries()) {
      const shares = parseDecimal(quantity);
      if (shares === undefined || shares === 0n)
        add(
          `/${member}/${at}/quantity`,
          'invalid_quantity',
          'must be a decimal above 0 with up to 8 decimals',
        );
    }
  }
  return faults;
}
