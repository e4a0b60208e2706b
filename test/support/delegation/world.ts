import type { AuthorityBody } from '#lib/actions/authority/authority-body.ts';
import type { ApplicationPersons } from '#lib/actions/delegations/independence.ts';
import type { PinnedNode } from '#lib/actions/delegations/quorum.ts';
import type { Powers } from '#lib/actions/delegations/support.ts';
import type { DelegationTerms } from '#lib/actions/delegations/terms.ts';

/** Two controllers approve, then a treasurer. */
export const nodes: readonly PinnedNode[] = [
  { position: 1, key: 'control', quorum: 2, roles: ['controller'], users: [] },
  { position: 2, key: 'treasury', quorum: 1, roles: ['treasurer'], users: [] },
];

/** The roles of each person. Dee has both roles; Dora drafts; Kit is responsible for the machine. */
export const members: ReadonlyMap<string, readonly string[]> = new Map([
  ['controller', ['ann', 'ben', 'dee', 'dora', 'gus', 'kit']],
  ['treasurer', ['cyd', 'dee', 'dora']],
]);

export const rolesOf = (person: string) =>
  [...members].filter(([, persons]) => persons.includes(person)).map(([role]) => role);

/** The application that drafts. */
export const DESK = 'desk';

/**
 * For each application: the person for whom it acts, its owner, the issuer of its credentials, and the person
 * who submitted its binding to that person.
 */
export const applications: Readonly<
  Record<string, { person: string | null; owner: string; issuer: string; binder: string }>
> = {
  desk: { person: 'dora', owner: 'dora', issuer: 'dora', binder: 'sam' },
  'second-desk': { person: 'dora', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  'of-dora': { person: 'ben', owner: 'dora', issuer: 'ivy', binder: 'sam' },
  keeper: { person: 'kit', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  gift: { person: 'gus', owner: 'gus', issuer: 'dora', binder: 'sam' },
  'bound-by-dora': { person: 'gus', owner: 'gus', issuer: 'ivy', binder: 'dora' },
  loose: { person: null, owner: 'gus', issuer: 'ivy', binder: 'sam' },
  idle: { person: 'ida', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  ann: { person: 'ann', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  ben: { person: 'ben', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  cyd: { person: 'cyd', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  'dee-1': { person: 'dee', owner: 'olga', issuer: 'ivy', binder: 'sam' },
  'dee-2': { person: 'dee', owner: 'dee', issuer: 'ivy', binder: 'sam' },
};

/** The applications that act for a person who has a role and is independent of the drafting desk. */
export const independentVoters = ['ann', 'ben', 'cyd', 'dee-1', 'dee-2'] as const;

export const persons = ['ann', 'ben', 'cyd', 'dee', 'dora', 'gus', 'ida', 'kit'] as const;

export function personsOfApplication(application: string): ApplicationPersons {
  const { person, owner, issuer, binder } = applications[application]!;
  return {
    application,
    principals: [owner],
    bound: person === null ? [] : [person],
    issuers: [issuer],
    others: [],
    binders: person === null ? [] : [binder],
  };
}

export const creator: ApplicationPersons = { ...personsOfApplication(DESK), others: ['kit'], binders: [] };

export const FIRST_DAY = new Date('2026-03-27T12:00:00Z');

export const plainTerms: DelegationTerms = {
  identity_uid: 'idt_1',
  action: 'obligation.pay',
  counterparty_id: 7,
  connector: 'sepa_ct',
  currency: 'EUR',
  amount_scale: 2,
  execution_mode: 'supervised',
  risk_tier: 'T1',
  budgets: { per_action_minor: 300, per_day_minor: 500, per_month_minor: 900 },
  valid_from: null,
  valid_until: '2026-06-01T00:00:00Z',
  time_zone: 'Europe/Berlin',
};

/** The registered records that the plain terms name. */
export const registeredObligation = {
  state: 'registered',
  type: 'term_loan',
  counterparty_id: plainTerms.counterparty_id,
  currency: plainTerms.currency,
};

/**
 * The only person who granted other persons authorities under his own authority. All other authorities come
 * from the ceiling.
 */
export const HEAD = 'hal';
export const grantedByHead: ReadonlySet<string> = new Set(['ann', 'cyd']);

/**
 * The expiry of all authorities. It is after the end of the terms, so that a delegation ends only by its own
 * terms.
 */
export const AUTHORITIES_END = '2026-07-01T00:00:00Z';

/** Returns the authorities of persons by name. Some of the authorities have ended. */
export function powersWithout(ended: ReadonlySet<string>, now: Date, valid_until = AUTHORITIES_END): Powers {
  const authorities = [...persons, HEAD].map((person) => ({
    uid: `aut_${person}`,
    key: person,
    state: ended.has(person) ? ('ended' as const) : ('active' as const),
    submittedByUid: grantedByHead.has(person) ? HEAD : 'olga',
    body: {
      ...authorityFor(person),
      valid_until,
      granted_under: grantedByHead.has(person) ? HEAD : null,
    },
  }));
  const active = authorities.filter(({ state }) => state === 'active');
  return {
    now,
    persons: new Set([...persons, HEAD]),
    members,
    inForce: new Map(active.map((each) => [each.key, each])),
    ceiling: authorityFor(HEAD).limits,
    authorities: new Map(authorities.map((each) => [each.uid, each])),
  };
}

/**
 * Returns an authority that covers the plain terms exactly: a term that is larger by one unit exceeds the
 * authority.
 */
export function authorityFor(person: string): AuthorityBody {
  return {
    grantee: { kind: 'user', person_uid: person },
    actions: [plainTerms.action],
    capabilities: ['approve_delegation'],
    connectors: [plainTerms.connector],
    counterparties: [plainTerms.counterparty_id],
    max_risk_tier: 'T1',
    limits: [{ currency: plainTerms.currency, ...plainTerms.budgets }],
    valid_from: '2026-01-01T00:00:00Z',
    valid_until: plainTerms.valid_until,
    granted_under: null,
  };
}
