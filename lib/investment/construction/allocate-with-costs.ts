import { allocate } from './allocate.ts';
import type { AllocationProblem, AllocationVerdict } from './allocation-problem.ts';
import { costSlopes, tradeTerms, type CostModel, type LotStretch } from './trade-costs.ts';

const IMPACT_STEPS_MAX = 40;
const GAIN_STEPS_MAX = 60;
/**
 * The multiplier of the limit on realised gains is doubled at most this many times. If the limit is then still
 * exceeded, the limit counts as impossible to satisfy.
 */
const GAIN_DOUBLINGS_MAX = 16;
/** Changes of weights and of cost slopes up to this size end the iteration. */
const SETTLED = 1e-8;
/** Relative tolerance of the multiplier of the limit on realised gains. */
const PRICE_SETTLED = 1e-10;
/**
 * Tolerance of the limit on realised gains, as a share of the portfolio value. The search ends at a gain
 * within this tolerance.
 */
const GAIN_NEAR = 1e-6;
const TRADE_MIN = 1e-9;

export type TradingTerms = {
  model: CostModel;
  /** Weight of the costs in the objective. The next member is the weight of the tax. */
  costAversion: number;
  taxAversion: number;
  /** Maximum two-way turnover of the assets, as a share of the portfolio value. */
  turnoverMax: number | undefined;
  /**
   * Returns the lots of each asset in the order of sale, for a multiplier of the limit on realised gains.
   */
  stretchesAt: (gainPrice: number) => LotStretch[][];
  /** Maximum realised gain of the assets, as a share of the portfolio value. */
  gainMax: number | undefined;
};

export type CostedVerdict =
  | Exclude<AllocationVerdict, { ok: true }>
  | { ok: false; reason: 'gain_infeasible'; smallest: number }
  | (Extract<AllocationVerdict, { ok: true }> & {
      stretches: LotStretch[][];
      /** The approximations that were used to find the weights. */
      heuristics: ('loss_lots' | 'realised_gain' | 'impact')[];
    });

/**
 * Chooses weights with costs and taxes in the objective. The tax of each lot is linear in the sold quantity,
 * and the lots with the smallest tax are sold first. Three effects need iteration:
 *
 * - The slope of a square-root impact must be the slope at the trade itself. A damped fixed-point iteration
 *   of at most 40 steps finds this slope (`impact` if it does not converge).
 * - The tax saving of a loss can exceed the costs of selling and buying at once, so that the costs are not
 *   convex. A first solution counts only a part of the saving, so that the costs are convex. In a second
 *   solution, each asset with such a loss can only be traded in the direction of the first solution, and the
 *   whole saving is counted (`loss_lots`).
 * - A limit on realised gains is replaced by a cost per unit of realised gain, its multiplier, which
 *   bisection finds (`realised_gain`).
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
  /** The slopes of the costs in the first allocation. */
  start: Float64Array;
};

/**
 * Allocates with linear costs, first with the slopes `start`. Then repeats the allocation with adjusted slopes, until
 * the slopes equal those of the cost model at the resulting trades. After `IMPACT_STEPS_MAX` repetitions it stops, and
 * `isSettled` is false. Without impact costs, it allocates only once.
 */
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
      // If the change alternates in sign, the next steps are shortened.
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

/**
 * Restricts the marked assets to one direction of trading: the direction in which `weights` differ from the
 * weights before.
 */
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

/**
 * Returns the gain that is realised by the trades from one set of weights to another, as a share of the
 * portfolio value.
 */
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

/**
 * Returns the realised gain if all lots with a loss and no other lots are sold, as a share of the portfolio
 * value.
 */
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
