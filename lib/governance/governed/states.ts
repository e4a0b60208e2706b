/** The states of a record that takes two persons to come into force. */
export const governedStates = ['draft', 'submitted', 'active', 'suspended', 'ended', 'withdrawn'] as const;
export type GovernedState = (typeof governedStates)[number];

export const governedEvents = ['submit', 'withdraw', 'approve', 'suspend', 'end'] as const;
export type GovernedEvent = (typeof governedEvents)[number];

/** Every change there is; a pair that is not listed is refused. Migrations hold the same pairs a second time. */
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
  /** Whom it is about: they bring nothing into force for themselves. */
  parties: readonly string[];
  /** Whether it holds others back, so that its end would give them power. */
  restrains?: boolean;
};

/** What nobody approves within so many days has lapsed: it is drafted anew. */
export const SUBMISSION_DAYS = 7;

export type GovernedRefusal =
  | 'transition_not_allowed'
  | 'successor_required'
  | 'submission_lapsed'
  | 'second_person_required'
  | 'party_to_it';
export type GovernedVerdict = { ok: true; next: GovernedState } | { ok: false; code: GovernedRefusal };

/**
 * Whether an event may happen to a record. Who approves is neither who drafted nor who submitted it, nor whom it is
 * about; whom it is about does not submit it either. To take power away one person is enough, whoever it is. What was
 * taken away comes back as a new version only, by two persons.
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
