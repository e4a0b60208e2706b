import { isUid } from '#lib/core/id.ts';
import { Problem } from '#lib/core/problem.ts';
import { checkSeal } from '#lib/core/seal.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import type { Em } from '#lib/database/base.ts';
import { findRunRecord, findWholeRun } from '#lib/pipeline/run-record.query.ts';
import { readResult } from '#lib/pipeline/run-result.query.ts';
import type { BacktestInput } from '../backtests/backtest-input.schema.ts';
import type { BacktestResult } from '../backtests/backtest-result.schema.ts';
import { backtestsRun } from '../backtests/backtests.run.ts';

/** A backtest that a simulation draws from, and its last day. */
export type PinnedBacktest = { uid: string; result_hash: string; to: string };

/**
 * Finds a sealed backtest of the tenant. Throws a problem if it does not exist, or if it has not succeeded.
 */
export async function pinBacktest(em: Em, uid: string): Promise<PinnedBacktest> {
  const run = isUid(uid) ? await findWholeRun(em, uid) : undefined;
  if (!run || run.kind !== backtestsRun.key) throw new Problem('not_found', `There is no backtest ${uid}.`);
  if (run.state !== 'succeeded' || run.resultHash === null)
    throw new Problem(
      'backtest_ineligible',
      `The state of the backtest is ${run.state}. Only a backtest in the state succeeded has returns.`,
      {
        members: { reason: 'state' },
      },
    );
  // The input was checked against its schema before the run was sealed.
  return { uid, result_hash: run.resultHash, to: (run.input as BacktestInput).to };
}

/**
 * Reads the values of a pinned backtest from `from` to `to` as the prices of a symbol named by the uid of the backtest.
 * Recomputes the seal of the backtest. `isIntact` is false if the stored result differs from the result that was sealed
 * and pinned.
 */
export async function backtestCurve(
  em: Em,
  { uid, result_hash: pinned }: Pick<PinnedBacktest, 'uid' | 'result_hash'>,
  { from, to }: { from: string | null; to: string },
): Promise<{ isIntact: boolean; prices: SymbolPriceText[] }> {
  const record = await findRunRecord(em, uid);
  const { members, resultHash, seal } = await readResult(em, uid, []);
  const sealed = { ...members, input_hash: record?.inputHash, result_hash: resultHash, seal };
  const isIntact = resultHash === pinned && checkSeal(sealed).intact;
  if (!isIntact) return { isIntact, prices: [] };
  const { curve } = members['result'] as BacktestResult;
  const cells = curve.date.flatMap((date, at) =>
    (from === null || date >= from) && date <= to ? [`${date} ${curve.value[at]}`] : [],
  );
  return { isIntact, prices: [{ symbol: uid, observations: cells.join(',') }] };
}
