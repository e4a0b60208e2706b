export const versionStates = ['proposed', 'published', 'superseded', 'withdrawn'] as const;
export type VersionState = (typeof versionStates)[number];

export const versionEvents = ['publish', 'withdraw'] as const;
export type VersionEvent = (typeof versionEvents)[number];

export type VersionRefusal = 'transition_not_allowed' | 'second_person_required';
export type VersionVerdict = { ok: true; next: VersionState } | { ok: false; code: VersionRefusal };

/**
 * Decides the next state of a workflow version. The person who publishes a version must differ from the person who
 * proposed it. One person alone can withdraw a version, because a withdrawal only prevents starts.
 */
export function decideVersion(
  { state, proposedBy }: { state: VersionState; proposedBy: string },
  event: VersionEvent,
  person: string,
): VersionVerdict {
  if (event === 'withdraw') {
    return state === 'proposed' || state === 'published'
      ? { ok: true, next: 'withdrawn' }
      : { ok: false, code: 'transition_not_allowed' };
  }
  if (state !== 'proposed') return { ok: false, code: 'transition_not_allowed' };
  return person === proposedBy
    ? { ok: false, code: 'second_person_required' }
    : { ok: true, next: 'published' };
}
