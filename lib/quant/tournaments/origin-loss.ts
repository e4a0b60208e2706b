import { seasonalNaiveScale } from '#lib/forecasting/engine/error-metrics.ts';
import type { Forecast } from '#lib/forecasting/methods/method.ts';
import { intervalLoss, normalCrps, pinballLoss } from '#lib/numerics/comparison/forecast-losses.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { FailureReason } from './outcome-codes.ts';
import type { SeriesOrigin } from './series-origins.ts';
import type { TournamentInput } from './tournament-input.schema.ts';

/** Largest loss, so that sums of squares of losses are finite. */
const LOSS_MAX = 1e150;

/** Computes the loss of a period from the actual value, the forecast point and the standard error of the forecast. */
type PeriodLoss = (actual: number, point: number, error: number) => number;

/**
 * Returns the loss of a forecast at an origin, 0 or more, or the reason why there is no loss. A quantile and an
 * interval are those of a normal distribution around the point.
 */
export function originLoss(
  forecast: Forecast,
  { known, actual }: SeriesOrigin,
  options: Pick<TournamentInput, 'loss' | 'horizons'>,
): number | FailureReason {
  const scale = options.loss === 'scaled' ? seasonalNaiveScale(known.values, known.period) : 1;
  return forecastLoss(forecast, { actual, scale }, options);
}

/** Works like `originLoss`. The loss `scaled` is divided by `scale`. */
export function forecastLoss(
  { point, standardErrors }: Forecast,
  { actual, scale }: { actual: ArrayLike<number>; scale: number },
  { loss, horizons }: Pick<TournamentInput, 'loss' | 'horizons'>,
): number | FailureReason {
  if (needsSpread(loss) && !standardErrors) return 'no_spread';
  const lossOf = periodLoss(loss);
  let total = 0;
  const from = horizons === 'last' ? actual.length - 1 : 0;
  for (let step = from; step < actual.length; step += 1)
    total += lossOf(actual[step]!, point[step]!, standardErrors?.[step] ?? 0);
  const mean = total / (actual.length - from);
  const scaled = loss === 'scaled' ? mean / scale : mean;
  return scaled <= LOSS_MAX ? scaled : 'not_finite';
}

/** Whether a loss needs the standard errors of forecasts. */
export function needsSpread(loss: TournamentInput['loss']): boolean {
  return typeof loss === 'object' || loss === 'crps';
}

function periodLoss(loss: TournamentInput['loss']): PeriodLoss {
  if (loss === 'squared') return (actual, point) => (actual - point) * (actual - point);
  if (loss === 'crps') return (actual, mean, deviation) => normalCrps(actual, { mean, deviation });
  if (typeof loss === 'string') return (actual, point) => Math.abs(actual - point);
  if ('pinball' in loss) {
    const { p } = loss.pinball;
    const z = normalQuantile(p);
    return (actual, point, error) => pinballLoss(actual, point + z * error, p);
  }
  const { level } = loss.interval;
  const z = normalQuantile((1 + level) / 2);
  return (actual, point, error) =>
    intervalLoss(actual, { lower: point - z * error, upper: point + z * error, level });
}
