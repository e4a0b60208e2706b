import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, Line, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { voidReasons } from '#lib/actions/delegations/approval.ts';
import { delegationStates } from '#lib/actions/delegations/states.ts';
import { executionModes, riskTiers } from '#lib/actions/delegations/terms.ts';
import { CounterpartyId } from '../credit-corporate/obligation.schema.ts';

const word = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'An active currency, ISO 4217 alphabetic code.',
  examples: ['EUR'],
});

const Budgets = Closed(
  {
    per_action_minor: {
      ...Minor('The limit per action, in minor units, at least 1.', 1),
      examples: [500_000],
    },
    per_day_minor: {
      ...Minor('The limit per calendar day, in minor units, at least 1.', 1),
      examples: [2_000_000],
    },
    per_month_minor: {
      ...Minor('The limit per calendar month, in minor units, at least 1.', 1),
      examples: [20_000_000],
    },
  },
  {
    title: 'DelegationBudgets',
    description:
      'The budgets, in minor units of the currency. The limit per action must not exceed the limit per day, which must not exceed the limit per month.',
  },
);

const terms = {
  action: word('The action that the machine may execute, from the catalogue of actions.', 'obligation.pay'),
  counterparty_id: CounterpartyId,
  connector: word('The connector that executes the action.', 'sepa_ct'),
  currency: Currency,
  execution_mode: Type.Enum([...executionModes], {
    description:
      'The execution mode. `dry_run` only evaluates, `supervised` prepares the action for a person, and `autonomous` executes it.',
    examples: ['supervised'],
  }),
  risk_tier: Type.Enum([...riskTiers], {
    description: 'The risk tier. `T2` also requires an intent of each approver.',
  }),
  budgets: Budgets,
};

const until = {
  valid_until: InstantOf('The end of validity, at most 366 days after `valid_from`.'),
};
const reason = Line(500, 'The purpose of the delegation.', 'Payables run of December');

export const DelegationBody = Closed(
  {
    ...terms,
    valid_from: Type.Optional(InstantOf('The start of validity. Default: the time of activation.')),
    ...until,
    time_zone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The time zone of the days and months of the budgets, as an IANA name. Default: `UTC`.',
        examples: ['Europe/Berlin'],
      }),
    ),
    reason: Type.Optional(reason),
    replaces: Type.Optional(
      Uid(prefixes.delegation, 'The delegation to replace. It ends when the new delegation is activated.'),
    ),
  },
  { title: 'DelegationDraft', description: 'The terms of a delegation. They never change.' },
);

const use = Closed(
  {
    window: Type.String({
      description: 'The calendar day or month that the budget applies to.',
      examples: ['2026-12-01', '2026-12'],
    }),
    used_minor: Minor('The settled amount, in minor units.'),
    reserved_minor: Minor('The reserved amount that waits for its outcome, in minor units.'),
    remaining_minor: Minor('The amount of the budget that remains, in minor units.'),
  },
  { title: 'BudgetUse', description: 'The current usage of a budget.' },
);

const Graph = Closed(
  {
    uid: Uid(prefixes.approvalGraph, 'The approval graph that the draft is bound to.'),
    version: Type.Integer({ minimum: 1, description: 'The version of the graph.' }),
    hash: Sha256Of('SHA-256 of the graph.'),
  },
  {
    title: 'PinnedGraph',
    description: 'The approval graph, in the version that was active when the draft was made.',
  },
);

const persons = (description: string) =>
  Type.Array(Type.String({ examples: ['per_01K8XQ5W3ZJ6T9R2M4N7P0QABC'] }), { description });

export const Independence = Closed(
  {
    rule_version: Type.Literal(1, { description: 'The version of the independence rule that was applied.' }),
    checked_at: Instant,
    creator_applications: persons('The application of the drafting side.'),
    creator_persons: persons(
      'The persons of the drafting side: the owner of the drafting application, the person responsible for the application, the issuers of its credentials, and the owner of the machine identity.',
    ),
    approver_applications: persons('The application of the approving side.'),
    approver_persons: persons(
      'The persons of the approving side: the owner of the approving application, the person responsible for the application, the issuers of its credentials, the person whom it is bound to, and the person who submitted the binding.',
    ),
    intersections: persons(
      'The persons and applications that are on both the drafting side and the approving side. Always empty for a recorded vote.',
    ),
  },
  {
    title: 'Independence',
    description:
      'The persons and applications of the drafting side and of the approving side. With them, a reader can repeat the independence check.',
  },
);

