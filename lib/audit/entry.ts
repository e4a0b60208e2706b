import { canonicalJson } from '#lib/core/seal.ts';

/**
 * The actor of an event: an application identified by its credential, a person at the command line, or Assay itself.
 */
export type Actor =
  | { kind: 'application'; uid: string; credential?: string | undefined }
  | { kind: 'person'; uid: string }
  | { kind: 'system' };

/** The actor of events without a known person, such as commands of an unnamed operator. */
export const unnamed: Actor = { kind: 'system' };

/** An event to record, as reported by the code that causes it. Hashes are SHA-256 in hex of RFC 8785 forms. */
export type AuditEvent = {
  at: Date;
  /** The operation: noun and past participle, such as `key.issued`. */
  op: `${string}.${string}`;
  actor: Actor;
  subject: { type: string; uid: string; version?: string | number | undefined };
  /** The code of the refusal; omitted if the operation was performed. */
  refused?: string | undefined;
  requestId?: string | undefined;
  /** The policy decision that allowed or refused the action. */
  decision?: string | undefined;
  /**
   * SHA-256 hash of the request. `beforeHash` and `afterHash` are the hashes of the subject before and after
   * the change.
   */
  payloadHash?: string | undefined;
  beforeHash?: string | undefined;
  afterHash?: string | undefined;
  /**
   * Further facts about the event. They must not contain payloads, secrets or names of parties, because entries are
   * kept forever.
   */
  details?: Readonly<Record<string, unknown>> | undefined;
};

/** An entry in the form that is stored, exported and hashed. */
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

/**
 * Returns the stored body of an entry: its RFC 8785 form. The bytes of the body are the entry's leaf in the log tree.
 */
export function bodyOf(event: AuditEvent): string {
  return canonicalJson(entryOf(event));
}
