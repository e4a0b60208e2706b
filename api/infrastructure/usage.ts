import Type from 'typebox';
import { invalid } from '#lib/core/problem.ts';
import { Closed, Decimal, InstantOf, Nullable, Sha256Of } from '#lib/core/schema.ts';
import {
  BUCKETS_MAX,
  bucketsOf,
  granularities,
  meterKeys,
  meters,
  floorMeters,
  floorOf,
  nextOf,
} from '#lib/infrastructure/usage/meters.ts';
import { readUsage } from '#lib/infrastructure/usage/usage.query.ts';
import { defineOperation } from '../services.ts';

const Bucket = Closed(
  {
    from: InstantOf('The start of the bucket, inclusive.'),
    to: InstantOf('The end of the bucket, exclusive.'),
    value: Nullable(
      Decimal('Usage.', '12.5'),
      'The usage; null if it is not measured, or has several currencies. Null is never zero.',
    ),
    source: Nullable(
      Closed({
        table: Type.String({ description: 'The records that are counted.', examples: ['run'] }),
        records: Type.Integer({ minimum: 0, description: 'The number of records.', examples: [3] }),
        hash: Sha256Of('SHA-256 of the uids and values of the records, in order of uid.'),
      }),
      'The records behind the value; null if it is not measured.',
    ),
    closed: Type.Boolean({
      description:
        'Whether the usage is stored and never changes. A day closes 48 hours after its end; a month is closed with its days.',
    }),
  },
  { title: 'UsageBucket', description: 'The usage of one hour, day or month (UTC).' },
);

const Usage = Closed(
  {
    meter: Type.Enum(meterKeys, { description: 'The meter.' }),
    unit: Type.String({ description: 'The unit of the values.', examples: ['s'] }),
    aggregation: Type.Enum(['sum', 'last'], {
      description: 'How values are combined. `last`: the total at the end of each bucket.',
    }),
    dimensions: Closed(
      {
        currency: Type.Optional(
          Type.String({
            pattern: '^[A-Z]{3}$',
            description: 'The currency of a meter in money, if all values have the same currency.',
            examples: ['EUR'],
          }),
        ),
      },
      { description: 'The dimensions of the values.' },
    ),
    buckets: Type.Array(Bucket, { maxItems: BUCKETS_MAX, description: 'The buckets in order of time.' }),
    limit: Type.Null({ description: 'No meter has a limit.' }),
    remaining: Type.Null({ description: 'No meter has a limit.' }),
    events: Type.Integer({ minimum: 0, description: 'The number of counted records.' }),
    duplicates_dropped: Type.Integer({
      minimum: 0,
      description: 'Always 0: a record counts once, by its uid.',
    }),
    conflicts: Type.Integer({ minimum: 0, description: 'Always 0: a record has one value.' }),
    late_events: Type.Integer({
      minimum: 0,
      description:
        'The number of records of closed buckets that came after the bucket had closed. They are not in the values.',
    }),
    is_floor: Type.Boolean({
      description: 'Whether the real usage may be higher, because records lack a value.',
    }),
  },
  { title: 'Usage', description: 'The usage of a meter by bucket.' },
);

export const getUsage = defineOperation({
  key: 'infrastructure.usage.get',
  product: 'Infrastructure',
  method: 'GET',
  path: '/infrastructure/usage',
  scope: 'infrastructure:read',
  summary: 'Returns the usage of a meter by hour, day or month.',
  description:
    'A meter is a view of stored records, so the same records give the same values. `assay usage reconcile` recounts ' +
    'the values. A bucket that ended before the measurement of its meter began has a null value. The usage of a day is stored 48 hours after its end and ' +
    'never changes; records that come later are counted in `late_events`. Calls of AI providers whose tokens or costs ' +
    'are unknown are not counted. `data.rows_read` counts rows of datasets whose entitlement has a row limit. ' +
    '`api.requests` counts requests of identified callers within their rate limits, and `compute.cpu_seconds` the ' +
    'processor time of the threads that compute runs; both appear after a few seconds. `storage.bytes` is measured ' +
    'once a day. Both meters of requests and processor time have a null value by hour for days that ended 40 days ago.',
  query: Closed({
    meter: Type.Optional(Type.Enum(meterKeys, { default: 'compute.run_seconds', description: 'The meter.' })),
    from: Type.Optional(
      InstantOf(
        'The start of the period, which must be the start of a bucket. Default: the start of this month.',
      ),
    ),
    to: Type.Optional(
      InstantOf(
        'The end of the period, exclusive, which must be the end of a bucket. Default: the end of the current bucket.',
      ),
    ),
    granularity: Type.Optional(
      Type.Enum([...granularities], { default: 'day', description: 'The length of a bucket (UTC).' }),
    ),
  }),
  success: { status: 200, description: 'The usage.', schema: Usage },
  problems: [],
  async handle({ services, query }) {
    const { meter = 'compute.run_seconds', granularity = 'day' } = query;
    const now = services.clock.now();
    const from = query.from === undefined ? floorOf(now, 'month') : new Date(query.from);
    const to = query.to === undefined ? nextOf(floorOf(now, granularity), granularity) : new Date(query.to);
    const divided = bucketsOf(from, to, granularity);
    if (!divided.ok) {
      const { pointer, code, message } = divided;
      throw invalid([{ pointer, in: 'query', code, message }]);
    }
    const buckets = await services.query(readUsage, meter, divided.buckets);
    const { unit, aggregation } = meters[meter];
    const currencies = [...new Set(buckets.flatMap(({ currency }) => currency ?? []))];
    const body = {
      meter,
      unit,
      aggregation,
      dimensions: currencies.length === 1 ? { currency: currencies[0]! } : {},
      buckets: buckets.map(({ from, to, value, source, isClosed }) => ({
        from: from.toISOString(),
        to: to.toISOString(),
        value,
        source,
        closed: isClosed,
      })),
      limit: null,
      remaining: null,
      events: buckets.reduce((sum, { source }) => sum + (source?.records ?? 0), 0),
      duplicates_dropped: 0,
      conflicts: 0,
      late_events: buckets.reduce((sum, { late }) => sum + late, 0),
      is_floor: floorMeters.includes(meter),
    };
    return { status: 200, body };
  },
});
