import type { Idempotency } from '#lib/core/operation.ts';
import type { RequestOf } from '#lib/core/run.ts';
import { permittedInput } from '#lib/data/rights/permitted-input.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { admitRuns, type Admitted } from './admission.query.ts';
import type { Run } from './define-run.ts';
import { claimKey } from './idempotency.write.ts';
import { createRun } from './run.write.ts';

/** The circumstances of a submission: the application, the time, and its options. */
export type Submitting = {
  application: string;
  requestId: string;
  now: Date;
  /** The idempotency key, which makes a retry of the submission safe. */
  idempotency?: Idempotency | undefined;
  /** The scopes of the credential. Default: the scopes of the application. */
  scopes?: readonly string[] | undefined;
  /**
   * When the run is admitted. `later`: the scheduler admits the run. Long transactions use `later`, because an admitted
   * run blocks every other submission of its workspace until its transaction ends.
   */
  admission?: 'now' | 'later';
};

/** A new run, and the runs of its workspace to dispatch after the commit. */
export type Submitted = { uid: string; admitted: Admitted[] };

/** Reports that another request with the same idempotency key came first. The transaction must not be committed. */
export class KeyTaken extends Error {}

/**
 * Submits a run in the caller's transaction: resolves the request, writes the record, claims the idempotency
 * key and admits as many runs as the limit of the workspace allows. The request must match the schema of the run.
 * Throws the `Problem` of a refused request, of data whose entitlements do not permit the run, of an unapproved
 * model or of a full queue, and `KeyTaken` if the key is already claimed.
 */
export async function submitRun<R extends Run>(
  em: Em,
  run: R,
  request: RequestOf<R>,
  { application, requestId, now, idempotency, scopes, admission = 'now' }: Submitting,
): Promise<Submitted> {
  const resolved = await permittedInput(em, { action: run.dataAction ?? 'derive', now }, () =>
    run.resolve(em, request, { now, application, scopes }),
  );
  const uid = await createRun(em, run, { application, requestId, now, ...resolved });
  if (idempotency && !(await claimKey(em, application, idempotency, { runUid: uid }, now)))
    throw new KeyTaken();
  const { workspace } = tenantOf(em);
  return { uid, admitted: admission === 'now' ? await admitRuns(em, run.queue, workspace) : [] };
}
