import Type, { type Static } from 'typebox';
import { Closed, Minor } from '#lib/core/schema.ts';
import { WorkflowKey } from './definition.schema.ts';

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217. Costs in other currencies are not counted.',
  examples: ['EUR'],
});

/** What a workspace wants to be told about the costs of its workflows. */
export const finopsMembers = {
  mode: Type.Literal('observe', {
    description: 'It observes: no run is held up or stopped by it.',
    examples: ['observe'],
  }),
  currency: Currency,
  monthly_budget_minor: Minor('The budget of a month for all workflows together.'),
  thresholds_pct: Type.Array(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Per cent of a budget.', examples: [80] }),
    { minItems: 1, maxItems: 10, description: 'Shares of each budget that are told when crossed; rising.' },
  ),
  per_workflow: Type.Array(
    Closed(
      { workflow_key: WorkflowKey, monthly_budget_minor: Minor('Its budget of a month.') },
      { description: 'The budget of one workflow.' },
    ),
    { maxItems: 200, description: 'Budgets of single workflows; together they may exceed that of all.' },
  ),
  cost_basis: Type.Enum(['metered', 'estimated'], {
    description:
      'Metered: what the runs of the steps took, by the rate at their end. Estimated: what the definitions say a run costs.',
  }),
  labels: Type.Record(
    Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
    Type.String({ maxLength: 100, description: 'A word.', examples: ['cc-1'] }),
    { maxProperties: 20, description: 'Words of your own, such as a cost centre.' },
  ),
};

export const FinopsPolicyBody = Closed(finopsMembers);
export type FinopsPolicyBody = Static<typeof FinopsPolicyBody>;
