import Type from 'typebox';
import type { InputOf, Outcome } from '#lib/core/run.ts';
import { operationsWith } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import type { RunKey, runs } from '#lib/runs.ts';
import { runner, type ComputationOf, type LoadRunner, type Runner } from '#workers/process/runner.ts';
import type { runners as held } from '#workers/runners.ts';

// Code that must not compile. Nothing in this file is run: the compiler reports each expected error that is
// missing. Each case changes a valid declaration as little as possible, so that the error has no other
// cause.

type Services = { greet(name: string): string };

const defineOperation = operationsWith<Services>();

const declared = {
  key: 'tests.things.create',
  product: 'Quant',
  method: 'POST',
  path: '/tests/{project}/things/{uid}',
  scope: 'quant:compute:run',
  summary: 'Creates a thing.',
  query: Closed({ wait: Type.Optional(Type.Integer()) }),
  body: Closed({ name: Type.String() }),
  success: {
    status: 201,
    description: 'The thing.',
    schema: Closed({ uid: Type.String(), size: Type.Integer() }),
  },
  problems: ['not_found'],
} as const;

const created = { status: 201, body: { uid: 'x', size: 1 } } as const;

const accepted = { status: 202, body: { state: 'queued' } } as const;

export const operations = [
  defineOperation({
    ...declared,
    async handle({ params, query, body, services, fail }) {
      const wait: number | undefined = query.wait;
      if (wait === 0) fail('not_found', services.greet(params.project + params.uid + body.name));
      return created;
    },
  }),

  defineOperation({
    ...declared,
    accepted: Closed({ state: Type.String() }),
    handle: async ({ query }) => (query.wait ? created : accepted),
  }),

  defineOperation({
    ...declared,
    async handle({ params }) {
      // @ts-expect-error -- the path has no such parameter
      void params.portfolio;
      return created;
    },
  }),

  defineOperation({
    ...declared,
    path: '/tests/things',
    async handle({ params }) {
      // @ts-expect-error -- a path without braces has no parameters at all
      void params.uid;
      return created;
    },
  }),

  defineOperation({
    ...declared,
    async handle({ fail }) {
      // @ts-expect-error -- a problem of the table that the operation does not declare
      fail('run_cancelled', 'no');
      return created;
    },
  }),

  defineOperation({
    ...declared,
    problems: [],
    async handle({ fail }) {
      // @ts-expect-error -- an operation without declared problems has none to fail with
      fail('not_found', 'no');
      return created;
    },
  }),

  defineOperation({
    ...declared,
    // @ts-expect-error -- not a problem of the table
    problems: ['not_found', 'out_of_paper'],
    handle: async () => created,
  }),

  defineOperation({
    ...declared,
    // @ts-expect-error -- a field of the answer has another type than its schema
    handle: async () => ({ status: 201, body: { uid: 'x', size: '1' } }),
  }),

  defineOperation({
    ...declared,
    // @ts-expect-error -- a field of the answer is missing
    handle: async () => ({ status: 201, body: { uid: 'x' } }),
  }),

  defineOperation({
    ...declared,
    // @ts-expect-error -- another status than the declared one
    handle: async () => ({ status: 200, body: { uid: 'x', size: 1 } }),
  }),

  defineOperation({
    ...declared,
    // @ts-expect-error -- 202 without `accepted`
    handle: async () => accepted,
  }),

  defineOperation({
    ...declared,
    accepted: Closed({ state: Type.String() }),
    // @ts-expect-error -- the answer of a 202 under the status of success
    handle: async () => ({ status: 201, body: { state: 'queued' } }),
  }),

  defineOperation({
    ...declared,
    async handle({ body }) {
      // @ts-expect-error -- the body has no such field
      void body.title;
      return created;
    },
  }),

  defineOperation({
    ...declared,
    async handle({ query }) {
      // @ts-expect-error -- the query has no such parameter
      void query.limit;
      return created;
    },
  }),

  defineOperation({
    ...declared,
    async handle({ services }) {
      // @ts-expect-error -- the services have no such member
      void services.em;
      return created;
    },
  }),

  defineOperation({
    ...declared,
    // @ts-expect-error -- not a scope of the published interface
    scope: 'quant:everything',
    handle: async () => created,
  }),
];

/** The type with which `workers/runners.ts` requires a runner for each run, here applied to a local map of runs. */
type RunnersOf<Runs> = { [Key in keyof Runs]: Runner<Extract<Runs[Key], AnyLocal>> };
type AnyLocal = (typeof local)[keyof typeof local];
type Data = { sizes: number[] };

