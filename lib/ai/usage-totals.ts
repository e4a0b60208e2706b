import type { UsageRow } from './usage.query.ts';

export type UsageTotals = {
  requests: number;
  failed_requests: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost: { currency: string; amount_micro: number }[];
  unpriced_requests: number;
  is_floor: boolean;
};

type Counted = Pick<
  UsageRow,
  | 'requests'
  | 'failedRequests'
  | 'inputTokens'
  | 'outputTokens'
  | 'currency'
  | 'costMicro'
  | 'unpricedRequests'
  | 'unreportedRequests'
>;

/**
 * Adds up rows, with a separate cost for each currency. A value that was not reported does not count as 0: if
 * no row reports tokens, the sum is null. If only some rows report a value, or if `isTruncated` states that
 * rows are missing, the sums are lower bounds (`is_floor`).
 */
export function usageTotals(rows: readonly Counted[], isTruncated = false): UsageTotals {
  const sum = (of: (row: Counted) => number) => rows.reduce((total, row) => total + of(row), 0);
  const tokens = (of: (row: Counted) => number | null) =>
    rows.every((row) => of(row) === null) ? null : sum((row) => of(row) ?? 0);
  const costs = new Map<string, number>();
  for (const { currency, costMicro } of rows) {
    if (currency === null || costMicro === null) continue;
    costs.set(currency, (costs.get(currency) ?? 0) + costMicro);
  }
  const unpriced = sum(({ unpricedRequests }) => unpricedRequests);
  const unreported = sum(({ unreportedRequests }) => unreportedRequests);
  return {
    requests: sum(({ requests }) => requests),
    failed_requests: sum(({ failedRequests }) => failedRequests),
    input_tokens: tokens(({ inputTokens }) => inputTokens),
    output_tokens: tokens(({ outputTokens }) => outputTokens),
    cost: [...costs]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, amount_micro]) => ({ currency, amount_micro })),
    unpriced_requests: unpriced,
    is_floor: unpriced > 0 || unreported > 0 || isTruncated,
  };
}
