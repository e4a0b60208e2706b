import { scopesOf } from '#lib/access/console/duty.ts';
import { Problem, type Fault } from '#lib/core/problem.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { Scope } from '#lib/core/scope.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { submitRunAsPerson } from '#lib/pipeline/submit-run-as-person.command.ts';
import { entitlementMissing } from '../../../http/access.ts';
import type { DecisionCall, Refused } from '../../page.ts';

/** How long a form that was sent is known, in hours. */
const KEPT_HOURS = 24;

/** A run that a form submits: the name of the form, the request, and the scopes that the request needs. */
type FormRun = {
  operation: string;
  run: Run;
  request: Readonly<Record<string, unknown>>;
  needs: readonly Scope[];
  /** Returns the pointer of a member in the form from that in the request. */
  placeOf(pointer: string): string;
};

/**
 * Submits the run of a form as the person, with the scopes that the roles of the person allow. A form that is sent twice
 * submits one run. A refusal has the faults of the request at the fields of the form.
 */
export async function submitForm(
  call: DecisionCall,
  { operation, run, request, needs, placeOf }: FormRun,
): Promise<{ location: string } | Refused> {
  const { person, workspace, environment } = call.session;
  const scopes = scopesOf(person.roles, workspace.entitlements);
  for (const scope of needs) if (!scopes.includes(scope)) throw entitlementMissing(scope);
  const idempotency = {
    operation: `console ${operation}`,
    key: sha256(call.form['key'] ?? ''),
    fingerprint: canonicalHash(request),
    keptHours: KEPT_HOURS,
  };
  try {
    const outcome = await call.decide(submitRunAsPerson, () => ({
      tenant: { workspace: workspace.uid, environment },
      run,
      request,
      scopes,
      requestId: call.requestId,
      idempotency,
    }));
    if (!outcome.ok) return { code: outcome.code, detail: outcome.detail, entered: call.form };
    await call.dispatch(outcome.result.admitted);
    return { location: `/console/runs/${outcome.result.uid}` };
  } catch (error) {
    return refusedOf(error, call, placeOf);
  }
}

/** Returns the refusal for the problem of a request, with its faults at the fields of the form. Throws other errors. */
export function refusedOf(error: unknown, call: DecisionCall, placeOf: FormRun['placeOf']): Refused {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  const faults = error.errors.map((fault) => ({ ...fault, pointer: placeOf(fault.pointer) }));
  if (error.code === 'validation_failed' && faults.length > 0) return refusedBy(faults, call);
  return { code: error.code, detail: error.detail, faults, entered: call.form };
}

/** Returns the refusal for the faults of a form. */
export function refusedBy(faults: readonly Fault[], { form }: DecisionCall): Refused {
  const count = faults.length === 1 ? 'One field is' : `${faults.length} fields are`;
  return { code: 'validation_failed', detail: `${count} not valid.`, faults, entered: form };
}
