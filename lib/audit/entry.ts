import { canonicalJson } from '#lib/core/seal.ts';

/** Who did it: an application by its credential, a person on the operator's surface, or Assay itself. */
export type Actor =
  | { kind: 'application'; uid: string; credential?: string | undefined }
  | { kind: 'person'; uid: string }
  | { kind: 'system' };

/** Who acts as nobody by name, as an operator may. */
export const unnamed: Actor = { kind: 'system' };

/** What happened, as whoever lets it happen tells it. Hashes are SHA-256 in hex of RFC 8785 forms. */
export type AuditEvent = {
  at: Date;
  /** The noun and what became of it, such as `key.issued`. */
  op: `${string}.${string}`;
  actor: Actor;
  subject: { type: string; uid: string; version?: string | number | undefined };
  /** The code of the refusal; left out of what was done. */
  refused?: string | undefined;
  requestId?: string | undefined;
  /** The decision of the policies that allowed or refused it. */
  decision?: string | undefined;
  /** Of what was asked for, and of the subject before and after. */
  payloadHash?: string | undefined;
  beforeHash?: string | undefined;
  afterHash?: string | undefined;
  /** What else is worth knowing later. No payloads, no secrets, no names of parties: it stays for ever. */
  details?: Readonly<Record<string, unknown>> | undefined;
};

/** An entry as it is kept, exported and hashed. */
export type AuditEntry = {
  at: string;
  op: string;
  actor: { kind: Actor['kind']; uid: string | null; credential_uid?: string };
  subject: { type: string; uid: string; version: string | number | null };
  outcome: { status: 'done' | 'refused'; code: string | null };
  request_id: string | null;
  decision_uid: string | null;
  payload_hash: string | null;
  before_hash: string | null;
  after_hash: string | null;
  details?: Readonly<Record<string, unknown>>;
};

export function entryOf(event: AuditEvent): AuditEntry {
  const { actor, subject, refused } = event;
  return {
    at: event.at.toISOString(),
    op: event.op,
    actor: {
      kind: actor.kind,
      uid: actor.kind === 'system' ? null : actor.uid,
      ...(actor.kind === 'application' && actor.credential !== undefined
        ? { credential_uid: actor.credential }
        : {}),
    },
    subject: { type: subject.type, uid: subject.uid, version: subject.version ?? null },
    outcome: { status: refused === undefined ? 'done' : 'refused', code: refused ?? null },
    request_id: event.requestId ?? null,
    decision_uid: event.decision ?? null,
    payload_hash: event.payloadHash ?? null,
    before_hash: event.beforeHash ?? null,
    after_hash: event.afterHash ?? null,
    ...(event.details === undefined ? {} : { details: event.details }),
  };
}

/** The body that is kept: the RFC 8785 form of the entry, whose bytes are the leaf. */
export function bodyOf(event: AuditEvent): string {
  return canonicalJson(entryOf(event));
}
