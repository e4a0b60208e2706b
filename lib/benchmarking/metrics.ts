/**
 * A metric that workspaces can compare. `minimum` is the smallest number of records with which a workspace contributes.
 */
export type Metric = {
  title: string;
  /** The unit of the figures: a share from 0 to 1, hours, or the major unit of the currency of the cell. */
  unit: 'share' | 'hours' | 'currency';
  minimum: number;
};

/** The metrics, by key. Each is a figure of one closed month, from records of the production environment. */
export const metrics = {
  reconciliation_match_rate: {
    title: 'Share of reconciled custody lines that match an order.',
    unit: 'share',
    minimum: 20,
  },
  exception_resolution_hours: {
    title: 'Mean time from the opening of an exception to its resolution.',
    unit: 'hours',
    minimum: 10,
  },
  approval_lead_hours: {
    title: 'Mean time from the draft of a delegation to its activation.',
    unit: 'hours',
    minimum: 10,
  },
  forecast_coverage_80: {
    title: 'Share of actual values within the 80 % intervals of forecasts.',
    unit: 'share',
    minimum: 20,
  },
  workflow_success_rate: {
    title: 'Share of the ended workflow runs that succeeded.',
    unit: 'share',
    minimum: 20,
  },
  workflow_cost_per_run: {
    title: 'Mean metered cost of the workflow runs whose usage is priced in a single currency.',
    unit: 'currency',
    minimum: 20,
  },
  qlm_false_answer_rate: {
    title:
      'False answers in gate evaluations: the share of cases that the question model answered instead of refusing or asking back.',
    unit: 'share',
    minimum: 20,
  },
} as const satisfies Record<string, Metric>;

export type MetricKey = keyof typeof metrics;
export const metricKeys = Object.keys(metrics) as MetricKey[];

export function isMetricKey(key: string): key is MetricKey {
  return Object.hasOwn(metrics, key);
}
