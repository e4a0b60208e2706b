import { exampleOf } from '#api/derive/example.ts';
import type { Job, Outcome } from '#lib/core/job.ts';
import { inTenant } from '#lib/database/orm.ts';
import { createRun, startRun, succeedRun } from '#lib/pipeline/run.repository.ts';
import { sealOutcome } from '../../workers/process.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** A run that was sealed with the examples of what its job declares, and with a matrix; nothing is computed. */
export async function createSealedRun(backend: Backend, tenancy: Tenancy, job: Job): Promise<string> {
  const { workspace, environment, application } = tenancy;
  const now = new Date();
  const input = exampleOf(job.input) as Record<string, unknown>;
  const uid = await inTenant(backend.orm('api'), { workspace, environment }, (em) =>
    createRun(em, job, {
      application,
      requestId: 'req_of_tests',
      input,
      modelVersion: '1.0.0',
      datasetRevisions: {},
      now,
    }),
  );
  const outcome = {
    ok: true,
    output: exampleOf(job.output),
    attachments: {},
  } as Extract<Outcome<Job>, { ok: true }>;
  await inTenant(backend.orm('worker'), { workspace, environment }, async (em) => {
    const run = (await startRun(em, uid, now))!;
    await succeedRun(em, uid, sealOutcome(run, outcome, now), now, new Uint8Array(16));
  });
  return uid;
}
