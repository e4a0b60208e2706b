import type { Command } from 'commander';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { placeOfAnswer, replayAnswer } from '#lib/qlms/asking/replay-answer.query.ts';
import { findAnyRun } from '#lib/pipeline/operator-runs.query.ts';
import type { Run } from '#lib/pipeline/run.entity.ts';
import { runToEnd } from '../../process/child.ts';
import { asOperator, type Operator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Report = {
  replayed: boolean;
  reason?: string;
  identical?: boolean;
  differences?: string[];
  result_hash?: string;
  changed_records?: string[];
};

export function register(program: Command): void {
  withJson(program.command('replay <run>'))
    .description('recompute a sealed run, or the facts of a sealed answer, and compare them with the seal')
    .action(async (uid: string, options: OutputOptions) => {
      const report = await asOperator(async (operator) => {
        if (isUid(uid, prefixes.qlmAnswer)) return replayOf(operator, uid);
        const found = await operator.query('everywhere', findAnyRun, uid);
        if (!found) throw new Refusal('run_unknown', `there is no run ${uid}`);
        return recompute(found.run);
      });
      print({ uid, ...report }, options);
      if (!report.replayed) throw new Refusal('not_replayable', report.reason ?? 'the replay ended early');
      if (!report.identical)
        throw new Refusal('replay_differs', `these members differ: ${report.differences!.join(', ')}`);
    });
}

/** Evaluates the query of a sealed answer again, at the sealed revisions of the data. */
async function replayOf({ query }: Operator, uid: string): Promise<Report> {
  const place = await query('everywhere', placeOfAnswer, uid);
  const replayed = place && (await query(place, replayAnswer, uid));
  if (!replayed) throw new Refusal('answer_unknown', `there is no answer ${uid}`);
  if (!replayed.replayed) return replayed;
  const { identical, differences, changedRecords, resultHash } = replayed;
  return {
    replayed: true,
    identical,
    differences,
    result_hash: resultHash,
    ...(changedRecords.length > 0 ? { changed_records: changedRecords } : {}),
  };
}

async function recompute(run: Run): Promise<Report> {
  let report: Report = { replayed: false };
  const words = [run.uid, run.workspaceUid, run.environment];
  await runToEnd('workers/process/replay.ts', words, (message) => (report = message as Report));
  return report;
}
