import type { Scope } from '#lib/core/scope.ts';
import { events } from '#lib/products.ts';

/**
 * A type of event. Its name is the `op` of an audit log entry. Each entry with this `op` has an event. An
 * entry whose `op` is not listed has no event.
 */
export type EventType = {
  /** The scope that a credential needs to see the event: the scope that permits reading the record of the event. */
  scope: Scope;
  /** A sentence that describes the event. */
  about: string;
  /** The details of the audit entry that the event contains: names of records, states and codes, never free text. */
  members: readonly string[];
  /** Whether the event reports a completed action, a refusal, or either. */
  outcome: Outcome;
};

export type Outcome = 'done' | 'refused' | 'either';

/** All types of events, by name. The products declare them. */
export const eventTypes: ReadonlyMap<string, EventType> = new Map(
  events.map(({ scope, op, event }) => {
    const { about, members = [], outcome = 'done' } = typeof event === 'string' ? { about: event } : event;
    return [op, { scope, about, members, outcome }];
  }),
);
