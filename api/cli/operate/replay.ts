import type { Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { placeOfAnswer } from '#lib/qlms/asking/replay-answer.query.ts';
import { findAnyRun } from '#lib/pipeline/operator-runs.query.ts';
import { runToEnd } from '../../process/child.ts';
import { asOperator } from '../shell/operator.ts';
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
  engine_changed?: boolean;
};

export function register(program: Command): void {
  withJson(program.command('replay <run>')).action(async (uid: string, options: OutputOptions) => {
    const report = await asOperator(async (operator) => {
      if (isUid(uid, prefixes.qlmAnswer)) {
        const place = await operator.query('everywhere', placeOfAnswer, uid);
        if (!place) throw new Refusal('answer_unknown', `there is no answer ${uid}`);
        return recompute(uid, place);
      }
      const found = await operator.query('everywhere', findAnyRun, uid);
      if (!found) throw new Refusal('run_unknown', `there is no run ${uid}`);
      const { workspaceUid: workspace, environment } = found.run;
      return recompute(uid, { workspace, environment });
    });
    print({ uid, ...report }, options);
    if (!report.replayed) throw new Refusal('not_replayable', report.reason ?? 'the replay ended early');
    if (report.engine_changed)
      throw new Refusal(
        'engine_changed',
        `another release sealed the ${isUid(uid, prefixes.qlmAnswer) ? 'answer' : 'run'}; with the code of this release, these members differ: ${report.differences!.join(', ')}`,
      );
    if (!report.identical)
      throw new Refusal('replay_differs', `these members differ: ${report.differences!.join(', ')}`);
  });
}

async function recompute(uid: string, { workspace, environment }: Tenant): Promise<Report> {
  let report: Report = { replayed: false };
  const words = [uid, workspace, environment];
  await runToEnd('workers/process/replay.ts', words, (message) => (report = message as Report));
  return report;
}
