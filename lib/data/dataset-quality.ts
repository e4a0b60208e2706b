/** The state of a dataset that its checks read. Days are YYYY-MM-DD. */
export type QualityFacts = {
  rows: number;
  /** The newest day of the data; null if the dataset is empty. */
  newestDay: string | null;
  /** Days from the newest day to today; null if the dataset is empty. */
  ageDays: number | null;
  revision: number;
};

export type QualityCheck = {
  check: 'has_rows' | 'rows_min' | 'age_days_max';
  passed: boolean;
  observed: number | null;
  limit: number;
};

/** The limits of the checks. A dataset always needs at least one row; `rowsMin` can require more. */
export type QualityLimits = { ageDaysMax: number; rowsMin: number | null };

/** Checks a dataset against limits. An unknown age fails the check. */
export function checkQuality(
  { rows, ageDays }: QualityFacts,
  { ageDaysMax, rowsMin }: QualityLimits,
): { checks: QualityCheck[]; failed: number } {
  const checks: QualityCheck[] = [
    { check: 'has_rows', passed: rows > 0, observed: rows, limit: 1 },
    ...(rowsMin === null
      ? []
      : [{ check: 'rows_min' as const, passed: rows >= rowsMin, observed: rows, limit: rowsMin }]),
    {
      check: 'age_days_max',
      passed: ageDays !== null && ageDays <= ageDaysMax,
      observed: ageDays,
      limit: ageDaysMax,
    },
  ];
  return { checks, failed: checks.filter(({ passed }) => !passed).length };
}
