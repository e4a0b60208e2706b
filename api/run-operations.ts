import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { RequestOf, RunKind } from '#lib/core/run.ts';
import type { Operation, Preferences } from '#lib/core/operation.ts';
import type { Product } from '#lib/products.ts';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import type { Scope } from '#lib/core/scope.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { readRun, runsReply, type ReadingCall } from './run-reads.ts';
import { presentRun, submissionProblems, type SubmittingCall } from './runs.ts';
import { declareRoute, type OtherRun } from './run-routes.ts';
import { insufficientScope } from './http/access.ts';
import { defineOperation, type Services } from './services.ts';

type RunSubmission<R extends Run> = {
  key: string;
  product: Product;
  summary: string;
  description: string;
  addition?: boolean;
  /** The schema of the members of the request that come from the query. */
  query?: TObject;
  /** The schema of the members of the request that come from the body. */
  body?: TObject;
  bodyOptional?: boolean;
  /** The member of the request whose value is the parameter of the path. */
  subject?: keyof RequestOf<R> & string;
  /** Returns the scopes that the request needs in addition to the scope of the run. */
  needs?(request: RequestOf<R>): readonly Scope[];
  /** The description of the answer with the sealed run, such as "The training, sealed." */
  sealed: string;
  /** The representation of a sealed run, if it is not the run itself. */
  resource?: { schema: TSchema; present(services: Services, sealed: never): Promise<unknown> };
  /** Another run that the operation submits for a body with this `kind`. */
  other?: OtherRun;
};

type SubmissionCall = SubmittingCall & {
  services: Services;
  prefer: Preferences;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Declares the operation that submits a run. It answers 201 with the sealed run, or 202 while the run has not
 * ended.
 */
export function defineRunSubmission<R extends Run>(
  run: R,
  { subject, needs, sealed, resource, body, query, other, ...operation }: RunSubmission<R>,
): Operation {
  declareRoute({ run, summary: operation.summary, subject, needs, body, query, other });
  if (other) declareRoute({ ...other, needs: () => other.needs, subject, query, other: undefined });
  return defineOperation({
    ...operation,
    ...(query && { query }),
    ...(body && { body }),
    ...(other && { bodiesByKind: { [other.kind]: other.body } }),
    method: 'POST',
    path: run.submission ?? run.resource,
    scope: run.scope,
    success: {
      status: 201,
      description: sealed,
      schema: resource?.schema ?? eitherOf(SealedRun, { run, other, title: other?.titles.sealed }),
    },
    accepted: eitherOf(OpenRun, { run, other, title: other?.titles.open }),
    problems: [
      ...new Set(
        [run, ...(other ? [other.run] : [])].flatMap((each) => [...each.refusals, ...each.problems]),
      ),
      ...submissionProblems,
    ],
    async handle(handled) {
      const call = handled as unknown as SubmissionCall;
      const { services, params } = call;
      // Query and body were checked against their schemas. Together their members are the members of the
      // request; a test compares them.
      const request = {
        ...call.query,
        ...call.body,
        ...(subject && { [subject]: Object.values(params)[0] }),
      } as never;
      const chosen = other !== undefined && call.body?.['kind'] === other.kind ? other : undefined;
      for (const scope of chosen?.needs ?? needs?.(request) ?? [])
        if (!call.caller.scopes.has(scope)) throw insufficientScope(scope);
      const submittedRun = chosen?.run ?? run;
      const submitted = await services.runs.submit(submittedRun, call, request);
      const reply = await services.runs.answer(submittedRun, call, submitted);
      if (reply.status === 202 || !resource) return reply;
      return { ...reply, body: (await resource.present(services, reply.body as never)) as never };
    },
  });
}

/** Returns the schema of a run, or of either run of an operation that submits two kinds. */
function eitherOf(
  schemaOf: (run: RunKind) => TSchema,
  { run, other, title }: { run: Run; other: OtherRun | undefined; title: string | undefined },
): TSchema {
  return other ? Type.Union([schemaOf(run), schemaOf(other.run)], { title: title! }) : schemaOf(run);
}

type RunReading = {
  key: string;
  product: Product;
  scope: Scope;
  summary: string;
  description?: string;
  /** Whether the operation is an addition to the published interface. Default: true. */
  addition?: boolean;
};

/** The filter of a list of runs by state. */
export const runStateFilter = {
  state: Type.Optional(Type.Enum([...runStates], { description: 'Returns only runs in this state.' })),
};

type RunList = RunReading & {
  /** The query parameters that filter the list. Each parameter filters by a member of the summary. */
  filters: TProperties;
  /** The member of the summary to which a parameter of `filters` applies, if the member has another name. */
  members?: Readonly<Record<string, string>>;
};

/** Declares the operation that lists the runs of a job, at the path of the job's resource. */
export function defineRunList(job: RunKind, { filters, members = {}, ...operation }: RunList): Operation {
  const requested = Object.keys(filters).map((name) => ({ name, member: members[name] ?? name }));
  const unknown = requested.find(({ member }) => !job.summary.includes(member as never));
  if (unknown) throw new Error(`${job.key} has no ${unknown.member} in its summary to filter by`);
  return defineOperation({
    description: 'Lists the runs of the workspace in the environment of the credential, in any state.',
    addition: true,
    ...operation,
    method: 'GET',
    path: job.resource,
    query: Closed({ ...pageQuery, ...runStateFilter, ...filters }),
    success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
    problems: ['invalid_cursor'],
    async handle({ services, query }) {
      const given: Record<string, unknown> = query;
      const summary = Object.fromEntries(requested.map(({ name, member }) => [member, given[name]]));
      return runsReply(services, query, { job, summary });
    },
  });
}

type RunRead = RunReading & {
  /** The name of the resource, which ends the sentence "There is no such …". */
  noun: string;
  /** The attachments that `include` can name. A request can add one of them to a sealed run. */
  include?: Included | readonly Included[];
};

type Included = { name: string; description: string };

/** Declares the operation that reads one run of a job in any state, and can wait for its end. */
export function defineRunRead(job: RunKind, { noun, include, ...operation }: RunRead): Operation {
  return defineOperation({
    description:
      'If a run fails after it was accepted, the answer is 200 with the state `failed` and the problem that a waiting caller would have received.',
    addition: true,
    ...operation,
    method: 'GET',
    path: `${job.resource}/{uid}` as '/{uid}',
    query: Closed({
      ...waitQuery,
      ...(include && { include: Type.Optional(includedOf([include].flat())) }),
    }),
    success: {
      status: 200,
      description: 'The run. It is sealed once it has succeeded.',
      schema: RunResource(job),
    },
    problems: ['not_found'],
    async handle(call) {
      const found =
        (await readRun(call as ReadingCall, [job.key])) ??
        call.fail('not_found', `There is no such ${noun}.`);
      return { status: 200, body: presentRun(found) };
    },
  });
}

/** Returns the schema of `include` for the attachments of a run. */
function includedOf(attachments: readonly Included[]) {
  const describe = ({ name, description }: Included) =>
    attachments.length === 1 ? description : `\`${name}\`: ${description}`;
  return Type.Enum(
    attachments.map(({ name }) => name),
    { description: attachments.map(describe).join(' ') },
  );
}
