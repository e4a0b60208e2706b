import { allocate } from './allocate.ts';
import type { AllocationProblem, AllocationVerdict } from './allocation-problem.ts';
import { costSlopes, tradeTerms, type CostModel, type LotStretch } from './trade-costs.ts';

const IMPACT_STEPS_MAX = 40;
const GAIN_STEPS_MAX = 60;
/** Doublings of the price of realised gains before the limit counts as out of reach. */
const GAIN_DOUBLINGS_MAX = 16;
/** Weights, and slopes of the costs, that change by less have settled. */
const SETTLED = 1e-8;
/** The price of realised gains is found within this share of it. */
const PRICE_SETTLED = 1e-10;
/** A realised gain this near below its limit, relative to the value, is at the limit. */
const GAIN_NEAR = 1e-6;
const TRADE_MIN = 1e-9;

export type TradingTerms = {
  model: CostModel;
  /** Weight of the costs and of the tax in the objective. */
  costAversion: number;
  taxAversion: number;
  /** Largest two-way turnover in the assets. */
  turnoverMax: number | undefined;
  /** The lots of each asset as they are sold, for a price of realised gains. */
  stretchesAt: (gainPrice: number) => LotStretch[][];
  /** Largest realised gain in the assets, as a share of value. */
  gainMax: number | undefined;
};

export type CostedVerdict =
  | Exclude<AllocationVerdict, { ok: true }>
  | { ok: false; reason: 'gain_infeasible'; smallest: number }
  | (Extract<AllocationVerdict, { ok: true }> & {
      stretches: LotStretch[][];
      /** Approximations that the weights rest on. */
      heuristics: ('loss_lots' | 'realised_gain' | 'impact')[];
    });

/**
 * Chooses weights with costs and taxes in the objective. Taxes are linear in each lot, with the lots of the smallest tax
 * sold first. Three parts are found by iteration:
 *
 * - The slope of a square-root impact is that at the trade itself: a damped fixed point, at most 60 steps.
 * - A loss that would pay for selling and buying at once is counted only as far as the costs stay convex; then each such
 *   asset may be traded in the direction of the result alone, and the whole loss counts (`loss_lots`).
 * - A limit on realised gains is met by a price on gains, found by bisection (`realised_gain`).
 */
export function allocateWithCosts(problem: AllocationProblem, terms: TradingTerms): CostedVerdict {
  const { model, costAversion } = terms;
  const none = new Float64Array(problem.before.length);
  const start = costSlopes(model, none).map((slope) => costAversion * slope);
  const { verdict: free, ...first } = atGainPrice(problem, terms, { gainPrice: 0, start });
  if (!free.ok || terms.gainMax === undefined) return free;
  const gainOf = (verdict: Extract<CostedVerdict, { ok: true }>) =>
    realisedGain(problem.before, verdict.allocation.weights, verdict.stretches);
  if (gainOf(free) <= terms.gainMax) return free;
  let best: Extract<CostedVerdict, { ok: true }> | undefined;
  let smallest = gainOf(free);
  const allLosses = smallestGain(free.stretches);
  if (terms.gainMax < allLosses) return { ok: false, reason: 'gain_infeasible', smallest: allLosses };
  let [low, high] = [0, 1e-3];
  let { slopes } = first;
  for (let step = 0; step < GAIN_DOUBLINGS_MAX + GAIN_STEPS_MAX; step += 1) {
    const price = best ? (low + high) / 2 : high;
    if (!best && step >= GAIN_DOUBLINGS_MAX) break;
    const found = atGainPrice(problem, terms, { gainPrice: price, start: slopes });
    const { verdict } = found;
    if (!verdict.ok) return verdict;
    slopes = found.slopes;
    const gain = gainOf(verdict);
    smallest = Math.min(smallest, gain);
    if (gain <= terms.gainMax) [best, high] = [verdict, price];
    else if (best) low = price;
    else [low, high] = [price, price * 2];
    if (best && (high - low <= PRICE_SETTLED * high || Math.abs(terms.gainMax - gain) <= GAIN_NEAR)) break;
  }
  if (!best) return { ok: false, reason: 'gain_infeasible', smallest };
  return { ...best, heuristics: [...best.heuristics, 'realised_gain'] };
}

