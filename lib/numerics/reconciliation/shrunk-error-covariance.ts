import { Matrix } from 'ml-matrix';

/** The shrunk covariance, and the weight of its diagonal in it: 0 keeps the sample covariance, 1 keeps the diagonal alone. */
export type ShrunkCovariance = { covariance: Matrix; shrinkage: number };

/**
 * Returns the covariance of forecast errors (rows are cases, columns are series), shrunk towards its diagonal. The
 * errors are not centred, because a biased forecast is an inaccurate one. The weight of the diagonal is estimated from
 * the variance of the correlations. With a single case, the diagonal has the weight 1. A series without errors has a
 * variance of 0. Throws a `RangeError` if there is no case.
 *
 * Source: Schäfer and Strimmer, "A shrinkage approach to large-scale covariance matrix estimation" (2005), as applied
 * by Wickramasuriya, Athanasopoulos and Hyndman, "Optimal forecast reconciliation for hierarchical and grouped time
 * series through trace minimization" (2019), section 2.4.
 */
export function shrunkErrorCovariance(errors: Matrix): ShrunkCovariance {
  const { rows: cases, columns: series } = errors;
  if (cases < 1) throw new RangeError('a covariance needs at least one case');
  const covariance = errors.transpose().mmul(errors).div(cases);
  const deviations = covariance.diagonal().map(Math.sqrt);
  const shrinkage = cases > 1 ? diagonalWeight(errors, deviations) : 1;
  for (let row = 0; row < series; row += 1)
    for (let column = 0; column < series; column += 1)
      if (row !== column) covariance.set(row, column, (1 - shrinkage) * covariance.get(row, column));
  return { covariance, shrinkage };
}

/** The sum of the variances of all correlations over the sum of their squares, from 0 to 1. */
function diagonalWeight(errors: Matrix, deviations: readonly number[]): number {
  const { rows: cases, columns: series } = errors;
  const scaled = Array.from({ length: series }, (_, column) => {
    const deviation = deviations[column]!;
    return Float64Array.from({ length: cases }, (_, row) =>
      deviation > 0 ? errors.get(row, column) / deviation : 0,
    );
  });
  let [variances, squares] = [0, 0];
  for (let one = 0; one < series; one += 1) {
    for (let other = 0; other < one; other += 1) {
      let [products, squaredProducts] = [0, 0];
      for (let at = 0; at < cases; at += 1) {
        const product = scaled[one]![at]! * scaled[other]![at]!;
        products += product;
        squaredProducts += product * product;
      }
      const correlation = products / cases;
      variances += (squaredProducts - (products * products) / cases) / (cases * (cases - 1));
      squares += correlation * correlation;
    }
  }
  if (squares === 0) return 1;
  return Math.min(1, Math.max(0, variances / squares));
}