const measure = defineRun({
  key: 'tests.measure',
  prefix: 'tfr',
  queue: 'numerics',
  scope: 'quant:compute:run',
  resource: '/tests/measures',
  model: 'measure_v1',
  request: Closed({ as_of_date: Type.Optional(Type.String()) }),
  input: Closed({ as_of_date: Type.String() }),
  summary: ['as_of_date'],
  output: Closed({ result: Closed({ size: Type.Number() }) }),
  attachments: Closed({ sizes: Type.Array(Type.Number()) }),
  refusals: [],
  problems: ['market_history_insufficient'],
  timeoutMs: 1_000,
  attempts: 1,
  resolve: async (_em, { as_of_date = '2020-09-30' }) => ({ input: { as_of_date } }),
});
const weigh = defineRun({ ...measure, key: 'tests.weigh', problems: ['taxonomy_unavailable'] });
const local = { [measure.key]: measure, [weigh.key]: weigh } as const;

const load = async (): Promise<Data> => ({ sizes: [1] });
const outcome = {
  ok: true,
  output: { result: { size: 1 } },
  attachments: { sizes: [1] },
} as const satisfies Outcome<typeof measure>;

const compute = new URL('./measure.compute.ts', import.meta.url);
const measures = runner(measure, { load, compute });
const weighs = runner(weigh, { load, compute });

export const runners = [
  { 'tests.measure': measures, 'tests.weigh': weighs } satisfies RunnersOf<typeof local>,

  // @ts-expect-error -- a declared run without a runner
  { 'tests.measure': measures } satisfies RunnersOf<typeof local>,

  // @ts-expect-error -- the runner of another run
  { 'tests.measure': measures, 'tests.weigh': measures } satisfies RunnersOf<typeof local>,

  // @ts-expect-error -- the runner of an undeclared run
  { 'tests.measure': measures, 'tests.weigh': weighs, 'tests.count': weighs } satisfies RunnersOf<
    typeof local
  >,

  // @ts-expect-error -- a runner without a computation
  runner(measure, { load }),

  // @ts-expect-error -- a runner that divides by a member that the input does not have
  runner(measure, { load, compute, divide: ({ samples }) => [{ first: 0, count: samples }] }),
];

export const computations: ComputationOf<typeof measures>[] = [
  (_input, { sizes }) => ({ ...outcome, attachments: { sizes } }),

  // @ts-expect-error -- a computation that takes other data than the runner loads
  (_input: unknown, _data: { sizes: string[] }) => outcome,
];

export const outcomes: Outcome<typeof measure>[] = [
  outcome,
  { ok: false, refusal: { code: 'market_history_insufficient', detail: 'no' } },

  // @ts-expect-error -- a refusal of the table that the run does not declare
  { ok: false, refusal: { code: 'taxonomy_unavailable', detail: 'no' } },

  // @ts-expect-error -- a member of the result is missing
  { ok: true, output: { result: {} }, attachments: { sizes: [1] } },

  // @ts-expect-error -- the attachments are missing
  { ok: true, output: { result: { size: 1 } } },
];

export const inputs: InputOf<typeof measure>[] = [
  { as_of_date: '2020-09-30' },
  // @ts-expect-error -- the input has no such member
  { as_of_date: '2020-09-30', months: 12 },
];

export const declarations = [
  // @ts-expect-error -- not a problem of the table
  defineRun({ ...measure, problems: ['out_of_paper'] }),
  // @ts-expect-error -- not a prefix of the table of uids
  defineRun({ ...measure, prefix: 'xyz' }),
  // @ts-expect-error -- not a scope of the published interface
  defineRun({ ...measure, scope: 'quant:everything' }),
  // @ts-expect-error -- an input that lacks a member
  defineRun({ ...measure, resolve: async () => ({ input: {} }) }),
  // @ts-expect-error -- a request that has no such member
  defineRun({ ...measure, resolve: async (_em, { months }) => ({ input: { as_of_date: months } }) }),
  // @ts-expect-error -- not a queue
  defineRun({ ...measure, queue: 'video' }),
  // @ts-expect-error -- the input has no such member
  defineRun({ ...measure, summary: ['colour'] }),
  // @ts-expect-error -- not a problem of the table
  new Problem('out_of_paper', 'no'),
];

// The map of runners in `workers/runners.ts` must have one entry for each run. A map without an entry must not
// compile.
export type Held = [
  Every<typeof held, { [Key in RunKey]: LoadRunner<(typeof runs)[Key]> }>,
  // @ts-expect-error -- a map without the entry of a run is not of that type
  Every<Record<never, never>, { [Key in RunKey]: LoadRunner<(typeof runs)[Key]> }>,
];
type Every<Given extends Needed, Needed> = [Given, Needed];
