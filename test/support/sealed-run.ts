import { exampleOf } from '#api/derive/example.ts';
import type { RunKind, Outcome } from '#lib/core/run.ts';
import { inTenant, openOrm } from '#lib/database/orm.ts';
import { headlineOf } from '#lib/pipeline/headline.ts';
import { keepMatrix } from '#lib/pipeline/run-matrix.write.ts';
import { createRun, startRun, succeedRun } from '#lib/pipeline/run.write.ts';
import { formSuccess } from '../../workers/process/formed-outcome.ts';
import { sealOutcome } from '../../workers/process/process.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/**
 * Creates a sealed run from the examples in the declaration of its job, with a matrix. Nothing is computed.
 * The run is written in one transaction, as the owner of the tables, so that no worker can take it.
 */
export async function createSealedRun(
  backend: Pick<Backend, 'ownerUrl'>,
  tenancy: Tenancy,
  job: RunKind,
  input = exampleOf(job.input) as Record<string, unknown>,
): Promise<string> {
  const { workspace, environment, application } = tenancy;
  const now = new Date();
  const outcome = {
    ok: true,
    output: exampleOf(job.output),
    attachments: exampleOf(job.attachments),
  } as Extract<Outcome<RunKind>, { ok: true }>;
  const orm = openOrm(backend.ownerUrl, 1);
  try {
    return await inTenant(orm, { workspace, environment }, async (em) => {
      const { uid } = await createRun(em, job, {
        application,
        requestId: 'req_of_tests',
        input,
        now,
      });
      const run = (await startRun(em, uid, now))!;
      const sealed = sealOutcome(run, formSuccess(outcome), now);
      const headline = headlineOf(job, sealed.members);
      await succeedRun(em, uid, { ...sealed, headline }, now, keepMatrix(new Uint8Array(16)));
      return uid;
    });
  } finally {
    await orm.close();
  }
}
