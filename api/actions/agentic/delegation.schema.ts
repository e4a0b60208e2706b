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
  description: 'ISO 4217 alphabetic code of a currency in force.',
  examples: ['EUR'],
});

const Budgets = Closed(
  {
    per_action_minor: { ...Minor('The most of one action.', 1), examples: [500_000] },
    per_day_minor: { ...Minor('The most of a calendar day.', 1), examples: [2_000_000] },
    per_month_minor: { ...Minor('The most of a calendar month.', 1), examples: [20_000_000] },
  },
  { title: 'DelegationBudgets', description: 'Integer minor units of the currency; action <= day <= month.' },
);

const terms = {
  action: word('What the machine may do, of the catalogue of actions.', 'obligation.pay'),
  counterparty_id: CounterpartyId,
  connector: word('The connector that it goes through.', 'sepa_ct'),
  currency: Currency,
  execution_mode: Type.Enum([...executionModes], {
    description: 'dry_run only evaluates, supervised prepares for a person, autonomous acts.',
    examples: ['supervised'],
  }),
  risk_tier: Type.Enum([...riskTiers], { description: 'T2 also takes an intent of each approver.' }),
  budgets: Budgets,
};

const until = {
  valid_until: InstantOf('Until when it counts, at most 366 days.'),
};
const reason = Line(500, 'What it is for.', 'Payables run of December');

export const DelegationBody = Closed(
  {
    ...terms,
    valid_from: Type.Optional(InstantOf('From when it counts; from the activation where it is left out.')),
    ...until,
    time_zone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'IANA name; days and months of the budgets are those of this zone. UTC by default.',
        examples: ['Europe/Berlin'],
      }),
    ),
    reason: Type.Optional(reason),
    replaces: Type.Optional(
      Uid(prefixes.delegation, 'A delegation that this one ends when it is activated.'),
    ),
  },
  { title: 'DelegationDraft', description: 'The terms of a delegation. They never change.' },
);

const use = Closed(
  {
    window: Type.String({ description: 'The calendar day or month.', examples: ['2026-12-01', '2026-12'] }),
    used_minor: Minor('What is settled of it.'),
    reserved_minor: Minor('What is reserved, and waits for its outcome.'),
    remaining_minor: Minor('What is left.'),
  },
  { title: 'BudgetUse', description: 'What is used of a budget now.' },
);

const Graph = Closed(
  {
    uid: Uid(prefixes.approvalGraph, 'The graph that the draft was pinned to.'),
    version: Type.Integer({ minimum: 1, description: 'Its version.' }),
    hash: Sha256Of('SHA-256 of it.'),
  },
  { title: 'PinnedGraph', description: 'The graph of approvals.' },
);

const persons = (description: string) =>
  Type.Array(Type.String({ examples: ['per_01K8XQ5W3ZJ6T9R2M4N7P0QABC'] }), { description });

export const Independence = Closed(
  {
    rule_version: Type.Literal(1, { description: 'Which rule compared them.' }),
    checked_at: Instant,
    creator_applications: persons('Of the drafting side.'),
    creator_persons: persons('Owner, who answers, who issued its credentials, owner of the identity.'),
    approver_applications: persons('Of the approving side.'),
    approver_persons: persons('The same of the approving side, and who signed its binding first.'),
    intersections: persons('What both sides share. Empty, or it would not be recorded.'),
  },
  { title: 'Independence', description: 'The sets that were compared, for anyone to compare again.' },
);

const Approval = Closed(
  {
    uid: Uid(prefixes.approval, 'The vote.'),
    node: Type.Integer({ minimum: 1, description: 'The node it counts for.' }),
    state: Type.Enum(['counted', 'voided'], {
      description: 'A vote whose ground is gone is void, and kept.',
    }),
    void_reason: Nullable(Type.Enum([...voidReasons]), 'Why it is void.'),
    voter: Closed(
      {
        person_uid: Uid(prefixes.person, 'Whose vote it is.'),
        role: Nullable(Type.String({ examples: ['delegation_approver'] }), 'By which role; null by name.'),
        binding_uid: Nullable(
          Uid(prefixes.binding, 'By which the application speaks for the person.'),
          'By which the application speaks for the person; null on the operators’ surface.',
        ),
      },
      { title: 'Voter', description: 'Who approves. It is never the credential.' },
    ),
    application_uid: Nullable(
      Uid(prefixes.application, 'The application that carried the vote.'),
      'The application that carried the vote; null on the operators’ surface.',
    ),
    authority: Closed(
      {
        uid: Uid(prefixes.authority, 'What the person may approve.'),
        version: Type.Integer({ minimum: 1, description: 'Its version.' }),
        hash: Sha256Of('SHA-256 of it.'),
      },
      { title: 'AuthorityReference', description: 'The authority that the vote stood on.' },
    ),
    intent_uid: Nullable(Uid(prefixes.approvalIntent, 'The intent that was used up.'), 'Of T2; else null.'),
    independence: Independence,
    policy_decision_uid: Nullable(
      Type.String({ examples: ['dec_01K8XQ5W3ZJ6T9R2M4N7P0QABC'] }),
      'What the policies said.',
    ),
    terms_hash: Sha256Of('SHA-256 of the terms that were approved.'),
    at: Instant,
  },
  { title: 'DelegationApproval', description: 'A vote, and what it stood on.' },
);

