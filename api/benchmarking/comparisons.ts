import { Closed, pageQuery } from '#lib/core/schema.ts';
import Type from 'typebox';
import { listComparisons as readComparisons } from '#lib/benchmarking/comparison.query.ts';
import { presentComparison } from '#lib/benchmarking/present-comparison.ts';
import { hasEnded } from '#lib/benchmarking/period.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { Cohort, ComparisonPage, Metric, Period } from './comparison.schema.ts';

const PATH = '/benchmarking/comparisons';

export const listComparisons = defineOperation({
  key: 'benchmarking.comparisons.list',
  product: 'Benchmarking',
  method: 'GET',
  path: PATH,
  scope: 'benchmark:read',
  summary: 'Lists benchmark cells with the figure of the workspace, newest first.',
  description:
    'A cell describes the contributors of one cohort for a metric and a closed month. It is computed once and is the ' +
    'same for every reader. A workspace takes part only if a person joins the benchmarks with the operator CLI. ' +
    'A workspace that did not contribute to a metric and month cannot read the figures of that metric and month. A cell never describes ' +
    'fewer than six contributors, and no answer names another workspace or an exact number of contributors.',
  query: Closed({
    ...pageQuery,
    metric: Type.Optional(Metric),
    period: Type.Optional(Period),
    cohort: Type.Optional(Cohort),
  }),
  success: { status: 200, description: 'A page of comparisons.', schema: ComparisonPage },
  problems: ['invalid_cursor', 'period_open'],
  async handle({ services, query, fail }) {
    const { metric, period, cohort } = query;
    if (period !== undefined && !hasEnded(period, services.clock.now())) {
      fail('period_open', `The month ${period} has not ended. Cells are published for closed months.`);
    }
    return listReply(services, query, {
      list: PATH,
      filters: { metric: metric ?? null, period: period ?? null, cohort: cohort ?? null },
      rows: (em, page) => readComparisons(em, { metric, period, cohort }, page),
      present: presentComparison,
    });
  },
});
