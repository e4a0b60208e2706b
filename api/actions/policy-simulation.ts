import Type, { type Static, type TSchema } from 'typebox';
import { Closed, InstantOf } from '#lib/core/schema.ts';
import { fieldNames, fields, type Field, type PolicyInput } from '#lib/governance/policy/fields.ts';
import { policiesInForce } from '#lib/governance/policy/policies-in-force.query.ts';
import { redactDecision } from '#lib/governance/policy/redact.ts';
import { decidePolicies } from '#lib/governance/policy/shadow.ts';
import { defineTool } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { decisionMembers, Shadow } from './decision.schema.ts';

const Input = Closed(
  Object.fromEntries(fieldNames.map((name) => [name, Type.Optional(valueOf(fields[name]))])),
  {
    description: 'The input of the policies. An omitted field is unknown; it is never treated as zero.',
  },
);

const Simulated = Closed(
  { ...decisionMembers, shadow: Shadow },
  { title: 'SimulatedDecision', description: 'The decision that the active policies would make.' },
);

export const simulatePolicy = defineTool({
  name: 'simulate_policy',
  summary: 'Returns the decision that the active policies would make.',
  description:
    'The simulation has no effect and stores nothing. The answer is the decision for this input now: the rules that ' +
    'would determine it, and the conditions that block the action with the nearest allowed value. A ' +
    'new workspace has no policies and denies every action.',
  scope: 'actions:read',
  input: Closed({ input: Input }),
  output: Simulated,
  async call({ input }, { caller, services }) {
    const policies = await services.query(policiesInForce, tenantOf(caller));
    const { decision, shadow } = decidePolicies(policies, input as PolicyInput);
    const simulated = {
      ...redactDecision(decision, [...caller.scopes]),
      shadow: shadow ? { effect: shadow.decision.effect, would_change: shadow.would_change } : null,
    };
    return simulated as unknown as Static<typeof Simulated>;
  },
});

function valueOf({ type, description, min, max, values }: Field): TSchema {
  const word = values ? Type.Enum([...values]) : Type.String({ minLength: 1, maxLength: 100 });
  switch (type) {
    case 'money':
    case 'integer':
    case 'id':
      return Type.Integer({ minimum: min!, maximum: max!, description });
    case 'boolean':
      return Type.Boolean({ description });
    case 'instant':
      return InstantOf(description);
    case 'set':
      return Type.Array(word, { maxItems: 200, uniqueItems: true, description });
    case 'text':
      return { ...word, description };
  }
}
