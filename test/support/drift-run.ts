import { exampleOf } from '#api/derive/example.ts';
import { inTenant } from '#lib/database/orm.ts';
import { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import { createRun } from '#lib/pipeline/run.repository.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** An assessment of a model that is not there: a run as any other, which ends without a result. */
export function createDriftRun(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<string> {
  return inTenant(backend.orm('api'), tenancy, (em) =>
    createRun(em, driftAssessmentsJob, {
      application: tenancy.application,
      requestId: 'drift-run',
      input: exampleOf(driftAssessmentsJob.input) as Record<string, unknown>,
      modelVersion: '1.0.0',
      datasetRevisions: {},
      now: new Date(),
    }),
  );
}
