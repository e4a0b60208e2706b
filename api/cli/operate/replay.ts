import type { Command } from 'commander';
import { findAnyRun } from '#lib/pipeline/operator-runs.query.ts';
import type { Run } from '#lib/pipeline/run.entity.ts';
import { runToEnd } from '../../process/child.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Report = { replayed: boolean; reason?: string; identical?: boolean; differences?: string[] };

export function register(program: Command): void {
  withJson(program.command('replay <run>'))
    .description('recompute a sealed run from its stored input and compare the seals')
    .action(async (uid: string, options: OutputOptions) => {
      const report = await asOperator(async (operator) => {
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

async function recompute(run: Run): Promise<Report> {
  let report: Report = { replayed: false };
  const words = [run.uid, run.workspaceUid, run.environment];
  await runToEnd('workers/process/replay.ts', words, (message) => (report = message as Report));
  return report;
}
