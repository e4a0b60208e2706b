import type { Em } from '#lib/database/base.ts';
import { findMetric } from '#lib/data/metric-values.query.ts';
import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { readSeries } from '#lib/forecasting/forecast-output.ts';
import { VALUE_MAX } from '#lib/forecasting/engine/limits.ts';
import { metricValues } from '#lib/forecasting/series/metric-series.query.ts';
import { columnOf, type Series } from '#lib/models/prediction/series.ts';
import { readAnyCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import type { TournamentInput } from './tournament-input.schema.ts';
import type { LeftOutReason, Predictions, SeriesFacts, TournamentData } from './tournament-series.ts';

/** The members of an input that determine the data. */
type DataQuestion = Pick<TournamentInput, 'metrics' | 'dataset' | 'frequency' | 'as_of' | 'entries'>;
type Revisions = Readonly<Record<string, number>>;

/** Reads the data that the entries of a tournament see, and the values that they predict. */
export async function tournamentData(
  em: Em,
  input: DataQuestion,
  revisions: Revisions,
): Promise<TournamentData> {
  const read = input.dataset
    ? await datasetRows(em, input.dataset)
    : await metricSeries(em, input, revisions);
  const predictions: Record<string, Predictions> = {};
  const checkpoints: Record<string, PredictionCheckpoint> = {};
  for (const { name, kind, dataset, version } of input.entries) {
    if (kind === 'predictions') {
      const { days, values: pairs } = await valuesByDay(em, dataset!, ['prediction', 'known_at']);
      predictions[name] = { days, pairs };
    }
    if (!version?.checkpoint) continue;
    const checkpoint = await readAnyCheckpoint(em, version.checkpoint.training_uid);
    if (!('parameters' in checkpoint) || canonicalHash(checkpoint) !== version.checkpoint.checkpoint_hash)
      throw new Error('the checkpoint differs from the checkpoint of the version');
    checkpoints[name] = checkpoint;
  }
  return { ...read, predictions, checkpoints };
}

type Read = Pick<TournamentData, 'series' | 'values' | 'rows'>;

async function datasetRows(
  em: Em,
  { id, revision, target, columns }: NonNullable<TournamentInput['dataset']>,
): Promise<Read> {
  const rows: Series = { factors: columns, ...(await valuesByDay(em, { id, revision }, columns)) };
  const values = columnOf(rows, target);
  const facts: SeriesFacts = {
    ...unread,
    metric: target,
    company: null,
    start: 0,
    count: values.length,
    reason: null,
  };
  return { series: [facts], values, rows };
}

/** Reads, for each metric, the newest values that were known when the run was submitted. */
async function metricSeries(
  em: Em,
  { metrics, frequency, as_of: at }: DataQuestion,
  revisions: Revisions,
): Promise<Read> {
  const series: SeriesFacts[] = [];
  const all: Float64Array[] = [];
  let start = 0;
  for (const { metric: name, company_id: company } of metrics) {
    const metric = await findMetric(em, name);
    if (!metric) throw new Error(`the metric ${name} no longer exists`);
    const answer = await metricValues(em, {
      metric,
      company,
      frequency: frequency ?? undefined,
      knowledge: { at, revisions },
    });
    const facts = { metric: name, company, start, count: 0, reason: null };
    if (!answer.ok) {
      series.push({ ...facts, ...unread, reason: answer.code });
      continue;
    }
    const { grid } = readSeries(answer.values);
    const values = Float64Array.from(grid.values, (value) => value ?? Number.NaN);
    const isBad = grid.values.some((value) => value !== null && !(Math.abs(value) <= VALUE_MAX));
    const reason: LeftOutReason | null = isBad ? 'not_finite' : null;
    const { unit, currency } = answer.values;
    const { frequency: found, first } = grid;
    series.push({ ...facts, frequency: found, unit, currency, first, count: values.length, reason });
    all.push(values);
    start += values.length;
  }
  return { series, values: joined(all, start), rows: null };
}

/** Facts of a series without periods: a series that could not be read, or the target of a dataset. */
const unread = { frequency: 'yearly', unit: null, currency: null, first: '1970-12-31' } as const;

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const values = new Float64Array(length);
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  return values;
}
