import type { Scope } from '#lib/core/scope.ts';
import { events } from '#lib/products.ts';

/**
 * The event catalogue. A type is the `op` of the entry of the audit log that the effect writes, so an event is there
 * exactly where the entry is. An entry whose `op` is not listed makes no event.
 */
export type EventType = {
  /** What a credential needs to see it: what it takes to read what it is about. */
  scope: Scope;
  /** What happened, in a sentence. */
  about: string;
  /** Which details of the entry it carries: names of records, states and codes, never what somebody wrote. */
  members: readonly string[];
  /** Whether it tells of what was done, of a refusal, or of either. */
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
