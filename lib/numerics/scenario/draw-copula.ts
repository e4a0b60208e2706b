import { evenStudent } from '../distributions/even-student.ts';
import { studentTail } from '../distributions/student-t.ts';
import { weightedQuantile, type WeightedValues } from '../weighted-quantile.ts';
import { drawScenarios, type ScenarioLaw, type ScenarioPart } from './draw-scenarios.ts';

/**
 * Draws samples from a copula: the dependence of the factors follows a Student t distribution, and each
 * factor has its own marginal distribution. Each t variate is replaced by the quantile of the factor's margin
 * at the probability of the t variate.
 *
 * Shapes: `margins` has one entry per factor. The distribution must have degrees of freedom and no set
 * factor. The t variates are drawn as in `drawScenarios`, so no number depends on how the samples are divided
 * among calls.
 * Errors: `RangeError` on another distribution; errors of the streams.
 * Source: Demarta and McNeil, "The t Copula and Related Copulas" (2005).
 */
export function drawCopula(
  law: ScenarioLaw,
  margins: readonly WeightedValues[],
  part: ScenarioPart,
): Float64Array {
  const { lower, degrees } = law;
  const size = margins.length;
  if (degrees === null || law.free.length !== size)
    throw new RangeError('a copula needs a Student t distribution of all factors');
  const out = drawScenarios({ ...law, centre: new Float64Array(size) }, part);
  const scales = Float64Array.from(margins, (_, a) => {
    let squares = 0;
    for (let k = 0; k <= a; k += 1) squares += lower.get(a, k) * lower.get(a, k);
    return Math.sqrt(squares);
  });
  const probability = degrees % 2 === 0 ? evenStudent : oddStudent;
  for (let at = 0; at < out.length; at += 1) {
    const place = at % size;
    out[at] = weightedQuantile(margins[place]!, probability(out[at]! / scales[place]!, degrees));
  }
  return out;
}

function oddStudent(t: number, degrees: number): number {
  return t > 0 ? 1 - studentTail(t, degrees) : studentTail(-t, degrees);
}
