import { minorDigits } from '#lib/core/money.ts';

export const metricUnits = ['money', 'count', 'ratio'] as const;
/** The unit of a metric. Money values have their own currency. */
export type MetricUnit = (typeof metricUnits)[number];

export const metricKinds = ['flow', 'level'] as const;
/** The kind of a metric. A flow accumulates over a period. A level is measured at the end of the period. */
export type MetricKind = (typeof metricKinds)[number];

export type MetricDefinition = {
  name: string;
  unit: MetricUnit;
  kind: MetricKind;
  /** Whether values below 0 are meaningful. */
  isSigned: boolean;
  description: string;
};

const flow = (name: string, description: string, isSigned = false): MetricDefinition => ({
  name,
  unit: 'money',
  kind: 'flow',
  isSigned,
  description,
});
const level = (name: string, description: string, isSigned = false): MetricDefinition => ({
  ...flow(name, description, isSigned),
  kind: 'level',
});
const count = (name: string, kind: MetricKind, description: string): MetricDefinition => ({
  name,
  unit: 'count',
  kind,
  isSigned: false,
  description,
});
const ratio = (name: string, description: string): MetricDefinition => ({
  name,
  unit: 'ratio',
  kind: 'level',
  isSigned: true,
  description,
});

/** The company metrics that are defined for every workspace. A workspace can define further metrics. */
export const metricCatalogue: readonly MetricDefinition[] = [
  flow('revenue', 'Sales of the period.'),
  flow('cost_of_revenue', 'The direct cost of the sales.'),
  flow('gross_profit', 'Revenue minus the cost of revenue.', true),
  flow('operating_expense', 'The expenses of running the business.'),
  flow('operating_income', 'Gross profit less operating expense.', true),
  flow('ebitda', 'Income before interest, taxes, depreciation and amortisation.', true),
  flow('interest_expense', 'Interest on debt.'),
  flow('tax_expense', 'Taxes on income. Below 0 for a refund.', true),
  flow('net_income', 'Profit after all expenses, interest and taxes.', true),
  flow('cash_flow_operating', 'Cash from running the business.', true),
  flow('cash_flow_investing', 'Cash from buying and selling assets.', true),
  flow('cash_flow_financing', 'Cash from lenders and owners.', true),
  flow('capital_expenditure', 'Spending on long-lived assets.'),
  flow('inflow', 'Cash received.'),
  flow('outflow', 'Cash paid.'),
  flow('net_cash_flow', 'Cash received minus cash paid.', true),
  flow('bookings', 'Orders won.'),
  flow('payroll', 'Wages and salaries.'),
  level('balance', 'Cash at the end of the period.', true),
  level('receivables', 'Amounts owed by customers.'),
  level('payables', 'Amounts owed to suppliers.'),
  level('inventory', 'Goods in stock.'),
  level('debt', 'Amounts owed to lenders.'),
  level('equity', 'The share of the assets that belongs to the owners.', true),
  level('total_assets', 'All assets.'),
  level('recurring_revenue', 'Annual revenue of running contracts.'),
  count('units_sold', 'flow', 'Units sold in the period.'),
  count('orders', 'flow', 'Orders in the period.'),
  count('new_customers', 'flow', 'Customers won in the period.'),
  count('customers', 'level', 'Customers at the end of the period.'),
  count('headcount', 'level', 'Employees at the end of the period.'),
  ratio('gross_margin', 'Gross profit over revenue; 0.4 is 40 %.'),
  ratio('operating_margin', 'Operating income divided by revenue.'),
  ratio('churn_rate', 'Customers lost over customers at the start.'),
  ratio('utilisation', 'Hours sold, divided by available hours.'),
];

/** The subject of observations that describe the workspace itself and no company. */
export const OF_WORKSPACE = 'workspace';

const byName = new Map(metricCatalogue.map((metric) => [metric.name, metric]));

export function catalogued(name: string): MetricDefinition | undefined {
  return byName.get(name);
}

/**
 * Splits a metric name from an optional currency for its amounts.
 *
 * Example: `splitCurrency('revenue.EUR')` is `{ metric: 'revenue', currency: 'EUR' }`.
 */
export function splitCurrency(name: string): { metric: string; currency: string | undefined } {
  const [, metric, currency] = /^([a-z][a-z0-9_]*)\.([A-Z]{3})$/.exec(name) ?? [];
  return metric === undefined ? { metric: name, currency: undefined } : { metric, currency };
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const ECONOMIC = /^economics\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const LEDGER = /^ledger\.(?:net_cash_flow|inflow|outflow|balance)\.([A-Z]{3})$/;

/** Whether the name is valid for a metric of a workspace. */
export function isMetricName(name: string): boolean {
  return NAME.test(name);
}

export type MetricVerdict = { ok: true } | { ok: false; code: 'invalid_metric' | 'metric_exists' };

/**
 * Decides whether a workspace may define a metric with this name. `isOwn`: whether the workspace already defines it.
 */
export function decideMetric(name: string, isOwn: boolean): MetricVerdict {
  if (!isMetricName(name)) return { ok: false, code: 'invalid_metric' };
  return catalogued(name) || isOwn ? { ok: false, code: 'metric_exists' } : { ok: true };
}

/**
 * Whether a metric belongs to the workspace itself and not to a company: an economic series such as
 * `economics.GDP`, or the ledger of the workspace in one currency, such as `ledger.net_cash_flow.EUR`.
 */
export function isWorkspaceMetric(name: string): boolean {
  const [, currency] = LEDGER.exec(name) ?? [];
  return ECONOMIC.test(name) || (currency !== undefined && minorDigits(currency) !== undefined);
}
