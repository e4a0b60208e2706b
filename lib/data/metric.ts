import { minorDigits } from '#lib/core/money.ts';

export const metricUnits = ['money', 'count', 'ratio'] as const;
/** Money is in the currency beside each value. */
export type MetricUnit = (typeof metricUnits)[number];

export const metricKinds = ['flow', 'level'] as const;
/** A flow adds up over a period; a level is what it is at the period's end. */
export type MetricKind = (typeof metricKinds)[number];

export type MetricDefinition = {
  name: string;
  unit: MetricUnit;
  kind: MetricKind;
  /** Whether a value below 0 has a meaning. */
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

/** The metrics of companies that have a meaning everywhere. A workspace defines its own beside them. */
export const metricCatalogue: readonly MetricDefinition[] = [
  flow('revenue', 'Sales of the period.'),
  flow('cost_of_revenue', 'What the sales cost to make.'),
  flow('gross_profit', 'Revenue less its cost.', true),
  flow('operating_expense', 'Expenses of running the business.'),
  flow('operating_income', 'Gross profit less operating expense.', true),
  flow('ebitda', 'Income before interest, taxes, depreciation and amortisation.', true),
  flow('interest_expense', 'Interest on debt.'),
  flow('tax_expense', 'Taxes on income; below 0 where they are returned.', true),
  flow('net_income', 'What is left of everything.', true),
  flow('cash_flow_operating', 'Cash from running the business.', true),
  flow('cash_flow_investing', 'Cash from buying and selling assets.', true),
  flow('cash_flow_financing', 'Cash from lenders and owners.', true),
  flow('capital_expenditure', 'Spent on lasting assets.'),
  flow('inflow', 'Cash that came in.'),
  flow('outflow', 'Cash that went out.'),
  flow('net_cash_flow', 'Cash that came in less what went out.', true),
  flow('bookings', 'Orders won.'),
  flow('payroll', 'Wages and salaries.'),
  level('balance', 'Cash at the end of the period.', true),
  level('receivables', 'What customers owe.'),
  level('payables', 'What is owed to suppliers.'),
  level('inventory', 'Goods in stock.'),
  level('debt', 'What is owed to lenders.'),
  level('equity', 'What belongs to the owners.', true),
  level('total_assets', 'All assets.'),
  level('recurring_revenue', 'Revenue of running contracts, a year.'),
  count('units_sold', 'flow', 'Units sold in the period.'),
  count('orders', 'flow', 'Orders in the period.'),
  count('new_customers', 'flow', 'Customers won in the period.'),
  count('customers', 'level', 'Customers at the end of the period.'),
  count('headcount', 'level', 'Employees at the end of the period.'),
  ratio('gross_margin', 'Gross profit over revenue; 0.4 is 40 %.'),
  ratio('operating_margin', 'Operating income over revenue.'),
  ratio('churn_rate', 'Customers lost over customers at the start.'),
  ratio('utilisation', 'Hours sold over hours there were.'),
];

/** The subject of observations that are of the workspace and of no company. */
export const OF_WORKSPACE = 'workspace';

const byName = new Map(metricCatalogue.map((metric) => [metric.name, metric]));

export function catalogued(name: string): MetricDefinition | undefined {
  return byName.get(name);
}

/**
 * A metric, and the currency in which its amounts are wanted where one is named.
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

/** Whether a workspace could define a metric by this name. */
export function isMetricName(name: string): boolean {
  return NAME.test(name);
}

export type MetricVerdict = { ok: true } | { ok: false; code: 'invalid_metric' | 'metric_exists' };

/** Whether a workspace may define a metric by this name. `isOwn` says whether it has done so. */
export function decideMetric(name: string, isOwn: boolean): MetricVerdict {
  if (!isMetricName(name)) return { ok: false, code: 'invalid_metric' };
  return catalogued(name) || isOwn ? { ok: false, code: 'metric_exists' } : { ok: true };
}

/**
 * Whether a metric is of the workspace and of no company: an economic series, as `economics.GDP`, or the workspace's own
 * ledger in one currency, as `ledger.net_cash_flow.EUR`.
 */
export function isWorkspaceMetric(name: string): boolean {
  const [, currency] = LEDGER.exec(name) ?? [];
  return ECONOMIC.test(name) || (currency !== undefined && minorDigits(currency) !== undefined);
}
