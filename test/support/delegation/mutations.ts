import type { Mutation } from './mutate.ts';
import { defectsOfChains } from './mutations-of-chains.ts';

const authority = 'lib/actions/authority/authority.ts';
const limits = 'lib/actions/authority/limits.ts';
const approval = 'lib/actions/delegations/approval.ts';
const authorize = 'lib/actions/delegations/authorize.ts';
const coverage = 'lib/actions/delegations/coverage.ts';
const independence = 'lib/actions/delegations/independence.ts';
const quorum = 'lib/actions/delegations/quorum.ts';
const states = 'lib/actions/delegations/states.ts';
const terms = 'lib/actions/delegations/terms.ts';
const windows = 'lib/actions/delegations/windows.ts';
const governed = 'lib/governance/governed/states.ts';

/** Defects of the rules that the properties and the model have to find. */
export const defects: Readonly<Record<string, Mutation>> = {
  'votes that hold no longer count': {
    file: approval,
    find: "if (vote.support === 'holds') counted.push(vote);",
    replace: 'if (vote) counted.push(vote);',
  },
  'votes of later nodes stay when an earlier one reopens': {
    file: approval,
    find: 'counted = counted.filter(({ node }) => node <= position);',
    replace: '',
  },
  'a person may vote twice': {
    file: approval,
    find: 'counted.some(({ person }) => person === voter.uid)',
    replace: 'false',
  },
  'only the same application depends on the drafter': {
    file: approval,
    find: 'if (same) return refuse(same);',
    replace: '',
  },
  'an authority that has ended is as good as one in force': {
    file: approval,
    find: 'authorities.filter(({ isLive }) => isLive)',
    replace: 'authorities.filter(() => true)',
  },
  'an authority need not cover the terms': {
    file: approval,
    find: 'live.find(({ failed }) => !failed.length)',
    replace: 'live.at(0)',
  },
  'a draft never lapses': {
    file: approval,
    find: 'if (facts.isDraftOver)',
    replace: 'if (false)',
  },
  'any state can be approved': {
    file: approval,
    find: 'if (facts.state !== facts.awaited)',
    replace: "if (facts.state === 'rejected')",
  },
  'an intent serves any node': {
    file: approval,
    find: '!facts.intent.matches || !isForNode',
    replace: '!facts.intent.matches',
  },
  'an intent that has expired is as good as a live one': {
    file: approval,
    find: "if (facts.intent.state === 'expired') return refuse('approval_intent_expired');",
    replace: '',
  },
  'the vote that is cast does not count for completeness': {
    file: approval,
    find: '[...counted, { node: open.position }]',
    replace: 'counted',
  },
  'a node is met with one vote too few': {
    file: quorum,
    find: 'progress[index]!.pending > 0',
    replace: 'progress[index]!.pending > 1',
  },
  'who has no role may vote': {
    file: quorum,
    find: 'return role === undefined ? undefined : { role };',
    replace: 'return { role: role ?? null };',
  },
  'places are filled in turn, and never moved': {
    file: quorum,
    find: 'taken === undefined || augment(places, placeOf, taken, tried)',
    replace: 'taken === undefined',
  },
  'the drafters count as voters of a graph': {
    file: quorum,
    find: '!excluded.has(person)',
    replace: 'person',
  },
  'issuers are not looked at': {
    file: independence,
    find: "return shared(personsOf(creator), personsOf(approver)) ? 'sod_issuer_overlap' : undefined;",
    replace: 'return undefined;',
  },
  'who prepared a draft is not a drafter': {
    file: independence,
    find: '...side.issuers, ...side.others, ...side.binders',
    replace: '...side.issuers, ...side.binders',
  },
  'an authority reaches beyond its end': {
    file: coverage,
    find: 'instantOf(terms.valid_until) <= instantOf(valid_until)',
    replace: 'true',
  },
  'the budget of a month is not covered by anything': {
    file: coverage,
    find: "['per_action_minor', 'per_day_minor', 'per_month_minor'] as const",
    replace: "['per_action_minor', 'per_day_minor'] as const",
  },
  'a limit covers one more': {
    file: coverage,
    find: 'terms.budgets[bound] <= max,',
    replace: 'terms.budgets[bound] <= max + 1,',
  },
  'what is revoked can be resumed': {
    file: states,
    find: "resume: { suspended: 'activated' }",
    replace: "resume: { suspended: 'activated', revoked: 'activated' }",
  },
  'what is suspended cannot be revoked': {
    file: states,
    find: "revoke: { activated: 'revoked', suspended: 'revoked' }",
    replace: "revoke: { activated: 'revoked' }",
  },
  'what was rejected can be suspended, and so resumed': {
    file: states,
    find: "suspend: { activated: 'suspended' }",
    replace: "suspend: { activated: 'suspended', rejected: 'suspended' }",
  },
  'the day may have less than an action': {
    file: terms,
    find: 'action <= day && day <= month',
    replace: 'action <= month && day <= month',
  },
  'a budget may be zero': {
    file: terms,
    find: 'action >= 1',
    replace: 'action >= 0',
  },
  'a budget is full one too late': {
    file: windows,
    find: 'if (used + amount > BigInt(cap))',
    replace: 'if (used + amount > BigInt(cap) + 1n)',
  },
  'a budget is full one too soon': {
    file: windows,
    find: 'if (used + amount > BigInt(cap))',
    replace: 'if (used + amount >= BigInt(cap))',
  },
  'the budget is compared before the amount is added': {
    file: windows,
    find: 'if (used + amount > BigInt(cap))',
    replace: 'if (used >= BigInt(cap))',
  },
  'what is settled is free again': {
    file: windows,
    find: 'use[window].reserved + use[window].settled',
    replace: 'use[window].reserved',
  },
  'a negative amount fits': {
    file: windows,
    find: 'amount < 1n',
    replace: 'amount === 0n',
  },
  'an action cannot use its whole bound': {
    file: windows,
    find: 'amount > BigInt(budgets.per_action_minor)',
    replace: 'amount >= BigInt(budgets.per_action_minor)',
  },
  'the month is not counted': {
    file: windows,
    find: "    ['month', budgets.per_month_minor],\n",
    replace: '',
  },
  'all days are those of Greenwich': {
    file: windows,
    find: '      timeZone,\n',
    replace: "      timeZone: 'UTC',\n",
  },
  'a reservation can be released twice': {
    file: windows,
    find: "release: { reserved: 'released', stuck: 'released' }",
    replace: "release: { reserved: 'released', stuck: 'released', released: 'released' }",
  },
  'a stuck reservation cannot be settled': {
    file: windows,
    find: "settle: { reserved: 'settled', stuck: 'settled' }",
    replace: "settle: { reserved: 'settled' }",
  },
  'a delegation lasts to its end and the instant after': {
    file: authorize,
    find: 'now < instantOf(valid_until)',
    replace: 'now <= instantOf(valid_until)',
  },
  'a delegation is used before it begins': {
    file: authorize,
    find: 'from !== null && now >= from',
    replace: 'from !== null',
  },
  'only what is revoked is not used': {
    file: authorize,
    find: "if (state !== 'activated')",
    replace: "if (state === 'revoked')",
  },
  'whoever drafted may approve': {
    file: governed,
    find: 'person === draftedBy || person === submittedBy',
    replace: 'person === submittedBy',
  },
  'whom it is about may approve': {
    file: governed,
    find: "(event === 'submit' || event === 'approve') && parties.includes(person)",
    replace: "event === 'submit' && parties.includes(person)",
  },
  'no bound is within a bound': {
    file: limits,
    find: '(limit[bound] ?? Infinity) > (above[bound] ?? Infinity)',
    replace: '(limit[bound] ?? 0) > (above[bound] ?? Infinity)',
  },
  'everything registered is within a list': {
    file: authority,
    find: "return part !== 'any_registered' && part.every",
    replace: "return part === 'any_registered' || part.every",
  },
  'an authority outlives the one it is granted under': {
    file: authority,
    find: "if (new Date(body.valid_until) > new Date(above.valid_until)) wider.push('valid_until');",
    replace: '',
  },
  ...defectsOfChains,
};

