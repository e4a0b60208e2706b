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
  'votes count although the voter has lost the authority, role or binding of the vote': {
    file: approval,
    find: "if (vote.support === 'holds') counted.push(vote);",
    replace: 'if (vote) counted.push(vote);',
  },
  'votes of later nodes still count after an earlier node has lost a vote': {
    file: approval,
    find: 'counted = counted.filter(({ node }) => node <= position);',
    replace: '',
  },
  'a person may vote twice on one draft': {
    file: approval,
    find: 'counted.some(({ person }) => person === voter.uid)',
    replace: 'false',
  },
  'an application other than the drafter may vote although it is not independent of the drafter': {
    file: approval,
    find: 'if (same) return refuse(same);',
    replace: '',
  },
  'a vote is accepted under an authority that has ended': {
    file: approval,
    find: 'authorities.filter(({ isLive }) => isLive)',
    replace: 'authorities.filter(() => true)',
  },
  'a vote is accepted under an authority that does not cover the terms': {
    file: approval,
    find: 'live.find(({ failed }) => !failed.length)',
    replace: 'live.at(0)',
  },
  'an expired draft can be approved': {
    file: approval,
    find: 'if (facts.isDraftOver)',
    replace: 'if (false)',
  },
  'a delegation can be approved in every state except rejected': {
    file: approval,
    find: 'if (facts.state !== facts.awaited)',
    replace: "if (facts.state === 'rejected')",
  },
  'an intent for one node is accepted at another node': {
    file: approval,
    find: '!facts.intent.matches || !isForNode',
    replace: '!facts.intent.matches',
  },
  'an expired intent is accepted': {
    file: approval,
    find: "if (facts.intent.state === 'expired') return refuse('approval_intent_expired');",
    replace: '',
  },
  'the last missing vote does not complete the approval': {
    file: approval,
    find: '[...counted, { node: open.position }]',
    replace: 'counted',
  },
  'a node is complete with one vote less than its quorum': {
    file: quorum,
    find: 'progress[index]!.pending > 0',
    replace: 'progress[index]!.pending > 1',
  },
  'a person without a required role may vote': {
    file: quorum,
    find: 'return role === undefined ? undefined : { role };',
    replace: 'return { role: role ?? null };',
  },
  'the reachability check assigns each person to the first open vote and never reassigns a person': {
    file: quorum,
    find: 'taken === undefined || augment(places, placeOf, taken, tried)',
    replace: 'taken === undefined',
  },
  'the reachability check counts the drafters as voters': {
    file: quorum,
    find: '!excluded.has(person)',
    replace: 'person',
  },
  'an application may vote although an issuer of its credentials is related to the drafter': {
    file: independence,
    find: "return shared(personsOf(creator), personsOf(approver)) ? 'sod_issuer_overlap' : undefined;",
    replace: 'return undefined;',
  },
  'a person who prepared a draft counts as independent of the draft': {
    file: independence,
    find: '...side.issuers, ...side.others, ...side.binders',
    replace: '...side.issuers, ...side.binders',
  },
  'an authority covers terms that end after the authority': {
    file: coverage,
    find: 'instantOf(terms.valid_until) <= instantOf(valid_until)',
    replace: 'true',
  },
  'an authority covers any monthly budget': {
    file: coverage,
    find: "['per_action_minor', 'per_day_minor', 'per_month_minor'] as const",
    replace: "['per_action_minor', 'per_day_minor'] as const",
  },
  'a limit covers a budget that exceeds the limit by one minor unit': {
    file: coverage,
    find: 'terms.budgets[bound] <= max,',
    replace: 'terms.budgets[bound] <= max + 1,',
  },
  'a revoked delegation can be resumed': {
    file: states,
    find: "resume: { suspended: 'activated' }",
    replace: "resume: { suspended: 'activated', revoked: 'activated' }",
  },
  'a suspended delegation cannot be revoked': {
    file: states,
    find: "revoke: { activated: 'revoked', suspended: 'revoked' }",
    replace: "revoke: { activated: 'revoked' }",
  },
  'a rejected delegation can be suspended and then resumed': {
    file: states,
    find: "suspend: { activated: 'suspended' }",
    replace: "suspend: { activated: 'suspended', rejected: 'suspended' }",
  },
  'the budget of a day may be less than the budget of an action': {
    file: terms,
    find: 'action <= day && day <= month',
    replace: 'action <= month && day <= month',
  },
  'the budget of an action may be zero': {
    file: terms,
    find: 'action >= 1',
    replace: 'action >= 0',
  },
  'a budget can be exceeded by one minor unit': {
    file: windows,
    find: 'if (used + amount > BigInt(cap))',
    replace: 'if (used + amount > BigInt(cap) + 1n)',
  },
  'the last minor unit of a budget cannot be used': {
    file: windows,
    find: 'if (used + amount > BigInt(cap))',
    replace: 'if (used + amount >= BigInt(cap))',
  },
  'a budget is compared with the used amount without the new amount': {
    file: windows,
    find: 'if (used + amount > BigInt(cap))',
    replace: 'if (used >= BigInt(cap))',
  },
  'a settled amount can be used again': {
    file: windows,
    find: 'use[window].reserved + use[window].settled',
    replace: 'use[window].reserved',
  },
  'a negative amount is authorized': {
    file: windows,
    find: 'amount < 1n',
    replace: 'amount === 0n',
  },
  'an action cannot use the last minor unit of its bound': {
    file: windows,
    find: 'amount > BigInt(budgets.per_action_minor)',
    replace: 'amount >= BigInt(budgets.per_action_minor)',
  },
  'the budget of the month is not checked': {
    file: windows,
    find: "    ['month', budgets.per_month_minor],\n",
    replace: '',
  },
  "a day begins at midnight in UTC instead of the delegation's time zone": {
    file: windows,
    find: '      timeZone,\n',
    replace: "      timeZone: 'UTC',\n",
  },
  'a reservation can be released twice': {
    file: windows,
    find: "release: { reserved: 'released', stuck: 'released' }",
    replace: "release: { reserved: 'released', stuck: 'released', released: 'released' }",
  },
  'a reservation that waits for a person cannot be settled': {
    file: windows,
    find: "settle: { reserved: 'settled', stuck: 'settled' }",
    replace: "settle: { reserved: 'settled' }",
  },
  'a delegation can be used at the instant of its end': {
    file: authorize,
    find: 'now < instantOf(valid_until)',
    replace: 'now <= instantOf(valid_until)',
  },
  'a delegation can be used before it begins': {
    file: authorize,
    find: 'from !== null && now >= from',
    replace: 'from !== null',
  },
  'a delegation can be used in every state except revoked': {
    file: authorize,
    find: "if (state !== 'activated')",
    replace: "if (state === 'revoked')",
  },
  'the person who drafted a record may approve the record': {
    file: governed,
    find: 'person === draftedBy || person === submittedBy',
    replace: 'person === submittedBy',
  },
  'the person whom a record concerns may approve the record': {
    file: governed,
    find: "(event === 'submit' || event === 'approve') && parties.includes(person)",
    replace: "event === 'submit' && parties.includes(person)",
  },
  'an authority without a bound can be granted under an authority with a bound': {
    file: limits,
    find: '(limit[bound] ?? Infinity) > (above[bound] ?? Infinity)',
    replace: '(limit[bound] ?? 0) > (above[bound] ?? Infinity)',
  },
  'an authority for all registered records can be granted under an authority for a list of records': {
    file: authority,
    find: "return part !== 'any_registered' && part.every",
    replace: "return part === 'any_registered' || part.every",
  },
  'an authority can be granted with a later end than the authority above': {
    file: authority,
    find: "if (new Date(body.valid_until) > new Date(above.valid_until)) wider.push('valid_until');",
    replace: '',
  },
  ...defectsOfChains,
};

