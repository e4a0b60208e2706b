import { dayNumber } from '#lib/core/date.ts';
import { trainingRefusal } from '#lib/models/prediction/series.ts';
import { seriesOrigins } from './series-origins.ts';
import type { ComparedLosses } from './compared-losses.ts';
import type { ObservationKind } from './outcome-codes.ts';
import type { TournamentInput } from './tournament-input.schema.ts';
import { OBSERVATIONS_NEEDED } from './tournament-limits.ts';
import type { SeriesFacts, TournamentData } from './tournament-series.ts';

const words: Record<ObservationKind, string> = {
  origin: 'origins',
  period: 'periods at which every series has an origin',
  series: 'series with origins',
};

/** Returns the refusal of a tournament with too few observations. */
export function tooFew(
  series: readonly Pick<SeriesFacts, 'metric' | 'reason'>[],
  { compared, count }: { compared: ComparedLosses; count: number },
) {
  const unread = series.find(({ reason }) => reason !== null);
  const why = unread ? ` ${unread.metric} is left out: ${unread.reason}.` : '';
  return refused(
    'origins_insufficient',
    `There are ${count} ${words[compared.kind]}, but ${OBSERVATIONS_NEEDED} are needed.${why}`,
    { observed: count, needed: OBSERVATIONS_NEEDED },
  );
}

/** Returns the refusal of data that cannot be compared, or that an entry must not have seen. */
export function badData(input: TournamentInput, data: TournamentData) {
  return incomparable(input, data) ?? badRows(input, data) ?? seenTooMuch(input, data);
}

function badRows({ dataset, horizon }: TournamentInput, { rows }: TournamentData) {
  const bad = rows && trainingRefusal(rows, { target: dataset!.target, horizon });
  if (!bad) return undefined;
  const { observed, needed, detail } = bad;
  return refused('training_data_ineligible', `In the dataset, ${detail}.`, { observed, needed });
}

/**
 * Refuses a prediction that became known after its origin, and a checkpoint that was trained on rows after the first
 * origin.
 */
function seenTooMuch(input: TournamentInput, data: TournamentData) {
  if (Object.keys({ ...data.predictions, ...data.checkpoints }).length === 0) return undefined;
  const origins = data.series.flatMap((facts) => seriesOrigins(input, data, facts));
  const first = origins[0]?.known.day;
  if (first === undefined) return undefined;
  const days = new Set(origins.map(({ known }) => known.day));
  for (const [entry, { days: own, pairs }] of Object.entries(data.predictions)) {
    const at = own.findIndex((day, place) => days.has(day) && !(pairs[2 * place + 1]! <= endOf(day)));
    if (at < 0) continue;
    const detail = `The prediction of ${entry} for the origin ${own[at]} became known after the origin.`;
    return refused('prediction_late', detail, { entry, origin: own[at] });
  }
  for (const [entry, { last_day: last }] of Object.entries(data.checkpoints)) {
    if (last <= first) continue;
    const detail = `${entry} was trained on rows until ${last}, but the first origin is ${first}. Use a model that is refitted at each origin.`;
    return refused('trained_on_outcome', detail, { entry, last_day: last, first_origin: first });
  }
  return undefined;
}

/** Returns the last second of a day in UTC, in seconds since 1970-01-01. */
function endOf(day: string): number {
  return (dayNumber(day) + 1) * 86_400 - 1;
}

/** Returns the refusal of series whose losses cannot be averaged, because they have several units. */
function incomparable({ loss }: TournamentInput, { series }: TournamentData) {
  const units = new Set(
    series.filter(({ reason }) => reason === null).map(({ unit, currency }) => currency ?? unit ?? 'unknown'),
  );
  if (loss === 'scaled' || units.size < 2) return undefined;
  const named = [...units].sort((one, other) => (one < other ? -1 : 1)).slice(0, 10);
  return refused(
    'entries_not_comparable',
    `The series are in several units: ${named.join(', ')}. Use the loss \`scaled\`.`,
    { units: named },
  );
}

function refused<Code extends string>(code: Code, detail: string, members: Record<string, unknown>) {
  return { ok: false as const, refusal: { code, detail, members } };
}
