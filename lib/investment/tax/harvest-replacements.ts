import { factorModelOf, type FactorModel } from '../risk/factor-model.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import type { HarvestProposal } from './harvest-proposal.ts';
import { rankReplacements, type ReplacementCandidate } from './replacements.ts';
import type { TaxHarvestInput, TaxHarvestResult } from './tax-harvest.schema.ts';

export type ReplacementData = {
  factorRun: FactorRun | undefined;
  /** Monthly returns by symbol, over the months of the run; null for a month without a return. */
  returns: Readonly<Record<string, readonly (number | null)[]>>;
  /** The value of each symbol of the portfolio before the sales. */
  values: ReadonlyMap<string, number>;
};

type Similar = Pick<TaxHarvestResult, 'replacements' | 'tracking_error'>;

/**
 * Ranks replacements for the sold symbols by the factor model of a sealed run. Also returns the monthly
 * tracking error of the portfolio after the sales against the portfolio before the sales. A symbol outside
 * the universe of the run has no replacements.
 */
export function harvestReplacements(
  input: Pick<TaxHarvestInput, 'identical' | 'replacements'>,
  proposal: HarvestProposal,
  { factorRun, returns, values }: ReplacementData,
): Similar {
  const model = factorRun && factorModelOf(factorRun.run, factorRun);
  if (!model || !factorRun) return { replacements: [], tracking_error: null };
  const themesOf = Map.groupBy(factorRun.exposures, ({ symbol }) => symbol);
  const viewOf = (symbol: string): ReplacementCandidate | undefined => {
    const exposures = model.exposuresOf.get(symbol);
    const specific = model.specificOf.get(symbol);
    if (!exposures || specific === undefined) return undefined;
    return {
      symbol,
      exposures: [...exposures],
      specificVariance: specific * specific,
      themes: (themesOf.get(symbol) ?? []).map(({ theme }) => theme),
      returns: returns[symbol] ?? factorRun.result.months.map(() => null),
    };
  };
  const sold = [...new Set(proposal.sales.map(({ symbol }) => symbol))];
  const universe = [...model.exposuresOf.keys()].flatMap((symbol) => viewOf(symbol) ?? []);
  const ranked = sold.map((symbol) => {
    const view = viewOf(symbol);
    const identical = input.identical.filter((set) => set.includes(symbol)).flat();
    const options = {
      covariance: model.covariance,
      excluded: [...identical, ...sold],
      most: input.replacements,
    };
    return { symbol, candidates: view ? rankReplacements(view, universe, options) : [] };
  });
  return {
    replacements: ranked.map(({ symbol, candidates }) => ({
      symbol,
      candidates: candidates.map((each) => ({
        symbol: each.symbol,
        tracking_error: Math.sqrt(each.distance),
        correlation: each.correlation,
        months: each.periods,
        shared_themes: each.sharedThemes,
      })),
    })),
    tracking_error: trackingError(proposal, model, { ranked, values }),
  };
}

type Ranked = readonly { symbol: string; candidates: readonly { symbol: string }[] }[];

/**
 * Returns the standard deviation of the change of the portfolio's monthly return, computed from the changes
 * of its weights.
 */
function trackingError(
  { sales }: HarvestProposal,
  { covariance, exposuresOf, specificOf }: FactorModel,
  { ranked, values }: { ranked: Ranked; values: ReadonlyMap<string, number> },
): number | null {
  let total = 0;
  for (const value of values.values()) total += value;
  if (total <= 0) return null;
  const changes = new Map<string, number>();
  for (const { symbol, proceedsMinor } of sales) {
    const weight = Number(proceedsMinor) / 100 / total;
    const first = ranked.find((each) => each.symbol === symbol)?.candidates[0]?.symbol;
    changes.set(symbol, (changes.get(symbol) ?? 0) - weight);
    if (first !== undefined) changes.set(first, (changes.get(first) ?? 0) + weight);
  }
  const exposure = covariance.map(() => 0);
  let variance = 0;
  for (const [symbol, change] of changes) {
    const own = exposuresOf.get(symbol);
    const specific = specificOf.get(symbol);
    if (!own || specific === undefined) return null;
    for (let at = 0; at < exposure.length; at += 1) exposure[at]! += change * own[at]!;
    variance += change * change * specific * specific;
  }
  for (const [row, covariances] of covariance.entries()) {
    let sum = 0;
    for (const [column, each] of covariances.entries()) sum += each * exposure[column]!;
    variance += exposure[row]! * sum;
  }
  return Math.sqrt(Math.max(variance, 0));
}
