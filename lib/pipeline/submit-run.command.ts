import type { Idempotency } from '#lib/core/operation.ts';
import type { RequestOf } from '#lib/core/run.ts';
import { permittedInput } from '#lib/data/rights/permitted-input.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { admitRuns, type Admitted, type Lane } from './admission.query.ts';
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
   * When the run is admitted. `now`: in this transaction. `soon`: in this transaction if that is possible without waiting,
   * otherwise by the caller after the commit. `later`: by the scheduler. Long transactions use `later`, because an
   * admitted run delays every other submission of its workspace until its transaction ends.
   */
  admission?: 'now' | 'soon' | 'later';
};

/**
 * A new run, and the runs of its workspace to dispatch after the commit. `waiting` is the lane of a run that the caller
 * admits after the commit, with `admitWaiting`.
 */
export type Submitted = { uid: string; admitted: Admitted[]; waiting?: Lane };

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
  const submission = { application, requestId, now, ...resolved };
  const { uid, tag } = await createRun(em, run, submission, { admits: admission !== 'later' });
  if (idempotency && !(await claimKey(em, application, idempotency, { runUid: uid }, now)))
    throw new KeyTaken();
  const { workspace, environment } = tenantOf(em);
  const { queue, key: kind } = run;
  if (tag !== null) return { uid, admitted: [{ uid, workspace, environment, kind, queue, tag }] };
  if (admission === 'now') return { uid, admitted: await admitRuns(em, queue, workspace) };
  return { uid, admitted: [], ...(admission === 'soon' && { waiting: { queue, workspace } }) };
}
