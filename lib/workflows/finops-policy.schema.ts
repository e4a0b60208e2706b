import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { WorkflowKey } from './definition.schema.ts';

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217. Costs in other currencies are not counted.',
  examples: ['EUR'],
});

const Percent = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'Per cent of a budget.',
  examples: [80],
});

/** What a workspace wants to be told about the costs of its workflows. */
export const FinopsPolicyRequest = Closed(
  {
    mode: Type.String({
      pattern: '^[a-z_]{1,32}$',
      description: '`observe`, and nothing else: no run is held up or stopped by it.',
      examples: ['observe'],
    }),
    currency: Currency,
    monthly_budget_minor: Minor('The budget of a calendar month for all workflows together.'),
    thresholds_pct: Type.Array(Percent, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Shares of each budget whose crossing is told, rising.',
      examples: [[50, 80, 100]],
    }),
    per_workflow: Type.Optional(
      Type.Array(
        Closed(
          { workflow_key: WorkflowKey, monthly_budget_minor: Minor('Its budget of a month.') },
          { description: 'The budget of one workflow.' },
        ),
        {
          maxItems: 200,
          description: 'Budgets of single workflows. Together they may exceed that of all.',
          examples: [[]],
        },
      ),
    ),
    cost_basis: Type.Optional(
      Type.Enum(['metered', 'estimated'], {
        default: 'metered',
        description:
          'Metered: the time that the steps computed, by the rate at its end. Estimated: what the definitions say that a run costs.',
      }),
    ),
    labels: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
        Type.String({ maxLength: 100, description: 'A word.', examples: ['cc-1'] }),
        { maxProperties: 20, description: 'Words of your own.', examples: [{ cost_center: 'cc-1' }] },
      ),
    ),
  },
  { title: 'FinopsPolicyRequest', description: 'What is observed of the costs of workflows.' },
);
export type FinopsPolicyRequest = Static<typeof FinopsPolicyRequest>;

/** The request with every default filled in. */
export type FinopsPolicyBody = Required<FinopsPolicyRequest>;

const { mode: _, ...observed } = FinopsPolicyRequest.properties;
const required = Type.Required(Type.Object(observed)).properties;

const policyMembers = {
  uid: Uid(prefixes.finopsPolicy, 'This version of the policy.'),
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Counts up with each change.' }),
  mode: Type.Literal('observe', { description: 'It observes.' }),
  ...required,
  effect: Closed(
    {
      blocks_runs: Type.Literal(false, { description: 'No run is stopped by it.' }),
      overrides_admission: Type.Literal(false, { description: 'No admission is decided by it.' }),
    },
    { description: 'What it does to runs: nothing.' },
  ),
  policy_hash: Sha256Of('SHA-256 of the RFC 8785 form of what was put.'),
  updated_at: InstantOf('When this version was put.'),
  updated_by: Uid(prefixes.application, 'The application that put it.'),
};

export const FinopsPolicyResource = Closed(policyMembers, {
  title: 'FinopsPolicy',
  description: 'What is observed of the costs of workflows.',
});

const Sum = (description: string) =>
  Nullable(Minor(description), `${description} Null where nothing has a price.`);

export const MonthToDate = Closed(
  {
    currency: Currency,
    from: InstantOf('The first instant of the month in the time zone of the workspace.'),
    billed_minor: Sum('What the runs cost by the rates.'),
    effective_minor: Sum('The same after discounts, of which there are none.'),
    is_floor: Type.Boolean({ description: 'Whether more was used than has a price in this currency.' }),
    coverage: Type.Enum(['complete', 'partial', 'empty'], {
      description: 'Whether all of what was used has a price in this currency. Empty: nothing was used.',
    }),
  },
  { title: 'FinopsMonth', description: 'The calendar month until now.' },
);

export const ThresholdStatus = Closed(
  {
    scope: Nullable(WorkflowKey, 'The workflow whose budget it is; null for that of all together.'),
    budget_minor: Minor('The budget.'),
    threshold_pct: Percent,
    crossed_at: Nullable(InstantOf('When it was.'), 'When the costs of this month reached it; null if not.'),
  },
  { title: 'FinopsThreshold', description: 'A share of a budget.' },
);

const figureMembers = {
  month_to_date: MonthToDate,
  status: Type.Array(ThresholdStatus, { maxItems: 2_010, description: 'Every threshold of every budget.' }),
};

export const FinopsFigures = Closed(figureMembers, {
  title: 'FinopsFigures',
  description: 'What the workflows cost this month.',
});
export type FinopsFigures = Static<typeof FinopsFigures>;

export const FinopsPolicyAnswer = Closed(
  {
    ...policyMembers,
    ...figureMembers,
    warnings: Type.Array(
      Type.Enum(['budgets_exceed_total'], { description: 'What a reader should know and no fault is.' }),
      { maxItems: 1, description: 'What a reader should know and no fault is.' },
    ),
  },
  { title: 'FinopsPolicyWithFigures', description: 'The policy, and the month until now.' },
);