/**
 * A change that is not a defect. Each place passes at most one unit of flow, so the flow never exceeds the
 * number of places. Therefore "equal" has the same result as "at least".
 */
export const equivalents: Readonly<Record<string, Mutation>> = {
  'a graph is reachable when at least its places are filled': {
    file: quorum,
    find: 'ok: flow === places.length',
    replace: 'ok: flow >= places.length',
  },
};

/**
 * Defects that no call can reveal, because another rule applies first, or because no call uses the faulty
 * part.
 */
export const outOfSight: readonly string[] = [
  'an intent serves any node',
  'an intent that has expired is as good as a live one',
  'places are filled in turn, and never moved',
  'the drafters count as voters of a graph',
  'who prepared a draft is not a drafter',
  'an authority reaches beyond its end',
  'what is revoked can be resumed',
  'whoever drafted may approve',
  'whom it is about may approve',
  'no bound is within a bound',
  'everything registered is within a list',
  'an authority outlives the one it is granted under',
  'who granted an authority need not have the one above',
  'who granted an authority need not be active',
  'authorities may rest on one another',
  'an authority outlives the one above',
  'the ceiling is looked at when an authority is granted, and never again',
  'the authorities above need not be wide enough',
  'a vote counts under an authority that the person no longer has',
  'a vote keeps its place when the role is lost',
];