function atGainPrice(
  problem: AllocationProblem,
  terms: TradingTerms,
  { gainPrice, start }: { gainPrice: number; start: Float64Array },
): { verdict: CostedVerdict; slopes: Float64Array } {
  const stretches = terms.stretchesAt(gainPrice);
  const priceOf = ({ taxShare, gainShare }: LotStretch) =>
    terms.taxAversion * taxShare + gainPrice * gainShare;
  const { verdict, slopes, isSettled } = withImpact(problem, terms, { stretches, priceOf, start });
  if (!verdict.ok) return { verdict, slopes };
  const heuristics: Extract<CostedVerdict, { ok: true }>['heuristics'] = isSettled ? [] : ['impact'];
  const isLoss = stretches.map((each, k) => each.some((stretch) => priceOf(stretch) < -2 * slopes[k]!));
  if (!isLoss.includes(true)) return { verdict: { ...verdict, stretches, heuristics }, slopes };
  const oneWay = inDirection(problem, isLoss, verdict.allocation.weights);
  const second = allocate({
    ...oneWay,
    terms: tradeTerms(problem.before, {
      ...termsOf(oneWay, terms),
      slopes,
      stretches,
      priceOf,
      floor: false,
    }),
  });
  const best = second.ok ? second : verdict;
  return { verdict: { ...best, stretches, heuristics: [...heuristics, 'loss_lots'] }, slopes };
}

const termsOf = ({ limits }: AllocationProblem, { turnoverMax }: TradingTerms) => ({
  turnoverMax,
  lower: limits.lower,
});

type Sales = {
  stretches: LotStretch[][];
  priceOf: (stretch: LotStretch) => number;
  /** Slopes of the costs to begin with. */
  start: Float64Array;
};

/** Repeats the allocation until the slopes of the costs are those at its trades. */
function withImpact(problem: AllocationProblem, terms: TradingTerms, { stretches, priceOf, start }: Sales) {
  const { model, costAversion } = terms;
  const at = (trades: Float64Array) => costSlopes(model, trades).map((slope) => costAversion * slope);
  const hasImpact = costAversion > 0 && model.impact.some((each) => each > 0);
  let slopes = start;
  let weights = problem.before;
  const damping = new Float64Array(slopes.length).fill(0.5);
  const last = new Float64Array(slopes.length);
  for (let step = 0; ; step += 1) {
    const verdict = allocate({
      ...problem,
      terms: tradeTerms(problem.before, {
        ...termsOf(problem, terms),
        slopes,
        stretches,
        priceOf,
        floor: true,
      }),
    });
    if (!verdict.ok || !hasImpact) return { verdict, slopes, isSettled: true };
    const moved = largestDifference(verdict.allocation.weights, weights);
    weights = verdict.allocation.weights;
    const next = at(weights.map((weight, k) => weight - problem.before[k]!));
    const isSettled = moved <= SETTLED && largestDifference(next, slopes) <= SETTLED;
    if (isSettled) return { verdict, slopes, isSettled };
    if (step === IMPACT_STEPS_MAX) return { verdict, slopes, isSettled: false };
    slopes = slopes.map((slope, k) => {
      const change = next[k]! - slope;
      // A step that goes back and forth is shortened.
      damping[k] = change * last[k]! < 0 ? damping[k]! / 2 : Math.min(1, damping[k]! * 1.2);
      last[k] = change;
      return slope + damping[k]! * change;
    });
  }
}

function largestDifference(one: Float64Array, other: Float64Array): number {
  let most = 0;
  for (let k = 0; k < one.length; k += 1) most = Math.max(most, Math.abs(one[k]! - other[k]!));
  return most;
}

/** Lets the marked assets move only to the side on which their weights are. */
function inDirection(
  problem: AllocationProblem,
  marked: readonly boolean[],
  weights: Float64Array,
): AllocationProblem {
  const { limits, before } = problem;
  const isSale = marked.map((each, k) => each && weights[k]! < before[k]! - TRADE_MIN);
  return {
    ...problem,
    limits: {
      ...limits,
      lower: limits.lower.map((min, k) =>
        marked[k] && !isSale[k] ? Math.min(Math.max(min, before[k]!), limits.upper[k]!) : min,
      ),
      upper: limits.upper.map((max, k) =>
        isSale[k] ? Math.max(Math.min(max, before[k]!), limits.lower[k]!) : max,
      ),
    },
  };
}

/** Returns the gain that is realised on the way from one set of weights to another, as a share of value. */
function realisedGain(
  before: Float64Array,
  after: Float64Array,
  stretches: readonly (readonly LotStretch[])[],
): number {
  return soldStretches(before, after, stretches).reduce(
    (sum, { sold, gainShare }) => sum + sold * gainShare,
    0,
  );
}

/** The realised gain if all lots with a loss are sold, and no others. */
function smallestGain(stretches: readonly (readonly LotStretch[])[]): number {
  return stretches.flat().reduce((sum, { width, gainShare }) => sum + width * Math.min(0, gainShare), 0);
}

function soldStretches(
  before: Float64Array,
  after: Float64Array,
  stretches: readonly (readonly LotStretch[])[],
) {
  return stretches.flatMap((lots, k) => {
    let rest = Math.max(0, before[k]! - after[k]!);
    return lots.map((stretch) => {
      const sold = Math.min(rest, stretch.width);
      rest -= sold;
      return { ...stretch, sold };
    });
  });
}
