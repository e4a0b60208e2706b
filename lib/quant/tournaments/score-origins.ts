import type { Control, Part } from '#lib/core/run.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import { methodForecaster, type Forecaster } from './entry-forecast.ts';
import { failureReasons, type FailureReason } from './outcome-codes.ts';
import {
  checkpointForecaster,
  fittedForecaster,
  meanForecaster,
  readForecaster,
} from './model-forecaster.ts';
import { originLoss } from './origin-loss.ts';
import { seriesOrigins, type SeriesOrigin } from './series-origins.ts';
import type { ResolvedEntry, TournamentInput } from './tournament-input.schema.ts';
import type { SeriesFacts, TournamentData } from './tournament-series.ts';

/** Represents an origin that a series does not have. */
const NO_ORIGIN = -100;
/** Represents an origin for which a dataset has no prediction. */
const NO_PREDICTION = -50;

/**
 * Returns the losses of the origins of a part, origin by origin, one for each entry. Losses are 0 or more; a negative
 * number represents a failure, or an origin that the series does not have (`readLoss`).
 *
 * A form that was chosen before the part began is chosen again, so that no loss depends on the division.
 */
export function scoreOrigins(
  input: TournamentInput,
  data: TournamentData,
  { part, entries, control }: { part: Part; entries: readonly ResolvedEntry[]; control: Control },
): Float64Array {
  const numbers = new Float64Array(part.count * entries.length).fill(NO_ORIGIN);
  let scored: SeriesScorer | null = null;
  let current = -1;
  for (let at = 0; at < part.count; at += 1) {
    if (control.cancelled()) throw new Error('cancelled');
    const series = Math.floor((part.first + at) / input.most);
    if (series !== current) scored = seriesScorer(input, data, { entries, facts: data.series[series]! });
    current = series;
    scored!((part.first + at) % input.most, numbers.subarray(at * entries.length));
    control.progress((at + 1) / part.count);
  }
  return numbers;
}

type SeriesScorer = (place: number, out: Float64Array) => void;

function seriesScorer(
  input: TournamentInput,
  data: TournamentData,
  { entries, facts }: { entries: readonly ResolvedEntry[]; facts: SeriesFacts },
): SeriesScorer {
  const origins = seriesOrigins(input, data, facts);
  const forecasters = entries.map((entry) =>
    forecasterOf(entry, { frequency: facts.frequency, horizon: input.horizon }, data),
  );
  let chosenAt = -1;
  return (place, out) => {
    const origin = origins[place];
    if (!origin) return;
    const choice = place - (place % input.refit_every);
    if (choice !== chosenAt) for (const each of forecasters) each.choose(origins[choice]!.known);
    chosenAt = choice;
    for (const [entry, forecaster] of forecasters.entries())
      out[entry] = codeOf(lossAt(forecaster, origin, input), entries[entry]!);
  };
}

function lossAt(forecaster: Forecaster, origin: SeriesOrigin, input: TournamentInput) {
  const forecast = forecaster.forecast(origin.known);
  return forecast ? originLoss(forecast, origin, input) : 'not_applicable';
}

/** Returns the forecaster of an entry for one series. */
export function forecasterOf(
  entry: ResolvedEntry,
  { frequency, horizon }: { frequency: PeriodFrequency; horizon: number },
  { predictions, checkpoints }: TournamentData,
): Forecaster {
  if (entry.kind === 'mean') return meanForecaster(horizon);
  if (entry.kind === 'predictions') return readForecaster(predictions[entry.name]!, horizon);
  const checkpoint = checkpoints[entry.name];
  if (checkpoint) return checkpointForecaster(checkpoint, horizon);
  if (entry.prediction) return fittedForecaster(entry, horizon);
  return methodForecaster(entry, { frequency, horizon });
}

function codeOf(loss: number | FailureReason, { kind }: ResolvedEntry): number {
  if (typeof loss === 'number') return loss;
  // A missing prediction is NaN. It only reduces the number of common origins.
  return kind === 'predictions' && loss === 'not_finite' ? NO_PREDICTION : -1 - failureReasons.indexOf(loss);
}

/**
 * Returns the loss, or the reason of a failure, that a number represents; null if there is no prediction, and undefined
 * if there is no such origin.
 */
export function readLoss(number: number): number | FailureReason | null | undefined {
  if (number >= 0) return number;
  if (number === NO_PREDICTION) return null;
  return number === NO_ORIGIN ? undefined : failureReasons[-1 - number];
}
