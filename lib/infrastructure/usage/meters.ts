import { instantAt } from '#lib/core/date.ts';

/** The meters of usage, each with the table of the records that it is a view of. */
export const meters = {
  'compute.run_seconds': { unit: 's', aggregation: 'sum', source: 'run' },
  'workflow.steps': { unit: 'steps', aggregation: 'sum', source: 'workflow_step' },
  'ai.tokens': { unit: 'tokens', aggregation: 'sum', source: 'ai_call' },
  'exports.count': { unit: 'exports', aggregation: 'sum', source: 'lineage_export' },
  'storage.rows': { unit: 'rows', aggregation: 'last', source: 'dataset_import' },
  'data.rows_read': { unit: 'rows', aggregation: 'sum', source: 'data_use' },
  'ai.cost_micro': { unit: 'micro', aggregation: 'sum', source: 'ai_call' },
  'qlm.answers': { unit: 'answers', aggregation: 'sum', source: 'qlm_answer' },
  'api.requests': { unit: 'requests', aggregation: 'sum', source: 'usage_count' },
  'compute.cpu_seconds': { unit: 's', aggregation: 'sum', source: 'usage_count' },
  'storage.bytes': { unit: 'bytes', aggregation: 'last', source: 'storage_measurement' },
} as const;

/** The meters whose real usage may be higher than the measured usage, because records are missing or lack a value. */
export const floorMeters: readonly string[] = [
  'ai.tokens',
  'ai.cost_micro',
  'data.rows_read',
  'api.requests',
  'compute.cpu_seconds',
];

export type Meter = keyof typeof meters;
export const meterKeys = Object.keys(meters) as Meter[];

/** Whether a bucket ended before the measurement of its meter began. Null: the measurement has not begun. */
export function isUnmeasured({ to }: Bucket, measuredFrom: Date | null): boolean {
  return measuredFrom === null || to <= measuredFrom;
}

export const granularities = ['hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/** The largest number of buckets in an answer. */
export const BUCKETS_MAX = 400;

export type Bucket = { from: Date; to: Date };

export type BucketsVerdict =
  | { ok: true; buckets: Bucket[] }
  | { ok: false; pointer: '/from' | '/to'; code: 'edge' | 'order' | 'too_many'; message: string };

/**
 * Divides a half-open period into hours, days or months (UTC). Both ends must be the start of an hour, day or month, by
 * the granularity, and the period must have 1 to `BUCKETS_MAX` buckets.
 */
export function bucketsOf(from: Date, to: Date, granularity: Granularity): BucketsVerdict {
  const onEdge = (instant: Date) => floorOf(instant, granularity).getTime() === instant.getTime();
  const edge = `must be the start of ${granularity === 'hour' ? 'an' : 'a'} ${granularity} (UTC)`;
  if (!onEdge(from)) return { ok: false, pointer: '/from', code: 'edge', message: edge };
  if (!onEdge(to)) return { ok: false, pointer: '/to', code: 'edge', message: edge };
  if (from >= to) return { ok: false, pointer: '/to', code: 'order', message: 'must be after `from`' };
  const buckets: Bucket[] = [];
  for (let start = from; start < to; start = nextOf(start, granularity)) {
    if (buckets.length === BUCKETS_MAX) {
      const message = `must give at most ${BUCKETS_MAX} buckets`;
      return { ok: false, pointer: '/to', code: 'too_many', message };
    }
    buckets.push({ from: start, to: nextOf(start, granularity) });
  }
  return { ok: true, buckets };
}

/** Returns the start of the hour, day or month (UTC) of an instant. */
export function floorOf(instant: Date, granularity: Granularity): Date {
  const [year, month, day, hour] = [
    instant.getUTCFullYear(),
    instant.getUTCMonth(),
    granularity === 'month' ? 1 : instant.getUTCDate(),
    granularity === 'hour' ? instant.getUTCHours() : 0,
  ];
  return instantAt(Date.UTC(year, month, day, hour));
}

/** Returns the start of the next hour, day or month (UTC), from the start of the current one. */
export function nextOf(start: Date, granularity: Granularity): Date {
  if (granularity === 'month') return instantAt(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return instantAt(start.getTime() + (granularity === 'hour' ? 3_600_000 : 86_400_000));
}
