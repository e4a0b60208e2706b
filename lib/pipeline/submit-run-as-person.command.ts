import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import type { Idempotency } from '#lib/core/operation.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import type { Run } from './define-run.ts';
import { claimKey, findKey } from './idempotency.write.ts';
import { KeyTaken, submitRun, type Submitted } from './submit-run.command.ts';

type Submission = {
  tenant: Tenant;
  run: Run;
  /** The request, which matches the schema of the run. */
  request: Readonly<Record<string, unknown>>;
  /** The scopes that the submission has. */
  scopes: readonly string[];
  requestId: string;
  /** The key of the form. A form that is sent twice submits one run. */
  idempotency: Idempotency;
};

/**
 * Submits a run as a person in the console. The run counts for the console's own application, which is created for the
 * first run and never has credentials. The audit entry names the person. Repeating a submission with the same key
 * returns the same run. Throws the `Problem` of a refused request, as `submitRun` does.
 */
export const submitRunAsPerson = defineCommand<Submission>()({
  find: async (_em, { tenant }) => tenant,
  lock: async () => undefined,
  async facts(em, _locked, { idempotency }, { actor, now }) {
    const application = await consoleApplication(em, personOf({ actor }), now);
    const known = await findKey(em, application, idempotency);
    return { application, known };
  },
  decide: ({ known }, { idempotency: { fingerprint } }) =>
    known && known.fingerprint !== fingerprint
      ? { ok: false as const, code: 'form_sent_before' as const }
      : { ok: true as const },
  async write(em, { application, known }, _verdict, { input, now }) {
    const { run, request, scopes, requestId, idempotency } = input;
    if (known?.runUid) {
      const repeated: Submitted = { uid: known.runUid, admitted: [] };
      return { result: { ...repeated, isNew: false } };
    }
    // The request was checked against the schema of the run.
    const submitted = await submitRun(em, run, request as never, { application, requestId, now, scopes });
    if (!(await claimKey(em, application, idempotency, { runUid: submitted.uid }, now))) throw new KeyTaken();
    return { result: { ...submitted, isNew: true } };
  },
  entry: ({ application }, _verdict, { run }, result) =>
    result?.isNew
      ? {
          op: 'run.submitted',
          subject: { type: 'run', uid: result.uid },
          details: { kind: run.key, application_uid: application },
        }
      : undefined,
  refusals: {
    form_sent_before: 'This form was sent before with other values. Load the page again.',
  },
});

/** Returns the uid of the console's own application. Creates it, with the person as its owner, if there is none. */
async function consoleApplication(em: Em, person: string, now: Date): Promise<string> {
  const { rows } = await sql<{ uid: string }>`
    select console_application(${newUid(prefixes.application)}, ${person}, ${now}) as uid
  `.execute(em.getKysely());
  return rows[0]!.uid;
}
