import { amountMinor } from '#lib/core/decimal.ts';
import type { AbsoluteTerm } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { Costs, Tax } from './construction-costs.schema.ts';
import type { ConstructionAsset } from './construction-input.ts';
import { fault } from './construction-refusal.ts';
import { fixedToNumber, minorScale } from './fixed-point.ts';
import type { Position } from './position.ts';
import { byTax, lotKey, type TaxRates } from './sold-lots.ts';

const DAYS_PER_YEAR = 252;
/** Slopes that differ by at most this amount are merged. */
const SLOPE_STEP_MIN = 1e-12;

/** The cost model of the assets. Costs are shares of the portfolio value. */
export type CostModel = {
  /** Commission and half spread, per unit of weight. */
  linear: number;
  /** Impact coefficient k of each asset: a trade of weight t has the impact cost k t^(3/2). */
  impact: Float64Array;
};

/**
 * Returns the cost model of the assets. The impact cost of q shares is 2/3 Y s q sqrt(q / V) times the price,
 * with the coefficient Y, the daily volatility s and the daily volume V. Throws a fault if an asset with
 * impact has no volume.
 * Source: Toth et al., "Anomalous Price Impact and the Critical Nature of Liquidity in Financial Markets"
 * (Physical Review X 1, 2011), integrated over the trade.
 */
export function costModel(
  { linear_bps = 0, half_spread_bps = 0, impact }: Costs,
  assets: readonly ConstructionAsset[],
  {
    volatilities,
    position,
    minorDigits,
  }: { volatilities: Float64Array; position: Position; minorDigits: number },
): CostModel {
  const value = Number(position.valueMinor) / minorScale(minorDigits);
  return {
    linear: (linear_bps + half_spread_bps) / 10_000,
    impact: Float64Array.from(assets, ({ symbol, price, volume }, k) => {
      if (!impact || impact.y === 0 || price === null) return 0;
      if (volume === null || volume <= 0)
        throw fault('/costs/impact', 'unknown', `needs a volume above 0, and ${symbol} has none`);
      const shares = value / fixedToNumber(price);
      const daily = volatilities[k]! / Math.sqrt(DAYS_PER_YEAR);
      return (2 / 3) * impact.y * daily * Math.sqrt(shares / volume);
    }),
  };
}

/** Returns the derivative of the costs at trades of the given weights, per unit of weight. */
export function costSlopes({ linear, impact }: CostModel, trades: Float64Array): Float64Array {
  return trades.map(
    (trade, k) => linear + (impact[k] === 0 ? 0 : 1.5 * impact[k]! * Math.sqrt(Math.abs(trade))),
  );
}

/**
 * The part of an asset's weight that belongs to one lot: its width in weight, and its tax and gain per unit of weight.
 */
export type LotStretch = { width: number; taxShare: number; gainShare: number; key: string };

/**
 * Returns the lots of each asset as parts of its weight, with the smallest tax first. `gainPrice` is added to
 * the tax for each unit of realised gain.
 */
export function lotStretches(
  position: Position,
  { rates, minorDigits, gainPrice }: { rates: TaxRates; minorDigits: number; gainPrice: number },
): LotStretch[][] {
  return position.holdings.map((holding) => {
    if (!holding || holding.quantity <= 0n) return [];
    const valueOf = (quantity: bigint) => Number(amountMinor(quantity, holding.price!, minorDigits));
    return byTax(holding.lots, { rates, valueOf })
      .map(({ lot, taxShare, gainShare }, at) => ({
        at,
        key: lotKey(lot),
        width: valueOf(lot.quantity) / Number(position.valueMinor),
        gainShare,
        taxShare,
      }))
      .sort(
        (a, b) =>
          a.taxShare + gainPrice * a.gainShare - (b.taxShare + gainPrice * b.gainShare) || a.at - b.at,
      );
  });
}

export const ratesOf = ({ rates }: Tax): TaxRates => ({ short: rates.short_bps, long: rates.long_bps });

/**
 * Returns the costs and taxes as terms in |w - from|. The slope of the first term changes at the weights
 * before the trades. The slope of each further term changes at the weight at which the sale of the next lot
 * begins. With `floor`, the slope of a sale is at least minus the slope of a purchase, so that the costs are
 * convex even if the tax saving of a loss exceeds the costs of selling and buying at once.
 */
export function tradeTerms(
  before: Float64Array,
  {
    slopes,
    stretches,
    priceOf,
    floor,
    turnoverMax,
    lower,
  }: {
    slopes: Float64Array;
    stretches: readonly (readonly LotStretch[])[];
    priceOf: (stretch: LotStretch) => number;
    floor: boolean;
    turnoverMax: number | undefined;
    lower: Float64Array;
  },
): AbsoluteTerm[] {
  const sales = Array.from(before, (_, k) =>
    saleSlopes(stretches[k] ?? [], { slope: slopes[k]!, priceOf, floor }),
  );
  const first: AbsoluteTerm = {
    from: before,
    purchase: slopes,
    sale: Float64Array.from(sales, (steps) => steps[0]!.slope),
    ...(turnoverMax === undefined ? {} : { max: turnoverMax }),
  };
  const ranks = sales.reduce((most, steps) => Math.max(most, steps.length), 1);
  const further = Array.from({ length: ranks - 1 }, (_, rank): AbsoluteTerm => {
    const step = (k: number) => sales[k]![rank + 1];
    return {
      from: before.map((weight, k) => (step(k) ? weight - step(k)!.sold : lower[k]!)),
      purchase: new Float64Array(before.length),
      sale: Float64Array.from(sales, (steps, k) => (step(k) ? step(k)!.slope - steps[rank]!.slope : 0)),
    };
  });
  return [first, ...further];
}

/** Returns the slopes of a sale in ascending order, each with the sold weight from which it applies. */
function saleSlopes(
  stretches: readonly LotStretch[],
  { slope, priceOf, floor }: { slope: number; priceOf: (stretch: LotStretch) => number; floor: boolean },
): { slope: number; sold: number }[] {
  const steps: { slope: number; sold: number }[] = [];
  let sold = 0;
  for (const stretch of stretches) {
    const own = slope + priceOf(stretch);
    const kept = floor ? Math.max(own, -slope) : own;
    if (steps.length === 0 || kept > steps.at(-1)!.slope + SLOPE_STEP_MIN) steps.push({ slope: kept, sold });
    sold += stretch.width;
  }
  return steps.length === 0 ? [{ slope, sold: 0 }] : steps;
}
