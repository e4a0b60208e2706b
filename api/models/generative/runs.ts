import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { pathsRun } from '#lib/models/scenarios/paths.run.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { listRuns } from '#lib/pipeline/run-record.query.ts';
import { OpenRun, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { listReply } from '../../http/page.ts';
import { readRun } from '../../run-reads.ts';
import { presentRun, presentSummary } from '../../runs.ts';
import { runStateFilter } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import { defineSamples } from './samples.ts';

const RUNS = '/generative/runs';
const kinds = [scenariosRun.key, pathsRun.key] as const;

const AnySummary = Type.Union([RunSummary(scenariosRun), RunSummary(pathsRun)], {
  title: 'GenerativeRunSummary',
  description: 'A run of scenarios or paths, without its result.',
});
const AnyRun = Type.Union(
  [SealedRun(scenariosRun), OpenRun(scenariosRun), SealedRun(pathsRun), OpenRun(pathsRun)],
  { title: 'GenerativeRun', description: 'A run of scenarios or paths in any state.' },
);

export const listGenerativeRuns = defineOperation({
  key: 'generative.runs.list',
  product: 'Generative',
  method: 'GET',
  path: RUNS,
  scope: 'generative:models:read',
  summary: 'Lists runs of scenarios and paths, newest first, without their results.',
  description: 'Returns runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(Type.Enum([...kinds], { description: 'Returns only runs of this kind.' })),
    ...runStateFilter,
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(AnySummary) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { kind, state } = query;
    return listReply(services, query, {
      list: RUNS,
      filters: { kind: kind ?? null, state: state ?? null },
      rows: (em, page) => listRuns(em, { kind: kind ?? kinds, state, ...page }),
      present: (run) => presentSummary(run.kind === pathsRun.key ? pathsRun : scenariosRun, run),
    });
  },
});

export const getGenerativeRun = defineOperation({
  key: 'generative.runs.get',
  product: 'Generative',
  method: 'GET',
  path: `${RUNS}/{uid}`,
  scope: 'generative:models:read',
  summary: 'Returns a run of scenarios or paths, and optionally waits until it ends.',
  description: 'If a run fails after it was accepted, the answer is 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: AnyRun },
  problems: ['not_found'],
  async handle(call) {
    const found = (await readRun(call, kinds)) ?? call.fail('not_found', 'This run does not exist.');
    return { status: 200, body: presentRun(found) };
  },
});

export const getGenerativeSamples = defineSamples({
  key: 'generative.runs.samples.get',
  product: 'Generative',
  path: RUNS,
  scope: 'generative:models:read',
  kinds,
});
