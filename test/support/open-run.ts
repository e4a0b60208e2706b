import { exampleOf } from '#api/derive/example.ts';
import type { Job } from '#lib/core/job.ts';
import { inTenant } from '#lib/database/orm.ts';
import { createRun } from '#lib/pipeline/run.repository.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** A run about what is not there: a record as any other, which ends without a result. */
export function createOpenRun(
  job: Job,
): (backend: Pick<Backend, 'orm'>, tenancy: Tenancy) => Promise<string> {
  return (backend, tenancy) =>
    inTenant(backend.orm('api'), tenancy, (em) =>
      createRun(em, job, {
        application: tenancy.application,
        requestId: 'open-run',
        input: exampleOf(job.input) as Record<string, unknown>,
        modelVersion: '1.0.0',
        datasetRevisions: {},
        now: new Date(),
      }),
    );
}
