import Type from 'typebox';
import { daysBefore } from '#lib/core/date.ts';
import { Closed, Instant } from '#lib/core/schema.ts';
import { findSeries } from '#lib/data/instrument-series.query.ts';
import { latestFundamentals } from '#lib/data/latest-fundamentals.query.ts';
import { ageDays, Block, defineBlock, latestOf } from './block.ts';
import { Day, Decimal, Text } from './wire.ts';

/** Maximum age of the newest value of a metric in days: a year, plus the time until the next report. */
const AGE_DAYS_MAX = 550;
const METRICS_MAX = 200;

const schema = Block(
  {
    metrics: Type.Array(
      Closed(
        {
          metric: Text(64, 'The reported metric.', 'ebitda'),
          period_end: Day('The end of the reporting period, or the day of the report.'),
          value: Decimal('The value, exactly as imported.', '1416000000'),
          known_at: Instant,
        },
        { title: 'CompanyFundamental', description: 'The latest known value of a metric.' },
      ),
      { minItems: 1, maxItems: METRICS_MAX, description: 'The metrics, by name.' },
    ),
  },
  {
    title: 'CompanyFundamentals',
    description: `The latest known value of each metric, unless its period ended more than ${AGE_DAYS_MAX} days ago.`,
    since: 'the newest `period_end`',
  },
);

/** The latest known value of each reported metric. */
export const fundamentals = defineBlock({
  scope: 'data:fundamentals:read',
  kind: 'fundamentals',
  schema,
  async read(em, company) {
    const { subject, day } = company;
    const series = await findSeries(em, subject, { kind: 'fundamentals', asOf: day });
    if (!series) return 'never_observed';
    const from = daysBefore(day, AGE_DAYS_MAX);
    const rows = await latestFundamentals(em, series, { asOf: day, from, limit: METRICS_MAX });
    if (rows.length === 0) return 'stale';
    return {
      dataset: series.datasetUid,
      known_at: latestOf(rows.map(({ knownAt }) => knownAt)),
      age_days: ageDays(company, latestOf(rows.map(({ observedOn }) => observedOn))),
      metrics: rows.map(({ metric, observedOn, value, knownAt }) => ({
        metric,
        period_end: observedOn,
        value,
        known_at: knownAt,
      })),
    };
  },
});
