import type { Scope } from '#lib/core/scope.ts';
import { events } from '#lib/products.ts';

/**
 * The event catalogue. A type is the `op` of the audit log entry that the effect writes, so an event exists
 * exactly if the entry does. An entry whose `op` is not listed makes no event.
 */
export type EventType = {
  /** The scope that a credential needs to see it, which is the scope to read its record. */
  scope: Scope;
  /** A sentence that describes the event. */
  about: string;
  /** The details of the entry that it carries: names of records, states and codes, never free text. */
  members: readonly string[];
  /** Whether it reports a completed action, a refusal, or either. */
  outcome: Outcome;
};

export type Outcome = 'done' | 'refused' | 'either';

/** Every type of event by its name. The products declare them. */
export const eventTypes: ReadonlyMap<string, EventType> = new Map(
  events.map(({ scope, op, event }) => {
    const { about, members = [], outcome = 'done' } = typeof event === 'string' ? { about: event } : event;
    return [op, { scope, about, members, outcome }];
  }),
);
