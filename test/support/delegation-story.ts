import { expect } from 'chai';
import type { Backend } from './backends.ts';
import { clientOf, type Answer } from './client.ts';
import { inDays, operatorsOf, type Voter } from './control.ts';
import { governedSample } from './govern.ts';

export const voters = ['anna', 'bert', 'chef'] as const;
export type VoterName = (typeof voters)[number];

/** The callers of `approve`: the voters, a second application of Anna, and three callers without a vote. */
export const callers = [...voters, 'twin', 'drafter', 'self', 'outsider'] as const;
export type CallerName = (typeof callers)[number];

export type Budgets = { per_action_minor: number; per_day_minor: number; per_month_minor: number };
export type Mode = 'supervised' | 'autonomous';

/** The expected state of a delegation after the calls so far. */
export type ExpectedDelegation = {
  uid: string;
  mode: Mode;
  budgets: Budgets;
  state: 'draft' | 'activated' | 'suspended' | 'rejected' | 'withdrawn' | 'revoked';
  /** The voters in the order of their votes. A person who votes again must not be counted again. */
  votes: VoterName[];
  activations: number;
  reservations: {
    uid: string;
    amount: number;
    settled: number;
    state: 'open' | 'settled' | 'released';
    /** Whether a settlement of more than the reserved amount was ever reported. */
    wasAbove?: boolean;
  }[];
};

/** A call that has an idempotency key, and the first answer to the call. */
export type Kept = { again(): Promise<Answer>; first: Answer };

/**
 * The calls of one sequence, and the state that follows from their answers alone. Nothing else is read from
 * the service. An approval requires the votes of anna and bert, and then the vote of chef.
 */
export type Story = { delegations: ExpectedDelegation[]; withoutAuthority: Set<VoterName>; kept: Kept[] };

export function newStory(): Story {
  return { delegations: [], withoutAuthority: new Set(), kept: [] };
}

/** Returns the person for whom a caller votes; undefined for a caller without a vote. */
export function voterOf(caller: CallerName): VoterName | undefined {
  if (caller === 'twin') return 'anna';
  return (voters as readonly string[]).includes(caller) ? (caller as VoterName) : undefined;
}

/**
 * Whether a delegation of this kind is already in force. At most one delegation of a kind can be in force.
 */
export function hasEqual({ delegations }: Story, mode: Mode): boolean {
  return delegations.some(
    (each) => each.mode === mode && (each.state === 'activated' || each.state === 'suspended'),
  );
}

/** Returns the votes whose authority is still in force. */
export function liveVotes({ withoutAuthority }: Story, { votes }: ExpectedDelegation): VoterName[] {
  return votes.filter((each) => !withoutAuthority.has(each));
}

/** Returns the expected answer to an approval, from the earlier answers. */
export function expectedApproval(
  story: Story,
  delegation: ExpectedDelegation,
  caller: CallerName,
): 200 | 202 | 'refused' {
  const voter = voterOf(caller);
  const { withoutAuthority } = story;
  if (delegation.state !== 'draft' || voter === undefined || withoutAuthority.has(voter)) return 'refused';
  if (delegation.votes.includes(voter) || hasEqual(story, delegation.mode)) return 'refused';
  const first = liveVotes(story, delegation).filter((each) => each !== 'chef').length;
  if (voter === 'chef') return first === 2 ? 200 : 'refused';
  return first < 2 ? 202 : 'refused';
}

/** Returns the used part of a budget: the amounts that are reserved or settled. */
export function usedOf({ reservations }: ExpectedDelegation): number {
  return reservations.reduce((sum, { state, amount, settled }) => {
    return sum + (state === 'open' ? amount : settled);
  }, 0);
}

export function remainingOf(delegation: ExpectedDelegation): number {
  return Math.min(delegation.budgets.per_day_minor, delegation.budgets.per_month_minor) - usedOf(delegation);
}

/**
 * The workspace of the sequences. Each sequence has its own machine identity, and voters with an authority.
 */
export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage(backend: Backend) {
  const sample = await governedSample(backend);
  const operators = operatorsOf(backend, sample);
  await operators.role('payments');
  await operators.role('treasurer');
  const cast: Record<VoterName, Voter> = {
    anna: await operators.voter('payments'),
    bert: await operators.voter('payments'),
    chef: await operators.voter('treasurer'),
  };
  await operators.graph('two-nodes', 'obligation.pay', [
    { quorum: 2, roles: ['payments'] },
    { quorum: 1, roles: ['treasurer'] },
  ]);
  const twin = await operators.application(cast.anna.person);
  await operators.bind(twin.uid, cast.anna.person);
  const self = await operators.application(sample.persons.drafter.uid);
  await operators.bind(self.uid, sample.persons.approver.uid);
  const { drafter, outsider } = sample.applications;
  const keys: Record<CallerName, string> = {
    anna: cast.anna.api_key,
    bert: cast.bert.api_key,
    chef: cast.chef.api_key,
    twin: twin.api_key,
    drafter: drafter.api_key,
    self: self.api_key,
    outsider: outsider.api_key,
  };
  return { backend, sample, operators, cast, keys, ...timeZone(), identity: '', runs: 0 };
}

/** Prepares one more sequence: a new machine identity, and an authority for every voter. */
export async function setStage(stage: Stage, story: Story): Promise<{ model: Story; real: Stage }> {
  const { operators, sample, cast } = stage;
  const key = `agent-${++stage.runs}`;
  const body = { owner_uid: sample.persons.drafter.uid };
  stage.identity = await operators.put('identity', { key, name: key, body });
  const max = { per_action_minor: 100_000, per_day_minor: 1_000_000, per_month_minor: 5_000_000 };
  const limits = [{ currency: sample.currency, ...max }];
  await operators.put('identity-ceiling', { name: key, body: { identity: key, limits } });
  for (const voter of voters) {
    const { authority, person } = cast[voter];
    if ((await operators.find(authority!)).state === 'active') continue;
    cast[voter].authority = await operators.authorize(person);
  }
  return { model: story, real: stage };
}

/** Returns a time zone in which it is about noon, so that no local midnight occurs during a test. */
function timeZone(): { timeZone: string } {
  const hour = new Date().getUTCHours();
  const zones = [
    'Pacific/Auckland',
    'Asia/Tokyo',
    'Asia/Karachi',
    'UTC',
    'America/New_York',
    'America/Los_Angeles',
  ];
  return { timeZone: zones[Math.min(zones.length - 1, Math.floor(hour / 4))]! };
}

export function draftOnStage(
  { backend, sample, keys, identity, timeZone: zone }: Stage,
  mode: Mode,
  budgets: Budgets,
) {
  return (key: string) =>
    clientOf(backend, keys.drafter).post(
      `/actions/agentic/identities/${identity}/delegations`,
      {
        action: 'obligation.pay',
        counterparty_id: sample.counterparty_id,
        connector: sample.connector,
        currency: sample.currency,
        execution_mode: mode,
        risk_tier: 'T1',
        budgets,
        valid_until: validUntil,
        time_zone: zone,
      },
      { 'idempotency-key': key },
    );
}

/** The end of every delegation. The end is equal in every call, so that a retry is an identical request. */
const validUntil = inDays(30);

export async function stateOnStage({ backend, keys }: Stage, uid: string): Promise<string> {
  const { status, body } = await clientOf(backend, keys.drafter).get(`/actions/agentic/delegations/${uid}`);
  expect(status).to.equal(200);
  return body.state;
}