const progress = Closed(
  {
    position: Type.Integer({ minimum: 1, maximum: 9, description: 'The node.' }),
    quorum: Type.Integer({ minimum: 1, maximum: 9, description: 'Votes that it asks for.' }),
    met: Type.Integer({ minimum: 0, maximum: 9, description: 'Votes that count.' }),
    pending: Type.Integer({ minimum: 0, maximum: 9, description: 'Votes that are missing.' }),
  },
  { title: 'NodeProgress', description: 'How far a node is.' },
);

export const Delegation = Closed(
  {
    uid: Uid(prefixes.delegation, 'The delegation.'),
    version: Type.Literal(1, { description: 'A change is a new delegation.' }),
    state: Type.Enum([...delegationStates], { description: 'Only `activated` gives power.' }),
    state_reason: Nullable(Type.String({ examples: ['authority_ended'] }), 'Why it is suspended or ended.'),
    identity: Closed(
      {
        uid: Uid(prefixes.machineIdentity, 'The machine identity.'),
        name: Type.String({ description: 'Its name.', examples: ['Payables agent'] }),
        kind: Type.Literal('machine', { description: 'It is never a person.' }),
        state: Type.Enum(['active', 'suspended', 'retired'], { description: 'Whether it may act.' }),
      },
      { title: 'MachineIdentity', description: 'To whom the power is given.' },
    ),
    ...terms,
    amount_scale: Type.Integer({ minimum: 0, maximum: 4, description: 'Decimals of the currency.' }),
    usage: Closed({ day: use, month: use }, { title: 'DelegationUsage', description: 'What is used now.' }),
    valid_from: Nullable(Instant, 'From when it counts; null counts from the activation on.'),
    ...until,
    time_zone: Type.String({ description: 'IANA name.', examples: ['UTC'] }),
    reason: Nullable(reason),
    replaces: Nullable(
      Uid(prefixes.delegation, 'What it replaces.'),
      'What it replaces when it is activated.',
    ),
    terms_hash: Sha256Of('SHA-256 of the terms: what is approved.'),
    approval: Closed(
      {
        required: Type.Literal(true, { description: 'There is no way around it.' }),
        graph: Graph,
        open_node: Nullable(Type.Integer({ minimum: 1, maximum: 9 }), 'The node that waits for a vote.'),
        progress: Type.Array(progress, { minItems: 1, maxItems: 9, description: 'Node by node.' }),
        approvals: Type.Array(Approval, { description: 'All votes, the void ones too.' }),
      },
      { title: 'DelegationApprovals', description: 'Who approved, and who is still to.' },
    ),
    draft_expires_at: InstantOf('When the draft expires.'),
    activated_at: Nullable(Instant, 'When it came into force.'),
    execution_authority: Closed(
      {
        granted: Type.Boolean({ description: 'Whether the machine may act.' }),
        reason: Nullable(Type.String({ examples: ['awaiting_independent_approval'] }), 'Why not.'),
        within: Nullable(Type.Literal('delegation'), 'Nothing beyond these terms.'),
        terms_hash: Nullable(Sha256Of('The terms.'), 'The terms it is granted in.'),
      },
      { title: 'ExecutionAuthority', description: 'What the machine may do by this.' },
    ),
    created_at: Instant,
    created_by: Closed(
      { application_uid: Uid(prefixes.application, 'The application that drafted it.') },
      { title: 'DraftedBy', description: 'Who drafted it.' },
    ),
  },
  { title: 'Delegation', description: 'A bounded power of a machine, with the approvals that it takes.' },
);
