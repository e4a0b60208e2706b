import { absolute } from '#lib/core/money.ts';
import { compareText } from '#lib/core/compare-text.ts';
import { checkInstrument } from '#lib/numerics/scenario/draw-specific.ts';
import { exposureFaults } from './exposure-faults.ts';
import { type Exposure, mapExposures, monthsNeeded, type Unmapped } from './exposure-mapping.ts';
import type { Samples } from './position-profit.ts';
import type { PortfolioScenarioInput, ScenarioHolding } from './scenario-input.ts';
import { SCENARIO_LIMITS, SHARE_WITHOUT_PRICE_MAX } from './scenario-limits.ts';
import {
  currenciesMixed,
  exposureInvalid,
  exposureUnmapped,
  monthsTooFew,
  type PortfolioScenarioRefusal,
  pricesMissing,
  tooLarge,
} from './scenario-refusal.ts';

/** A portfolio to which the samples can be applied. */
export type PreparedScenarios = {
  currency: string | null;
  /** Positions, ordered by symbol in code-unit order. `exposures` has the same order. */
  holdings: ScenarioHolding[];
  exposures: (Exposure | Unmapped)[];
  /** Value of positions and cash in minor units. */
  valueMinor: bigint;
  samples: Samples;
};

type Refused = { ok: false; refusal: PortfolioScenarioRefusal };

/**
 * Checks a portfolio against the run, and maps its positions to exposures. Returns any refusal of
 * `PortfolioScenarioRefusal` except the refusal of altered samples. Throws a `RangeError` on an instrument
 * number out of range and on arrays whose lengths do not fit.
 */
export function prepareScenarios(
  input: PortfolioScenarioInput,
): { ok: true; prepared: PreparedScenarios } | Refused {
  const { run, matrix, options } = input;
  const holdings = [...input.holdings].sort((one, other) => compareText(one.symbol, other.symbol));
  for (const { instrument } of holdings) checkInstrument(instrument);
  const samples = samplesOf(matrix, run);
  const cells = samples.count * samples.months * holdings.length;
  if (holdings.length > SCENARIO_LIMITS.positions || cells > SCENARIO_LIMITS.cells)
    return refuse(tooLarge(holdings.length, cells));
  const faults = exposureFaults(options.mapping, run.factors);
  if (faults.length > 0) return refuse(exposureInvalid(faults));
  const cash = input.cash.filter(({ amountMinor }) => amountMinor !== 0n);
  const currencies = [...new Set([...holdings, ...cash].map(({ currency }) => currency))].sort(compareText);
  if (currencies.length > 1) return refuse(currenciesMixed(currencies));
  const priceless = holdings.filter(({ valueMinor }) => valueMinor === null);
  if (priceless.length > SHARE_WITHOUT_PRICE_MAX * holdings.length)
    return refuse(pricesMissing(priceless, holdings.length));
  const months = monthsOf(input, holdings);
  if (months !== null && months < monthsNeeded(run.factors.length))
    return refuse(monthsTooFew(months, monthsNeeded(run.factors.length)));
  const exposures = mapExposures(input, holdings);
  const refusal = unmappedRefusal(holdings, exposures, options.unmappedMax);
  if (refusal) return refuse(refusal);
  const cashMinor = cash.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const valueMinor = holdings.reduce((total, each) => total + (each.valueMinor ?? 0n), cashMinor);
  return {
    ok: true,
    prepared: { currency: currencies[0] ?? null, holdings, exposures, valueMinor, samples },
  };
}

function refuse(refusal: PortfolioScenarioRefusal): Refused {
  return { ok: false, refusal };
}

function samplesOf(matrix: Float64Array, { factors, horizon }: PortfolioScenarioInput['run']): Samples {
  const months = horizon ?? 1;
  const count = matrix.length / (months * factors.length);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(
      `${matrix.length} numbers are not samples of ${months} months of ${factors.length} factors`,
    );
  return { matrix, count, months, factors: factors.length };
}

/** Returns the number of months in the window if a position needs betas; null if no position needs betas. */
function monthsOf(
  { run, factorReturns, options }: PortfolioScenarioInput,
  holdings: readonly ScenarioHolding[],
) {
  const { kind, window } = options.mapping;
  const needsBeta = ({ symbol }: ScenarioHolding) =>
    kind === 'beta' || (kind === 'identity_then_beta' && !run.factors.includes(symbol));
  if (!holdings.some(needsBeta)) return null;
  if (factorReturns.length !== run.factors.length) throw new RangeError('each factor must have its returns');
  const length = factorReturns[0]?.length ?? 0;
  const series = [...factorReturns, ...holdings.flatMap(({ returns }) => (returns ? [returns] : []))];
  if (series.some((each) => each.length !== length))
    throw new RangeError('all returns must have the same months');
  return Math.min(window, length);
}

function unmappedRefusal(
  holdings: readonly ScenarioHolding[],
  exposures: readonly (Exposure | Unmapped)[],
  most: number,
): PortfolioScenarioRefusal | undefined {
  const unmapped = holdings.filter((_, at) => exposures[at]!.kind === 'unmapped');
  const share = grossOf(unmapped) / (grossOf(holdings) || 1);
  const symbols = unmapped.map(({ symbol }) => symbol);
  return share > most ? exposureUnmapped(share, { most, symbols }) : undefined;
}

/** Returns the gross value of positions: the sum of the absolute values, in minor units. */
export function grossOf(holdings: readonly ScenarioHolding[]): number {
  return Number(holdings.reduce((total, { valueMinor }) => total + absolute(valueMinor ?? 0n), 0n));
}
