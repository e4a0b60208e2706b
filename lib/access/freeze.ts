export type FreezeFacts = { state: 'active' | 'frozen'; frozenBy: string | null };
export type FreezeVerdict =
  | { ok: true; next: 'active' | 'frozen' }
  | { ok: false; code: 'already_frozen' | 'not_frozen' | 'second_person_required' };

/**
 * Decides whether a person may freeze the financial actions of a workspace, or allow them again. One person is enough
 * to freeze them. Only another person can allow them again.
 */
export function decideFreeze(
  { state, frozenBy }: FreezeFacts,
  event: 'freeze' | 'thaw',
  person: string,
): FreezeVerdict {
  if (event === 'freeze') {
    return state === 'frozen' ? { ok: false, code: 'already_frozen' } : { ok: true, next: 'frozen' };
  }
  if (state === 'active') return { ok: false, code: 'not_frozen' };
  return person === frozenBy ? { ok: false, code: 'second_person_required' } : { ok: true, next: 'active' };
}
