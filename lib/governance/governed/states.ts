/** The states of a record that needs two persons to become active. */
export const governedStates = ['draft', 'submitted', 'active', 'suspended', 'ended', 'withdrawn'] as const;
export type GovernedState = (typeof governedStates)[number];

export const governedEvents = ['submit', 'withdraw', 'approve', 'suspend', 'end'] as const;
export type GovernedEvent = (typeof governedEvents)[number];

/** All allowed transitions. Every other pair is refused. The migrations contain the same pairs. */
export const governedTransitions: Record<
  GovernedEvent,
  readonly (readonly [GovernedState, GovernedState])[]
> = {
  submit: [['draft', 'submitted']],
  withdraw: [
    ['draft', 'withdrawn'],
    ['submitted', 'withdrawn'],
  ],
  approve: [['submitted', 'active']],
  suspend: [['active', 'suspended']],
  end: [
    ['active', 'ended'],
    ['suspended', 'ended'],
  ],
};

export type GovernedFacts = {
  state: GovernedState;
  draftedBy: string | null | undefined;
  submittedBy: string | null | undefined;
  submittedAt: Date | null | undefined;
  now: Date;
  /** The persons whom the record is about. They cannot submit or approve it. */
  parties: readonly string[];
  /**
   * Whether the record restricts the actions of others. The end of such a record would permit more actions.
   */
  restrains?: boolean;
};

/** A submission that was not approved lapses after this number of days. The record must then be drafted again. */
export const SUBMISSION_DAYS = 7;

export type GovernedRefusal =
  | 'transition_not_allowed'
  | 'successor_required'
  | 'submission_lapsed'
  | 'second_person_required'
  | 'party_to_it';
export type GovernedVerdict = { ok: true; next: GovernedState } | { ok: false; code: GovernedRefusal };

/**
 * Decides whether an event may happen to a record. The approver must be neither the drafter nor the submitter. A person
 * whom the record is about can neither submit nor approve it. One person alone can suspend or end a record. A suspended
 * or ended record needs a new version, approved by two persons, to be active again.
 */
export function decideGoverned(facts: GovernedFacts, event: GovernedEvent, person: string): GovernedVerdict {
  const { state, draftedBy, submittedBy, parties } = facts;
  const found = governedTransitions[event].find(([from]) => from === state);
  if (!found) return { ok: false, code: 'transition_not_allowed' };
  if (event === 'end' && facts.restrains) return { ok: false, code: 'successor_required' };
  if ((event === 'submit' || event === 'approve') && parties.includes(person)) {
    return { ok: false, code: 'party_to_it' };
  }
  if (event === 'approve' && (person === draftedBy || person === submittedBy)) {
    return { ok: false, code: 'second_person_required' };
  }
  if (
    event === 'approve' &&
    facts.now.getTime() - facts.submittedAt!.getTime() > SUBMISSION_DAYS * 86_400_000
  ) {
    return { ok: false, code: 'submission_lapsed' };
  }
  return { ok: true, next: found[1] };
}
