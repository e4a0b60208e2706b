import type { AuditEntry } from '#lib/audit/entry.ts';
import { eventTypes } from './catalog.ts';

/**
 * An event as it is stored, listed and sent. The event states what happened to which record, without the content of the
 * record.
 */
export type Event = {
  uid: string;
  type: string;
  /** The position of the event's entry in the audit log. Entries that were committed later have a greater position. */
  sequence: number;
  occurred_at: string;
  subject: { type: string; uid: string; version: string | null };
  actor_kind: AuditEntry['actor']['kind'];
  /** The code of a refusal; null if the action was performed. */
  code: string | null;
  details: Record<string, string | number | boolean>;
};

/**
 * Matches a name, a state, a code, a hash or a day. Texts that people write usually contain spaces or accents, or are
 * longer.
 */
const TOKEN = /^[A-Za-z0-9_.:-]{1,80}$/;

/**
 * Returns the event of an audit log entry, without its uid and position; undefined if the entry has no event type, or
 * if the event type does not report the outcome of the entry.
 */
export function eventOf(entry: AuditEntry): Omit<Event, 'uid' | 'sequence'> | undefined {
  const type = eventTypes.get(entry.op);
  const outcome = entry.outcome.status === 'refused' ? 'refused' : 'done';
  if (!type || (type.outcome !== 'either' && type.outcome !== outcome)) return undefined;
  const { subject } = entry;
  return {
    type: entry.op,
    occurred_at: entry.at,
    subject: {
      type: subject.type,
      uid: subject.uid,
      version: subject.version === null ? null : String(subject.version),
    },
    actor_kind: entry.actor.kind,
    code: entry.outcome.code,
    details: detailsOf(entry.details ?? {}, type.members),
  };
}

/**
 * Returns the details that the event type lists, if they are numbers, booleans or tokens. No other detail of an entry
 * is published.
 */
function detailsOf(details: Readonly<Record<string, unknown>>, members: readonly string[]): Event['details'] {
  return Object.fromEntries(
    members.flatMap((name): [string, string | number | boolean][] => {
      const value = details[name];
      if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
        return [[name, value]];
      return typeof value === 'string' && TOKEN.test(value) ? [[name, value]] : [];
    }),
  );
}
