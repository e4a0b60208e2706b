import type { ApprovalFacts, ApprovalRefusal, CastVote } from '#lib/actions/delegations/approval.ts';
import { creator, nodes, personsOfApplication } from './world.ts';

export const vote = (node: number, person: string, support: CastVote['support'] = 'holds'): CastVote => ({
  uid: `apv_${node}_${person}`,
  node,
  person,
  support,
});

/** The facts of an allowed vote: Ben casts the second vote at the first node of a delegation in tier T2. */
export const allowed: ApprovalFacts = {
  state: 'draft',
  awaited: 'draft',
  isDraftOver: false,
  riskTier: 'T2',
  isIdentityActive: true,
  outdated: [],
  graph: 'active',
  nodes,
  voter: { uid: 'ben', isActive: true, roles: ['controller'] },
  creator,
  approver: personsOfApplication('ben'),
  authorities: [{ uid: 'aut_ben', isLive: true, failed: [] }],
  votes: [vote(1, 'ann')],
  intent: { uid: 'ain_1', state: 'live', matches: true, node: 1 },
};

const tooMuch = { path: 'budgets.per_day_minor', op: 'lte', expected: 400, actual: 500 };
const foreign = { path: 'currency', op: 'in', expected: ['USD'], actual: 'EUR' };

/**
 * The obstacles to a vote, each with its refusal. If several obstacles apply, the answer is the refusal of
 * the first obstacle in this list. Obstacles that concern every voter come before obstacles that concern one
 * voter. Among the obstacles that concern one voter, eligibility comes before the order of nodes.
 */
export const obstacles: readonly { code: ApprovalRefusal; title: string; change: Partial<ApprovalFacts> }[] =
  [
    ...(['activated', 'suspended', 'rejected', 'withdrawn', 'expired', 'revoked', 'superseded'] as const).map(
      (state) => ({
        code: 'delegation_not_draft' as const,
        title: `the delegation is ${state}`,
        change: { state },
      }),
    ),
    { code: 'delegation_expired', title: 'the draft has expired', change: { isDraftOver: true } },
    {
      code: 'identity_not_active',
      title: 'the machine identity is suspended',
      change: { isIdentityActive: false },
    },
    {
      code: 'terms_no_longer_valid',
      title: 'the connector of the delegation no longer exists',
      change: { outdated: ['connector'] },
    },
    {
      code: 'approval_graph_missing',
      title: 'the approval graph of the delegation is retired',
      change: { graph: 'missing' },
    },
    {
      code: 'approval_graph_unsatisfiable',
      title: 'too few persons can vote',
      change: { graph: 'unsatisfiable' },
    },
    {
      code: 'sod_same_application',
      title: 'the voting application drafted the delegation',
      change: { approver: personsOfApplication('desk') },
    },
    {
      code: 'approver_not_bound',
      title: 'the voting application acts for no person',
      change: { voter: null },
    },
    {
      code: 'sod_same_principal',
      title: 'the drafter owns the voting application',
      change: { approver: personsOfApplication('of-dora') },
    },
    {
      code: 'sod_same_person',
      title: 'the voting application acts for the drafter',
      change: { approver: personsOfApplication('second-desk') },
    },
    {
      code: 'sod_same_person',
      title: 'the voting application acts for the owner of the machine identity',
      change: { approver: personsOfApplication('keeper') },
    },
    {
      code: 'sod_issuer_overlap',
      title: 'the drafter issued the key of the voting application',
      change: { approver: personsOfApplication('gift') },
    },
    {
      code: 'sod_issuer_overlap',
      title: 'the drafter submitted the binding of the voting application',
      change: { approver: personsOfApplication('bound-by-dora') },
    },
    {
      code: 'approver_not_a_person',
      title: 'the voter is not active',
      change: { voter: { uid: 'ben', isActive: false, roles: ['controller'] } },
    },
    { code: 'authority_missing', title: 'the voter never had an authority', change: { authorities: [] } },
    {
      code: 'authority_inactive',
      title: 'the authority of the voter has ended',
      change: { authorities: [{ uid: 'aut_ben', isLive: false, failed: [] }] },
    },
    {
      code: 'authority_insufficient',
      title: 'no authority of the voter covers the terms',
      change: {
        authorities: [
          { uid: 'aut_1', isLive: true, failed: [tooMuch, foreign] },
          { uid: 'aut_2', isLive: true, failed: [tooMuch] },
          { uid: 'aut_3', isLive: false, failed: [] },
        ],
      },
    },
    {
      code: 'approval_already_recorded',
      title: 'the voter has already voted',
      change: { votes: [vote(1, 'ben')] },
    },
    {
      code: 'approval_node_not_open',
      title: 'the voter has a role of a later node only',
      change: { voter: { uid: 'ben', isActive: true, roles: ['treasurer'] } },
    },
    {
      code: 'approver_not_eligible',
      title: 'the voter has no role of the graph',
      change: { voter: { uid: 'ben', isActive: true, roles: ['clerk'] } },
    },
    { code: 'approval_intent_required', title: 'the voter declared no intent', change: { intent: null } },
    {
      code: 'approval_intent_expired',
      title: 'the intent of the voter has expired',
      change: { intent: { uid: 'ain_1', state: 'expired', matches: true, node: 1 } },
    },
    {
      code: 'approval_intent_mismatch',
      title: 'the intent of the voter states other terms',
      change: { intent: { uid: 'ain_1', state: 'live', matches: false, node: 1 } },
    },
    {
      code: 'approval_intent_mismatch',
      title: 'the intent of the voter is for another node',
      change: { intent: { uid: 'ain_1', state: 'live', matches: true, node: 2 } },
    },
  ];
