import { compareText } from '#lib/core/compare-text.ts';
import { factorModelOf, type FactorModel } from '../risk/factor-model.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import type { HarvestProposal } from './harvest-proposal.ts';
import { modelTrackingError, weightChanges } from './harvest-tracking.ts';
import { correlationOf } from './replacements.ts';
import { returnVariance } from './return-variance.ts';
import type { TaxHarvestResult } from './tax-harvest-result.schema.ts';
import type { TaxHarvestInput } from './tax-harvest.schema.ts';
import { trackingVariance } from './tracking-variance.ts';

export type ReplacementData = {
  factorRun: FactorRun | undefined;
  /** Simple monthly returns by symbol, over the same months; null for a month without a return. */
  returns: Readonly<Record<string, readonly (number | null)[]>>;
  /** The sector of each symbol. A symbol without a sector is absent. */
  sectors: Readonly<Record<string, string>>;
  /** The value of each symbol of the portfolio before the sales, in major units. */
  values: ReadonlyMap<string, number>;
};

export type ReplacementChoice = Pick<TaxHarvestInput, 'identical'> & {
  from: 'factor_run' | 'sector' | 'list';
  most: number;
  symbols?: readonly string[];
};

type Similar = Pick<TaxHarvestResult, 'replacements' | 'tracking_error' | 'tracking_error_from'>;
type Measured = { variance: number | null; from: 'factor_run' | 'returns' | null };

/**
 * Ranks replacements for the sold symbols: the smallest tracking variance first, ties by symbol in code-unit order, and
 * symbols without a variance last. The variance is that of the factor model if the model has both symbols, otherwise
 * that of the differences of their monthly returns. Sold symbols and securities identical to any of them are left out,
 * because their purchase would be a wash sale.
 *
 * Also returns the monthly tracking error of the portfolio after the sales against the portfolio before the sales.
 */
export function harvestReplacements(
  choice: ReplacementChoice,
  { sales }: Pick<HarvestProposal, 'sales'>,
  data: ReplacementData,
): Similar {
  const { factorRun, returns, values } = data;
  const model = (factorRun && factorModelOf(factorRun.run, factorRun)) ?? undefined;
  const sold = [...new Set(sales.map(({ symbol }) => symbol))];
  const themes = Map.groupBy(factorRun?.exposures ?? [], ({ symbol }) => symbol);
  const themesOf = (symbol: string) => (themes.get(symbol) ?? []).map(({ theme }) => theme);
  const isSold = new Set(sold);
  const barred = new Set([
    ...sold,
    ...choice.identical.filter((set) => set.some((each) => isSold.has(each))).flat(),
  ]);
  const ranked = sold.flatMap((symbol) => {
    return candidatesOf(symbol, choice, { model, sectors: data.sectors })
      .filter((candidate) => !barred.has(candidate))
      .map((candidate) => ({ candidate, ...measure(symbol, candidate, { model, returns }) }))
      .toSorted(
        (a, b) =>
          (a.variance ?? Infinity) - (b.variance ?? Infinity) || compareText(a.candidate, b.candidate),
      )
      .slice(0, choice.most)
      .map(({ candidate, variance, from }) => {
        const { correlation, periods } = correlationOf(returns[symbol] ?? [], returns[candidate] ?? []);
        const own = new Set(themesOf(symbol));
        return {
          replaces: symbol,
          symbol: candidate,
          distance: variance,
          distance_from: from,
          correlation_36m: correlation,
          months: periods,
          shared_themes: themesOf(candidate)
            .filter((theme) => own.has(theme))
            .toSorted(compareText),
        };
      });
  });
  const measured = ranked.filter(({ distance }) => distance !== null);
  const first = new Map(measured.toReversed().map((each) => [each.replaces, each.symbol]));
  const tracked = trackingOf(weightChanges(sales, { first, values }), { model, returns });
  return {
    replacements: ranked,
    tracking_error: tracked.variance === null ? null : Math.sqrt(tracked.variance),
    tracking_error_from: tracked.from,
  };
}

function candidatesOf(
  symbol: string,
  { from, symbols = [] }: ReplacementChoice,
  { model, sectors }: { model: FactorModel | undefined; sectors: ReplacementData['sectors'] },
): readonly string[] {
  switch (from) {
    case 'factor_run':
      return model?.exposuresOf.has(symbol) ? [...model.exposuresOf.keys()] : [];
    case 'sector': {
      const sector = sectors[symbol];
      return sector === undefined
        ? []
        : Object.keys(sectors).filter((candidate) => sectors[candidate] === sector);
    }
    case 'list':
      return symbols;
  }
}

type Sources = { model: FactorModel | undefined; returns: ReplacementData['returns'] };

function measure(symbol: string, candidate: string, { model, returns }: Sources): Measured {
  const [one, other] = [symbol, candidate].map((each) => viewOf(each, model));
  if (model && one && other)
    return { variance: trackingVariance(one, other, model.covariance), from: 'factor_run' };
  return byReturns(
    new Map([
      [symbol, -1],
      [candidate, 1],
    ]),
    returns,
  );
}

function viewOf(symbol: string, model: FactorModel | undefined) {
  const exposures = model?.exposuresOf.get(symbol);
  const specific = model?.specificOf.get(symbol);
  if (!exposures || specific === undefined) return undefined;
  return { exposures: [...exposures], specificVariance: specific * specific };
}

function trackingOf(changes: ReadonlyMap<string, number> | null, { model, returns }: Sources): Measured {
  if (changes === null) return { variance: null, from: null };
  const error = model ? modelTrackingError(changes, model) : null;
  if (error !== null) return { variance: error * error, from: 'factor_run' };
  return byReturns(changes, returns);
}

function byReturns(weights: ReadonlyMap<string, number>, returns: ReplacementData['returns']): Measured {
  const variance = returnVariance(weights, returns);
  return { variance, from: variance === null ? null : 'returns' };
}
