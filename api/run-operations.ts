import Type, { type TProperties } from 'typebox';
import type { Job } from '#lib/core/job.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Product } from '#lib/products.ts';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import type { Scope } from '#lib/core/scope.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { RunResource, RunSummary } from '#lib/pipeline/run.schema.ts';
import { readRun, runsReply, type ReadingCall } from './run-reads.ts';
import { presentRun } from './runs.ts';
import { defineOperation } from './services.ts';

type RunReading = { key: string; product: Product; scope: Scope; summary: string; description?: string };

/** What narrows a list of runs by their state. */
export const runStateFilter = {
  state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
};

type RunList = RunReading & {
  /** Each asks for a member of the summary. */
  filters: TProperties;
  /** What the member of a filter is called where its name is another. */
  members?: Readonly<Record<string, string>>;
};

/** Declares the list of a job's runs at its resource. */
export function defineRunList(job: Job, { filters, members = {}, ...operation }: RunList): Operation {
  const asked = Object.keys(filters).map((name) => ({ name, member: members[name] ?? name }));
  const unknown = asked.find(({ member }) => !job.summary.includes(member as never));
  if (unknown) throw new Error(`${job.key} has no ${unknown.member} in its summary to filter by`);
  return defineOperation({
    description: 'Runs of the workspace in the environment of the credential, in any state.',
    ...operation,
    method: 'GET',
    path: job.resource,
    addition: true,
    query: Closed({ ...pageQuery, ...runStateFilter, ...filters }),
    success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
    problems: ['invalid_cursor'],
    async handle({ services, query }) {
      const given: Record<string, unknown> = query;
      const summary = Object.fromEntries(asked.map(({ name, member }) => [member, given[name]]));
      return runsReply(services, query, { job, summary });
    },
  });
}

type RunRead = RunReading & {
  /** The end of the sentence "There is no such …". */
  noun: string;
  /** What `include` can add to a sealed run. */
  include?: { name: string; description: string };
};

/** Declares the reading of one run of a job, in whatever state, with waiting for its end. */
export function defineRunRead(job: Job, { noun, include, ...operation }: RunRead): Operation {
  return defineOperation({
    description:
      'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
      'caller would have got.',
    ...operation,
    method: 'GET',
    path: `${job.resource}/{uid}` as '/{uid}',
    addition: true,
    query: Closed({
      ...waitQuery,
      ...(include && {
        include: Type.Optional(Type.Enum([include.name], { description: include.description })),
      }),
    }),
    success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
    problems: ['not_found'],
    async handle(call) {
      const found =
        (await readRun(call as ReadingCall, [job.key])) ??
        call.fail('not_found', `There is no such ${noun}.`);
      return { status: 200, body: presentRun(found) };
    },
  });
}
