import { problems } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import type { StepOutcome } from './begin-step.write.ts';

/** Returns the outcome of the pipeline run that a step requested; undefined while the run is open. */
export async function settleStep(em: Em, job: string): Promise<StepOutcome | undefined> {
  const found = await findRun(em, job);
  if (!found) throw new Error(`the run ${job} does not exist`);
  const { run, result } = found;
  switch (run.state) {
    case 'queued':
    case 'running':
      return undefined;
    case 'cancelled':
      return { state: 'failed', code: 'run_cancelled', mayPass: false };
    case 'failed': {
      const code = run.problem?.code ?? 'internal_error';
      return { state: 'failed', code, mayPass: problems[code].status >= 500 };
    }
    case 'succeeded': {
      const { resultHash, seal } = result!;
      const output = { run_uid: job, kind: run.kind, result_hash: resultHash, seal_hash: seal.hash };
      return { state: 'succeeded', output, hash: seal.hash };
    }
  }
}