const Approval = Closed(
  {
    uid: Uid(prefixes.approval, 'The uid of the vote.'),
    node: Type.Integer({ minimum: 1, description: 'The node that the vote counts for.' }),
    state: Type.Enum(['counted', 'voided'], {
      description:
        'Whether the vote counts. A vote becomes void if a record that supports it is no longer active. Void votes are kept.',
    }),
    void_reason: Nullable(Type.Enum([...voidReasons]), 'The reason why the vote is void; null if it counts.'),
    voter: Closed(
      {
        person_uid: Uid(prefixes.person, 'The person who voted.'),
        role: Nullable(
          Type.String({ examples: ['delegation_approver'] }),
          'The role that entitles the person to vote; null if the graph names the person.',
        ),
        binding_uid: Nullable(
          Uid(prefixes.binding, 'The binding of the application to the person.'),
          'The binding of the application to the person; null for a vote with the operator CLI or in the console.',
        ),
      },
      {
        title: 'Voter',
        description: 'The person who voted. A vote belongs to a person, never to a credential.',
      },
    ),
    application_uid: Nullable(
      Uid(prefixes.application, 'The application that carried the vote.'),
      'The application that submitted the vote; null for a vote with the operator CLI or in the console.',
    ),
    authority: Closed(
      {
        uid: Uid(prefixes.authority, 'The uid of the authority.'),
        version: Type.Integer({ minimum: 1, description: 'The version of the authority.' }),
        hash: Sha256Of('SHA-256 of the authority.'),
      },
      { title: 'AuthorityReference', description: 'The authority that supports the vote.' },
    ),
    intent_uid: Nullable(
      Uid(prefixes.approvalIntent, 'The uid of the consumed intent.'),
      'The approval intent that the vote consumed; null for a vote that needs no intent.',
    ),
    independence: Independence,
    policy_decision_uid: Nullable(
      Type.String({ examples: ['dec_01K8XQ5W3ZJ6T9R2M4N7P0QABC'] }),
      'The policy decision about the vote.',
    ),
    terms_hash: Sha256Of('SHA-256 of the approved terms.'),
    at: Instant,
  },
  { title: 'DelegationApproval', description: 'A vote, and the records that support it.' },
);

const progress = Closed(
  {
    position: Type.Integer({ minimum: 1, maximum: 9, description: 'The position of the node, 1 to 9.' }),
    quorum: Type.Integer({ minimum: 1, maximum: 9, description: 'The number of required votes, 1 to 9.' }),
    met: Type.Integer({
      minimum: 0,
      maximum: 9,
      description: 'The number of votes that count for the node.',
    }),
    pending: Type.Integer({
      minimum: 0,
      maximum: 9,
      description: 'The number of votes that the node still needs.',
    }),
  },
  { title: 'NodeProgress', description: 'The progress of a node.' },
);

export const Delegation = Closed(
  {
    uid: Uid(prefixes.delegation, 'The uid of the delegation.'),
    version: Type.Literal(1, { description: 'Always 1: a change is a new delegation.' }),
    state: Type.Enum([...delegationStates], {
      description: 'The state of the delegation. Only an `activated` delegation can be used.',
    }),
    state_reason: Nullable(
      Type.String({ examples: ['authority_ended'] }),
      'The reason why the delegation was suspended or ended; null in other states.',
    ),
    identity: Closed(
      {
        uid: Uid(prefixes.machineIdentity, 'The uid of the machine identity.'),
        name: Type.String({ description: 'The name of the identity.', examples: ['Payables agent'] }),
        kind: Type.Literal('machine', { description: 'Always a machine, never a person.' }),
        state: Type.Enum(['active', 'suspended', 'retired'], {
          description: 'The state of the identity. Only an active identity may act.',
        }),
      },
      { title: 'MachineIdentity', description: 'The machine identity that may act under the delegation.' },
    ),
    ...terms,
    amount_scale: Type.Integer({
      minimum: 0,
      maximum: 4,
      description: 'The number of decimals of the currency.',
    }),
    usage: Closed(
      { day: use, month: use },
      { title: 'DelegationUsage', description: 'The current usage of the budgets per day and per month.' },
    ),
    valid_from: Nullable(Instant, 'The start of validity; null means the time of activation.'),
    ...until,
    time_zone: Type.String({
      description: 'The time zone of the budgets, as an IANA name.',
      examples: ['UTC'],
    }),
    reason: Nullable(reason),
    replaces: Nullable(
      Uid(prefixes.delegation, 'The delegation that this delegation replaces.'),
      'The delegation that this delegation replaces. The replaced delegation ends when this delegation is activated. Null if there is none.',
    ),
    terms_hash: Sha256Of('SHA-256 of the terms. An approval is for exactly these terms.'),
    approval: Closed(
      {
        required: Type.Literal(true, { description: 'Always true: every delegation needs approval.' }),
        graph: Graph,
        open_node: Nullable(
          Type.Integer({ minimum: 1, maximum: 9 }),
          'The position of the node that waits for votes; null if no node is open.',
        ),
        progress: Type.Array(progress, {
          minItems: 1,
          maxItems: 9,
          description: 'The progress of each node, in order.',
        }),
        approvals: Type.Array(Approval, { description: 'All votes, including void votes.' }),
      },
      { title: 'DelegationApprovals', description: 'The required and the given approvals.' },
    ),
    draft_expires_at: InstantOf('The time at which the draft expires.'),
    activated_at: Nullable(Instant, 'The time of activation; null if the delegation was never activated.'),
    execution_authority: Closed(
      {
        granted: Type.Boolean({ description: 'Whether the machine may act.' }),
        reason: Nullable(
          Type.String({ examples: ['awaiting_independent_approval'] }),
          'The reason why the machine may not act; null if it may.',
        ),
        within: Nullable(
          Type.Literal('delegation'),
          'The terms within which the machine may act; null if the machine may not act.',
        ),
        terms_hash: Nullable(
          Sha256Of('SHA-256 of the terms.'),
          'SHA-256 of the terms in `within`; null if the machine may not act.',
        ),
      },
      {
        title: 'ExecutionAuthority',
        description: 'Whether the machine may currently act under the delegation, and within which terms.',
      },
    ),
    created_at: Instant,
    created_by: Closed(
      {
        application_uid: Uid(prefixes.application, 'The uid of the application that drafted the delegation.'),
      },
      { title: 'DraftedBy', description: 'The application that drafted the delegation.' },
    ),
  },
  {
    title: 'Delegation',
    description:
      'A delegation allows a machine to execute an action within limits, after the required approvals.',
  },
);
