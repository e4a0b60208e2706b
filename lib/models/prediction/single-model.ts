import { Matrix } from 'ml-matrix';
import { boostedValue, gradientBoosting } from '#lib/numerics/prediction/gradient-boosting.ts';
import { ridge } from '#lib/numerics/prediction/ridge.ts';
import { iterated, vectorAutoregression } from '#lib/numerics/prediction/vector-autoregression.ts';
import type { SingleFit, SingleParameters } from '#lib/models/registry/prediction.schema.ts';
import { columnOf, featuresOf, withColumns, type PredictionTarget, type Series } from './series.ts';

/** Ridge penalties to try if no penalty is given. */
const PENALTIES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** Fits one model to a series; null if the fit is impossible. */
export function fitSingle(series: Series, aim: PredictionTarget, fit: SingleFit): SingleParameters | null {
  const features = fit.family === 'var' ? [...series.factors] : featuresOf(series.factors, aim);
  const read = withColumns(series, features);
  if (fit.family === 'var') return fitVar(read.values, features, fit.lags_max);
  const y = columnOf(series, aim.target).slice(aim.horizon);
  const [n, k] = [y.length, features.length];
  const x = Matrix.from1DArray(n, k, read.values.subarray(0, n * k));
  if (fit.family === 'ridge') {
    const found = ridge(x, y, fit.lambda === null ? PENALTIES : [fit.lambda]);
    return (
      found && {
        family: 'ridge',
        features,
        intercept: found.intercept,
        coefficients: [...found.coefficients],
        lambda: found.lambda,
        leave_one_out_error: found.leaveOneOut,
      }
    );
  }
  const { trees, rate, depth, leaf_rows_min: leafRowsMin, bins } = fit;
  return { family: 'gbt', features, ...gradientBoosting(x, y, { trees, rate, depth, leafRowsMin, bins }) };
}

/** Returns the prediction at each row for the row `horizon` ahead; NaN if there are too few earlier rows. */
export function predictSingle(
  parameters: SingleParameters,
  series: Series,
  aim: PredictionTarget,
): Float64Array {
  const { features } = parameters;
  const [{ values }, k] = [withColumns(series, features), features.length];
  if (parameters.family === 'var') return predictVar(parameters, values, aim);
  const { coefficients, intercept } = parameters.family === 'ridge' ? parameters : none;
  return Float64Array.from(series.days, (_, t) => {
    const row = values.subarray(t * k, (t + 1) * k);
    if (parameters.family === 'gbt') return row.some(Number.isNaN) ? NaN : boostedValue(parameters, row);
    let predicted = intercept;
    for (let j = 0; j < k; j += 1) predicted += coefficients[j]! * row[j]!;
    return predicted;
  });
}

const none = { coefficients: [] as number[], intercept: 0 };

function fitVar(values: Float64Array, features: string[], lagsMax: number): SingleParameters | null {
  const k = features.length;
  const found = vectorAutoregression(Matrix.from1DArray(values.length / k, k, values), lagsMax);
  if (!found) return null;
  return {
    family: 'var',
    features,
    lags: found.lags,
    intercepts: [...found.intercepts],
    matrices: found.matrices.map((matrix) => matrix.to2DArray()),
    covariance: found.covariance.to2DArray(),
  };
}

function predictVar(
  { features, lags, intercepts, matrices, covariance }: Extract<SingleParameters, { family: 'var' }>,
  values: Float64Array,
  { target, horizon }: PredictionTarget,
): Float64Array {
  const [k, at] = [features.length, features.indexOf(target)];
  const model = {
    lags,
    intercepts: Float64Array.from(intercepts),
    matrices: matrices.map((matrix) => new Matrix(matrix)),
    covariance: new Matrix(covariance),
  };
  return Float64Array.from({ length: values.length / k }, (_, t) =>
    t + 1 < lags ? NaN : iterated(model, values.subarray(0, (t + 1) * k), horizon)[at]!,
  );
}
