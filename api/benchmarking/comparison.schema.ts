import Type from 'typebox';
import { COHORT_PATTERN } from '#lib/benchmarking/cohorts.ts';
import { positions } from '#lib/benchmarking/comparison.ts';
import { quantiles } from '#lib/benchmarking/disclosure.ts';
import { metricKeys } from '#lib/benchmarking/metrics.ts';
import { PERIOD_PATTERN } from '#lib/benchmarking/period.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Decimal, InstantOf, ListOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';

export const Metric = Type.Enum([...metricKeys], { description: 'The metric.' });

export const Period = Type.String({
  pattern: PERIOD_PATTERN,
  description: 'The closed calendar month in UTC, YYYY-MM.',
  examples: ['2026-10'],
});

export const Cohort = Type.String({
  pattern: COHORT_PATTERN,
  maxLength: 80,
  description:
    'The cohort: `all`, `service_class:` with a class, `size:` with a size band, or `region:` with a region.',
  examples: ['all'],
});

const Figure = Decimal('The figure, in the unit of the metric.', '0.953');
const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'The currency of the figures.',
  examples: ['EUR'],
});

export const Comparison = Closed(
  {
    uid: Uid(prefixes.benchmarkCell, 'The cell.'),
    metric: Metric,
    unit: Type.Enum(['share', 'hours', 'currency'], {
      description: 'The unit of the figures: a share from 0 to 1, hours, or the major unit of `currency`.',
    }),
    currency: Nullable(Currency, 'The currency of a metric in money. Null for other metrics.'),
    period: Period,
    cohort: Closed(
      {
        key: Cohort,
        definition: Type.String({
          minLength: 1,
          description: 'The definition of the cohort.',
          examples: ['All contributors.'],
        }),
        contributors_at_least: Nullable(
          Type.Integer({ minimum: 5, description: 'The number.', examples: [20] }),
          'The number of contributors, rounded down to 5, 10, 20, 50, 100, and so on. Affiliates count as one. Null if the cell is withheld.',
        ),
        method_version: Type.String({
          minLength: 1,
          description: 'The version of the cohorts and of the disclosure rules.',
          examples: ['svc.benchmark/1'],
        }),
      },
      { description: 'The contributors that the cell describes.' },
    ),
    status: Type.Enum(['contributing', 'not_contributing'], {
      description:
        'Whether the workspace contributed to the metric and month. Otherwise the figures are null.',
    }),
    own: Closed(
      {
        value: Nullable(Figure, 'The figure that the workspace contributed. Null if it did not contribute.'),
        position: Nullable(
          Type.Enum([...positions]),
          'The quarter of the distribution in which the figure lies. Null if a quartile is not published.',
        ),
      },
      { description: 'The figure of the workspace.' },
    ),
    distribution: Nullable(
      Closed(
        Object.fromEntries(
          quantiles.map((name) => [
            name,
            Nullable(Figure, `The ${name.slice(1)}th percentile. Null if too few contributors support it.`),
          ]),
        ) as Record<(typeof quantiles)[number], ReturnType<typeof Nullable<typeof Figure>>>,
        { description: 'Percentiles.' },
      ),
      'Percentiles of the contributors, each the mean of three adjacent figures. Null if the cell is withheld.',
    ),
    pooled: Nullable(
      Figure,
      'The mean, weighted by the number of records. Null if the cell is withheld or a contributor dominates.',
    ),
    suppressed: Type.Boolean({
      description: 'Whether the figures of the cell are withheld from every reader.',
    }),
    suppression_reason: Nullable(
      Type.Enum(['confidential', 'no_data']),
      'The reason for withholding: nobody contributed, or a figure could reveal contributors. Null if nothing is withheld.',
    ),
    as_of: InstantOf('The time of publication.'),
    cell_hash: Sha256Of('SHA-256 of the RFC 8785 form of the published members of the cell.'),
  },
  { title: 'Comparison', description: 'A benchmark cell with the figure of the workspace.' },
);

export const ComparisonPage = ListOf(Comparison);
