import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { WorkflowKey } from './definition.schema.ts';

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'The currency of the policy, ISO 4217. Costs in other currencies are not counted.',
  examples: ['EUR'],
});

const Percent = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'The threshold, in per cent of the budget.',
  examples: [80],
});

/** Schema of a workspace's settings for observing the costs of its workflows. */
export const FinopsPolicyRequest = Closed(
  {
    mode: Type.String({
      pattern: '^[a-z_]{1,32}$',
      description: 'Always `observe`: the policy never delays or stops a run.',
      examples: ['observe'],
    }),
    currency: Currency,
    monthly_budget_minor: Minor('The budget per calendar month for all workflows together.'),
    thresholds_pct: Type.Array(Percent, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Shares of each budget at which a crossing is recorded, in ascending order.',
      examples: [[50, 80, 100]],
    }),
    per_workflow: Type.Optional(
      Type.Array(
        Closed(
          { workflow_key: WorkflowKey, monthly_budget_minor: Minor("The workflow's budget per month.") },
          { description: 'The budget of one workflow.' },
        ),
        {
          maxItems: 200,
          description: 'Budgets of individual workflows. Together they may exceed the total budget.',
          examples: [[]],
        },
      ),
    ),
    cost_basis: Type.Optional(
      Type.Enum(['metered', 'estimated'], {
        default: 'metered',
        description:
          'The basis of the costs. `metered`: the cost of the computing time of the steps, at the rate in force when each step ends. `estimated`: for each run, the amount `cost_estimate.per_run_minor` in the definition of the workflow.',
      }),
    ),
    labels: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
        Type.String({ maxLength: 100, description: 'The text of a label.', examples: ['cc-1'] }),
        {
          maxProperties: 20,
          description: 'Free-form labels, chosen by the caller.',
          examples: [{ cost_center: 'cc-1' }],
        },
      ),
    ),
  },
  {
    title: 'FinopsPolicyRequest',
    description: 'The cost policy of the workflows: their budgets and thresholds.',
  },
);
export type FinopsPolicyRequest = Static<typeof FinopsPolicyRequest>;

/** The settings of a request, with every default filled in. */
export type FinopsPolicyBody = Required<FinopsPolicyRequest>;

const { mode: _, ...observed } = FinopsPolicyRequest.properties;
const required = Type.Required(Type.Object(observed)).properties;

const policyMembers = {
  uid: Uid(prefixes.finopsPolicy, 'The uid of this version of the policy.'),
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Version number, which increases with each change.',
  }),
  mode: Type.Literal('observe', { description: 'Always `observe`: the policy never delays or stops a run.' }),
  ...required,
  effect: Closed(
    {
      blocks_runs: Type.Literal(false, { description: 'Always false: the policy stops no run.' }),
      overrides_admission: Type.Literal(false, {
        description: 'Always false: the policy has no effect on admission.',
      }),
    },
    { description: 'The effect of the policy on runs: none.' },
  ),
  policy_hash: Sha256Of('SHA-256 of the RFC 8785 form of the submitted policy.'),
  updated_at: InstantOf('When this version was submitted.'),
  updated_by: Uid(prefixes.application, 'The application that submitted this version.'),
};

export const FinopsPolicyResource = Closed(policyMembers, {
  title: 'FinopsPolicy',
  description: 'The cost policy of the workflows: their budgets and thresholds.',
});

const Sum = (description: string) =>
  Nullable(Minor(description), `${description} Null if nothing has a price.`);

export const MonthToDate = Closed(
  {
    currency: Currency,
    from: InstantOf("The first instant of the month in the workspace's time zone."),
    billed_minor: Sum('The cost of the runs at the rates in force.'),
    effective_minor: Sum('The cost after discounts. Assay applies no discounts.'),
    is_floor: Type.Boolean({
      description: 'Whether some usage has no price in this currency, so that the amounts are lower bounds.',
    }),
    coverage: Type.Enum(['complete', 'partial', 'empty'], {
      description: 'Whether all usage has a price in this currency. `empty` means that there was no usage.',
    }),
  },
  { title: 'FinopsMonth', description: 'The current calendar month.' },
);

export const ThresholdStatus = Closed(
  {
    scope: Nullable(WorkflowKey, 'The workflow of the budget; null for the total budget.'),
    budget_minor: Minor('The budget, in minor units.'),
    threshold_pct: Percent,
    crossed_at: Nullable(
      InstantOf('When the costs reached the threshold.'),
      'When the costs of the month reached the threshold; null if they have not.',
    ),
  },
  { title: 'FinopsThreshold', description: 'A threshold of a budget.' },
);

const figureMembers = {
  month_to_date: MonthToDate,
  status: Type.Array(ThresholdStatus, {
    maxItems: 2_010,
    description: 'The thresholds of all budgets, and when they were crossed.',
  }),
};

export const FinopsFigures = Closed(figureMembers, {
  title: 'FinopsFigures',
  description: 'The costs of the workflows this month.',
});
export type FinopsFigures = Static<typeof FinopsFigures>;

export const FinopsPolicyAnswer = Closed(
  {
    ...policyMembers,
    ...figureMembers,
    warnings: Type.Array(
      Type.Enum(['budgets_exceed_total'], { description: 'A note about the policy that is not a fault.' }),
      { maxItems: 1, description: 'Notes about the policy that are not faults.' },
    ),
  },
  { title: 'FinopsPolicyWithFigures', description: 'The policy, and the current month.' },
);
