import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import type { Confirmation, Decided, Unconfirmed } from '#lib/access/console/govern-in-session.ts';
import type { DecisionProof } from '#lib/access/console/proof.ts';
import { problems } from '#lib/products.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import type { DecisionCall, Page, Refused } from './page.ts';

/** Carries out a command as the person of a session, after the person has confirmed it. */
export type Govern = <C extends TenantCommand>(
  session: ConsoleSession,
  command: C,
  inputOf: (proof: DecisionProof) => InputOf<C>,
  confirmation: Confirmation,
) => Promise<Outcome<C> | Unconfirmed>;

const statuses: Readonly<Record<string, number>> = {
  terms_changed: 412,
  code_invalid: 403,
  code_locked: 403,
  codes_unconfirmed: 403,
  first_code_invalid: 422,
  person_not_enrolled: 403,
  codes_unavailable: 503,
  passkey_invalid: 403,
  identity_unconfirmed: 403,
  passkeys_full: 409,
  reason_required: 422,
};

/** Returns the HTTP status of a refusal: the status of its problem, or 409. */
export function statusOfRefusal(code: string): number {
  const known = (problems as Readonly<Record<string, { status: number }>>)[code];
  return statuses[code] ?? known?.status ?? 409;
}

/** Returns the reason that a form gives, of at most 500 characters; undefined if it is missing. */
export function reasonOf({ form }: DecisionCall): string | undefined {
  const reason = (form['reason'] ?? '').trim().slice(0, 500);
  return reason === '' ? undefined : reason;
}

/** The refusal of a decision that needs a reason. */
export const reasonMissing: Refused = {
  code: 'reason_required',
  detail: 'Enter a reason. It is stored with the decision.',
};

/**
 * Returns the decision that a form makes, as a passkey signs it. The subject is the record of the page, or the record that
 * the form names on a page of several records. A page without a record is about its reader.
 */
export function decidedBy(
  { path }: Page,
  name: string,
  { person }: ConsoleSession,
  params: Readonly<Record<string, string>>,
  form: Readonly<Record<string, string>>,
): Decided {
  const named = path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
  return {
    op: [...named.slice(1), name].join('.'),
    subject: params['id'] ?? params['uid'] ?? form['uid'] ?? person.uid,
    terms_hash: form['terms_hash'] ?? null,
  };
}
