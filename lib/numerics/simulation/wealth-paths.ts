/** The amounts that enter and leave a portfolio, in one unit of money. */
export type WealthPlan = {
  /** Wealth before the first month. */
  initial: number;
  /** Amount paid in (above 0) or withdrawn (below 0) at the start of each month. */
  flows: Float64Array;
  /**
   * Withdrawals at the start of each month per unit of the withdrawal that the caller solves for; null if the caller
   * solves for no withdrawal.
   */
  units: Float64Array | null;
  /**
   * For each month, the column of `WealthChunk.wealth` that records the wealth at the end of the month; -1 if the
   * wealth is not recorded.
   */
  slots: Int32Array;
};

/** Figures of the paths of a chunk; `wealth` has one column of `capacity` paths per recorded month. */
export type WealthChunk = {
  capacity: number;
  wealth: Float64Array;
  /** Month of ruin, from 1; 0 without ruin. */
  ruin: Int32Array;
  /** Withdrawals that were not paid. */
  unpaid: Float64Array;
  /** Depth of the deepest drawdown of the growth, from 0 to 1. */
  drawdown: Float64Array;
  /**
   * Largest number of consecutive months (`longest`) and number of all months (`below`) in which the
   * cumulative growth is below an earlier level.
   */
  longest: Int32Array;
  below: Int32Array;
  /** The largest amount of `WealthPlan.units` that the path can pay in every month; 0 if it can pay none. */
  affordable: Float64Array;
};

/** Creates the memory of a chunk of paths with this number of recorded months. */
export function wealthChunk(capacity: number, recorded: number): WealthChunk {
  return {
    capacity,
    wealth: new Float64Array(capacity * recorded),
    ruin: new Int32Array(capacity),
    unpaid: new Float64Array(capacity),
    drawdown: new Float64Array(capacity),
    longest: new Int32Array(capacity),
    below: new Int32Array(capacity),
    affordable: new Float64Array(capacity),
  };
}

/**
 * Computes the wealth of consecutive paths from the growth of the portfolio in each month, and writes their figures to
 * a chunk from index `from` on.
 *
 * Shapes: `growth` is paths-by-horizon, path by path: factors of at least 0. At the start of a month the flow is added,
 * then wealth is multiplied by the growth. A path is ruined if wealth cannot pay a withdrawal in full, or if the growth
 * is 0; its wealth stays 0, and later payments into the portfolio are not credited. Never throws. Drawdowns and months
 * below an earlier level are computed from the growth of the portfolio, so flows do not change them.
 */
export function walkWealth(chunk: WealthChunk, growth: Float64Array, plan: WealthPlan, from: number): void {
  const { flows, slots, initial } = plan;
  const horizon = flows.length;
  const { capacity, wealth } = chunk;
  const paths = growth.length / horizon;
  const due = withdrawalsFrom(flows);
  for (let path = 0; path < paths; path += 1) {
    const place = from + path;
    let [value, ruin, unpaid] = [initial, 0, 0];
    let [level, peak, lowest] = [1, 1, 1];
    let [spell, longest, below] = [0, 0, 0];
    for (let t = 0; t < horizon; t += 1) {
      const factor = growth[path * horizon + t]!;
      if (ruin === 0) {
        value += flows[t]!;
        if (value < 0 || factor === 0) {
          ruin = t + 1;
          unpaid = due[t + 1]! + Math.max(0, -value);
          value = 0;
        } else value *= factor;
      }
      level *= factor;
      if (level >= peak) {
        peak = level;
        spell = 0;
      } else {
        below += 1;
        spell += 1;
        if (spell > longest) longest = spell;
        if (level < lowest * peak) lowest = level / peak;
      }
      const slot = slots[t]!;
      if (slot >= 0) wealth[slot * capacity + place] = value;
    }
    chunk.ruin[place] = ruin;
    chunk.unpaid[place] = unpaid;
    chunk.drawdown[place] = 1 - lowest;
    chunk.longest[place] = longest;
    chunk.below[place] = below;
  }
  if (plan.units) fillAffordable(chunk, growth, { initial, flows, units: plan.units }, from);
}

/** Returns the sum of the withdrawals from each month on; the last element, after the last month, is 0. */
function withdrawalsFrom(flows: Float64Array): Float64Array {
  const due = new Float64Array(flows.length + 1);
  for (let t = flows.length - 1; t >= 0; t -= 1) due[t] = due[t + 1]! + Math.max(0, -flows[t]!);
  return due;
}

/**
 * Computes the largest amount that each path can pay. Wealth is linear in the amount w: after the withdrawal of month t
 * it is G (a - w b), where G is the growth so far, a is the initial wealth and the flows, b is the withdrawals per
 * unit, and each flow and withdrawal is divided by the growth before it. The largest amount is therefore the smallest a
 * / b. A bisection over the same paths would find the same amount.
 */
function fillAffordable(
  chunk: WealthChunk,
  growth: Float64Array,
  { initial, flows, units }: { initial: number; flows: Float64Array; units: Float64Array },
  from: number,
): void {
  const horizon = flows.length;
  for (let path = 0; path * horizon < growth.length; path += 1) {
    let [level, a, b, most] = [1, initial, 0, Infinity];
    for (let t = 0; t < horizon; t += 1) {
      const flow = flows[t]!;
      const unit = units[t]!;
      if (level === 0) {
        if (unit > 0 || flow < 0) most = 0;
        continue;
      }
      const discount = 1 / level;
      a += flow * discount;
      b += unit * discount;
      if (a < 0) most = 0;
      else if (unit > 0 || (flow < 0 && b > 0)) most = Math.min(most, a / b);
      level *= growth[path * horizon + t]!;
    }
    chunk.affordable[from + path] = most;
  }
}
