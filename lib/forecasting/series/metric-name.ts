/** The source of a metric: imported values of companies, an economic series, or a measure of the ledger. */
export type MetricSource =
  | { kind: 'company' }
  | { kind: 'economics'; series: string }
  | { kind: 'ledger'; measure: LedgerMeasure; currency: string };

export const ledgerMeasures = ['net_cash_flow', 'inflow', 'outflow', 'balance'] as const;
export type LedgerMeasure = (typeof ledgerMeasures)[number];

/** Parses the source of a metric from its name, which must be in the catalogue or defined by a workspace. */
export function metricSource(metric: string): MetricSource {
  const [head, word = '', ...rest] = metric.split('.');
  if (head === 'economics' && word !== '') return { kind: 'economics', series: [word, ...rest].join('.') };
  const measure = ledgerMeasures.find((each) => each === word);
  if (head === 'ledger' && measure && rest.length === 1)
    return { kind: 'ledger', measure, currency: rest[0]! };
  return { kind: 'company' };
}
