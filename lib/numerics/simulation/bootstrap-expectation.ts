import type { BootstrapPlan } from '../bootstrap/bootstrap-rows.ts';

/**
 * Returns the expectation of the product of the growth factors that a bootstrap draws, which is the expected terminal
 * wealth of one unit without flows. With squared factors, it is the second moment of the terminal wealth.
 *
 * Shapes: `growth` has one factor per row of the history; `plan` as in `bootstrapRows`. Errors: `RangeError` if the
 * number of factors is not `plan.rows`. Source: independent blocks have independent products, so the expectation is a
 * product with one factor for each block: the mean over all first rows of the block. For blocks of geometric length,
 * the expectation for each current row is computed backwards in time.
 *
 * @example
 * // Independent draws of 1.1 and 0.9 over 12 months have the expectation 1.
 */
export function bootstrapExpectation(growth: Float64Array, plan: BootstrapPlan): number {
  if (growth.length !== plan.rows)
    throw new RangeError(`expected ${plan.rows} factors, got ${growth.length}`);
  if (plan.method === 'stationary') return ofStationary(growth, plan);
  const block = plan.method === 'independent' ? 1 : plan.block;
  const whole = ofBlock(growth, Math.min(block, plan.horizon));
  let expectation = 1;
  for (let left = plan.horizon; left > 0; left -= block)
    expectation *= left >= block ? whole : ofBlock(growth, left);
  return expectation;
}

/** Returns the mean, over all first rows, of the product of the factors of a block of this length. */
function ofBlock(growth: Float64Array, length: number): number {
  const rows = growth.length;
  let total = 0;
  for (let first = 0; first < rows; first += 1) {
    let product = 1;
    for (let step = 0; step < length; step += 1) product *= growth[(first + step) % rows]!;
    total += product;
  }
  return total / rows;
}

function ofStationary(growth: Float64Array, { block, horizon }: BootstrapPlan): number {
  const rows = growth.length;
  const starts = 1 / block;
  let later = new Float64Array(rows).fill(1);
  for (let left = horizon; left > 1; left -= 1) {
    const fresh = meanProduct(growth, later);
    const before = new Float64Array(rows);
    for (let row = 0; row < rows; row += 1) {
      const next = row + 1 === rows ? 0 : row + 1;
      before[row] = starts * fresh + (1 - starts) * (growth[next]! * later[next]!);
    }
    later = before;
  }
  return meanProduct(growth, later);
}

function meanProduct(growth: Float64Array, later: Float64Array): number {
  let total = 0;
  for (let row = 0; row < growth.length; row += 1) total += growth[row]! * later[row]!;
  return total / growth.length;
}
