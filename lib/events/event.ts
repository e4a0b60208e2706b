import type { AuditEntry } from '#lib/audit/entry.ts';
import { eventTypes } from './catalog.ts';

/** An event as it is kept, listed and sent. It says what happened to which record, and nothing of what is in it. */
export type Event = {
  uid: string;
  type: string;
  /** The place of its entry in the audit log: greater for what was committed later. */
  sequence: number;
  occurred_at: string;
  subject: { type: string; uid: string; version: string | null };
  actor_kind: AuditEntry['actor']['kind'];
  /** The code of a refusal. */
  code: string | null;
  details: Record<string, string | number | boolean>;
};

/** A name, a state, a code, a hash or a day. What persons write has spaces, accents or is longer. */
const TOKEN = /^[A-Za-z0-9_.:-]{1,80}$/;

/** The event that an entry of the audit log makes, without its uid and place; undefined for an entry of no type. */
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

/** The details that the type names, as far as they are numbers, yes or no, or tokens; nothing else leaves the log. */
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
