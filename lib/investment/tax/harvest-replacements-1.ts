import { factorModelOf } from '../risk/factor-model.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import type { HarvestProposal } from './harvest-proposal.ts';
import { rankReplacements, type ReplacementCandidate } from './replacements.ts';
import { modelTrackingError, weightChanges } from './harvest-tracking.ts';
import type { TaxHarvestResult1 } from './tax-harvest-result-1.schema.ts';
import type { TaxHarvestInput } from './tax-harvest.schema.ts';

export type ReplacementData1 = {
  factorRun: FactorRun | undefined;
  /** Monthly returns by symbol, over the months of the run; null for a month without a return. */
  returns: Readonly<Record<string, readonly (number | null)[]>>;
  /** The value of each symbol of the portfolio before the sales. */
  values: ReadonlyMap<string, number>;
};

export type Similar1 = Pick<TaxHarvestResult1, 'replacements' | 'tracking_error'>;

/**
 * The replacements of `svc_tax_harvest_us_v1`. Ranks replacements for the sold symbols by the factor model of a sealed run. Also returns the monthly
 * tracking error of the portfolio after the sales against the portfolio before the sales. A symbol outside
 * the universe of the run has no replacements.
 */
export function harvestReplacements1(
  input: Pick<TaxHarvestInput, 'identical'> & { most: number },
  proposal: HarvestProposal,
  { factorRun, returns, values }: ReplacementData1,
): Similar1 {
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
      most: input.most,
    };
    return { symbol, candidates: view ? rankReplacements(view, universe, options) : [] };
  });
  const first = new Map(
    ranked.flatMap(({ symbol, candidates: [best] }) => (best ? [[symbol, best.symbol] as const] : [])),
  );
  const changes = weightChanges(proposal.sales, { first, values });
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
    tracking_error: changes && modelTrackingError(changes, model),
  };
}