/**
 * A change that is not a defect. Each required vote passes at most one unit of flow, so the flow never
 * exceeds the number of required votes. Therefore "equal" has the same result as "at least".
 */
export const equivalents: Readonly<Record<string, Mutation>> = {
  'a graph is reachable if at least as many votes as required can be cast': {
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
  'an intent for one node is accepted at another node',
  'an expired intent is accepted',
  'the reachability check assigns each person to the first open vote and never reassigns a person',
  'the reachability check counts the drafters as voters',
  'a person who prepared a draft counts as independent of the draft',
  'an authority covers terms that end after the authority',
  'a revoked delegation can be resumed',
  'the person who drafted a record may approve the record',
  'the person whom a record concerns may approve the record',
  'an authority without a bound can be granted under an authority with a bound',
  'an authority for all registered records can be granted under an authority for a list of records',
  'an authority can be granted with a later end than the authority above',
  'an authority is in force although the granting person does not hold the authority above',
  'an authority is in force although the granting person is inactive',
  'a chain of authorities that leads back to itself is in force',
  'an authority is in force although the authority above has expired',
  'an authority is in force although the ceiling was lowered below it',
  'an authority is in force although the authority above does not cover the terms',
  'a vote counts although the person no longer holds the authority of the vote',
  'a vote counts although the person has lost the role of the vote',
];
