import type { Outcome, RunKind } from '#lib/core/run.ts';
import { hashedJson, type HashedJson } from '#lib/core/seal.ts';

type Succeeded = Extract<Outcome<RunKind>, { ok: true }>;

/** The attachments of a run in the form in which they are stored and sealed, by their names. */
export type FormedAttachments = Readonly<Record<string, HashedJson>>;

/** The outcome of a computation that succeeded, with the attachments in their stored form. */
export type FormedSuccess = Omit<Succeeded, 'attachments'> & { attachments: FormedAttachments };

/** The outcome of a computation. A thread returns it in this form, because a text is passed faster than its objects. */
export type FormedOutcome = FormedSuccess | Exclude<Outcome<RunKind>, Succeeded>;

/** Forms the attachments of an outcome. Throws if JSON cannot represent an attachment. */
export function formOutcome(outcome: Outcome<RunKind>): FormedOutcome {
  return outcome.ok ? formSuccess(outcome) : outcome;
}

/** Forms the attachments of a computation that succeeded. */
export function formSuccess(outcome: Succeeded): FormedSuccess {
  const attachments = Object.entries(outcome.attachments as Record<string, unknown>);
  return {
    ...outcome,
    attachments: Object.fromEntries(attachments.map(([name, value]) => [name, hashedJson(value)])),
  };
}

/** Returns one JSON object of all attachments, as `JSON.stringify` writes the object of their values. */
export function attachmentsText(attachments: FormedAttachments): string {
  const members = Object.entries(attachments).map(([name, { text }]) => `${JSON.stringify(name)}:${text}`);
  return `{${members.join(',')}}`;
}
