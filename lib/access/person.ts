export const personStates = ['active', 'suspended', 'departed'] as const;
export type PersonState = (typeof personStates)[number];

export const personEvents = ['suspend', 'reinstate', 'depart'] as const;
export type PersonEvent = (typeof personEvents)[number];

/**
 * The person who requests the change: the state of this person, and whether this person is also the person to
 * be changed.
 */
export type PersonActor = { state: PersonState; self: boolean };

export type PersonRefusal =
  | 'actor_not_active'
  | 'own_state'
  | 'person_departed'
  | 'person_not_active'
  | 'person_not_suspended';

export type PersonVerdict = { ok: true; next: PersonState } | { ok: false; code: PersonRefusal };

/**
 * Decides whether a person may be suspended, reinstated or marked as departed, and returns the next state. Only an
 * active person may change the state of another person. Nobody may change their own state. A departure is final. An
 * event that would change nothing is refused, so that each change is recorded once.
 */
export function decidePerson(state: PersonState, event: PersonEvent, actor: PersonActor): PersonVerdict {
  if (actor.state !== 'active') return { ok: false, code: 'actor_not_active' };
  if (actor.self) return { ok: false, code: 'own_state' };
  if (state === 'departed') return { ok: false, code: 'person_departed' };
  if (event === 'depart') return { ok: true, next: 'departed' };
  if (event === 'suspend') {
    return state === 'active' ? { ok: true, next: 'suspended' } : { ok: false, code: 'person_not_active' };
  }
  return state === 'suspended' ? { ok: true, next: 'active' } : { ok: false, code: 'person_not_suspended' };
}
