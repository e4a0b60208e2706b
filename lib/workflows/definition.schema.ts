import Type, { type Static } from 'typebox';
import { Closed, Line } from '#lib/core/schema.ts';
import { taskScopes } from './task-scopes.ts';

/** Schema of the key of a workflow. */
export const WorkflowKey = Type.String({
  pattern: '^[a-z][a-z0-9-]{1,63}$',
  description: 'The key of a workflow.',
  examples: ['month-end-themes'],
});

const Key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' });

export const parameterTypes = ['integer', 'number', 'text', 'date', 'boolean'] as const;

const Parameter = Closed({
  name: Key,
  type: Type.Enum([...parameterTypes]),
  description: Line(200, 'A short description.', 'The last day of the data to use.'),
  required: Type.Boolean(),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
});

const simple = [
  Type.String({ maxLength: 500 }),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Closed({ parameter: Key }),
  Closed({ step: Key, pointer: Type.String({ maxLength: 200, pattern: '^(/[^/]{1,60}){0,10}$' }) }),
] as const;

/**
 * Schema of a simple value of a step: a literal, a parameter of the run, or a pointer into the output of an earlier
 * step.
 */
const Simple = Type.Union([...simple]);

/** Schema of a value of a step: a simple value, a list of simple values, or any other JSON value as a literal. */
const Value = Type.Union([
  ...simple,
  Type.Array(Simple, { maxItems: 500 }),
  Closed({ literal: Type.Unknown() }),
]);
const Values = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), Value);

const common = {
  key: Key,
  /** The keys of the steps that must have succeeded before. Default: the previous step. */
  needs: Type.Optional(Type.Array(Key, { maxItems: 20, uniqueItems: true })),
};

export const gateOperators = ['eq', 'in', 'lte', 'gte'] as const;

const Step = Type.Union([
  Closed({
    ...common,
    kind: Type.Literal('run'),
    /** The key of a kind of run. */
    job: Type.String({ pattern: '^[a-z-]+[.][a-z-]+$' }),
    input: Values,
    attempts: Type.Integer({ minimum: 1, maximum: 10 }),
    wait_seconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  }),
  Closed({
    ...common,
    kind: Type.Literal('task'),
    task: Type.Enum(Object.keys(taskScopes) as (keyof typeof taskScopes)[]),
    input: Values,
  }),
  Closed({
    ...common,
    kind: Type.Literal('gate'),
    value: Simple,
    op: Type.Enum([...gateOperators]),
    against: Type.Union([
      Type.String({ maxLength: 100 }),
      Type.Number(),
      Type.Boolean(),
      Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 50 }),
    ]),
    /** The effect on the run if the condition of the gate does not hold. */
    otherwise: Type.Enum(['fail', 'ask']),
  }),
  Closed({
    ...common,
    kind: Type.Literal('approval'),
    question: Line(200, 'The question to answer.', 'May the figures be sent?'),
  }),
  Closed({
    ...common,
    kind: Type.Literal('report'),
    title: Line(200, 'The title.', 'Themes at the end of the month'),
    figures: Values,
  }),
]);

/** The content of a workflow: parameters, and a sequence of steps. */
export const WorkflowDefinition = Closed({
  key: WorkflowKey,
  title: Line(200, 'The title.', 'Themes at the end of the month'),
  description: Line(500, 'A short description.', 'Runs the theme factors and reports on them.'),
  risk_tier: Type.Enum(['T1', 'T2']),
  time_limit_hours: Type.Integer({ minimum: 1, maximum: 720 }),
  cost_estimate: Type.Union([
    Closed({
      currency: Type.String({ pattern: '^[A-Z]{3}$' }),
      per_run_minor: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    }),
    Type.Null(),
  ]),
  parameters: Type.Array(Parameter, { maxItems: 20 }),
  steps: Type.Array(Step, { minItems: 1, maxItems: 50 }),
});

export type WorkflowDefinition = Static<typeof WorkflowDefinition>;
export type StepDefinition = WorkflowDefinition['steps'][number];
export type StepValue = Static<typeof Value>;
export type StepValues = Readonly<Record<string, StepValue>>;
