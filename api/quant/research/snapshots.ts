import Type, { type Static } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Uid, waitQuery } from '#lib/core/schema.ts';
import { currentRevisions } from '#lib/data/dataset.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { findVersions, pinVersions } from '#lib/quant/feature-version.repository.ts';
import { firstIdentical } from '#lib/quant/identical-run.repository.ts';
import type { ProjectDefinition } from '#lib/quant/project-definition.ts';
import { findProject } from '#lib/quant/research-project.repository.ts';
import { researchSnapshotsRun } from '#lib/quant/research-snapshots.run.ts';
import { ProjectId, SnapshotRequestBody } from '#lib/quant/research-snapshots.schema.ts';
import { invalid } from '../../derive/router.ts';
import { readRun } from '../../run-reads.ts';
import { presentRun, submissionProblems } from '../../runs.ts';
import { defineRunList } from '../../run-operations.ts';
import { defineOperation, type Services } from '../../services.ts';

const job = researchSnapshotsRun;

/** The sealed run, and beside the seal which snapshot had the same content first. */
const Snapshot = Closed(
  {
    ...SealedRun(job).properties,
    identical_to: Nullable(
      Uid(prefixes.researchSnapshot, 'The snapshot.'),
      'The first snapshot with the same content, made before this one; null where this is the first.',
    ),
  },
  { title: 'ResearchSnapshot', description: 'A sealed snapshot of a research project.' },
);

type Sealed = Static<typeof Snapshot> & { uid: string; result_hash: string };

export const createResearchSnapshot = defineOperation({
  key: 'quant.research.snapshots.create',
  product: 'Quant',
  method: 'POST',
  path: '/quant/research/snapshots',
  scope: 'quant:research:run',
  summary: 'Builds the feature matrix of a project as it was known at the end of a day, and seals it.',
  description:
    'Only what was about that day or before, and was known by its end (UTC), counts. What was known later is refused as ' +
    'leakage, as is a target that reaches into the window of the features. A snapshot of the same content has the same ' +
    '`content_hash`.',
  body: SnapshotRequestBody,
  success: { status: 201, description: 'The snapshot, sealed.', schema: Snapshot },
  accepted: OpenRun(job),
  problems: ['not_found', ...job.problems, ...submissionProblems],
  async handle(call) {
    const { services, body, fail } = call;
    const asOf = body.as_of_date;
    const today = utcDate(services.clock.now());
    if (asOf > today) throw refusedDate('in_future', `must not be after today, ${today}`);
    const submitted = await services.runs.submit(job, call, async (em) => {
      const project =
        (await findProject(em, { id: body.project_id })) ??
        fail('not_found', 'There is no such research project.');
      if (project.definition.calendar === 'month_end' && lastDayOfMonth(monthOf(asOf)) !== asOf) {
        throw refusedDate('calendar', 'must be the last day of a month, as the calendar of the project says');
      }
      const input = { project_id: project.id, project_version: project.version, as_of_date: asOf };
      return { input, datasetRevisions: await pins(em, project.definition) };
    });
    const answer = await services.runs.answer(job, call, submitted);
    if (answer.status === 202) return answer;
    return { ...answer, body: await withIdentical(services, answer.body) };
  },
});

export const listResearchSnapshots = defineRunList(job, {
  key: 'quant.research.snapshots.list',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Lists research snapshots, newest first, without their results.',
  filters: {
    project_id: Type.Optional(ProjectId),
    as_of_date: Type.Optional(IsoDate),
  },
});

export const getResearchSnapshot = defineOperation({
  key: 'quant.research.snapshots.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/research/snapshots/{uid}',
  scope: 'quant:research:read',
  summary: 'Reads a research snapshot, and waits for its end on request.',
  description:
    'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
    'caller would have got. The matrix is there when it is asked for.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(Type.Enum(['matrix'], { description: 'Adds the matrix.' })),
  }),
  success: {
    status: 200,
    description: 'The snapshot, sealed once it has succeeded.',
    schema: Type.Union([Snapshot, OpenRun(job)], {
      title: 'ResearchSnapshotRun',
      description: 'A snapshot in any state.',
    }),
  },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such research snapshot.');
    const body = presentRun(found);
    return { status: 200, body: found.result ? await withIdentical(call.services, body) : (body as never) };
  },
});

async function withIdentical(services: Services, body: unknown): Promise<Sealed> {
  const sealed = body as Sealed;
  const { uid, result_hash: resultHash } = sealed;
  const first = await services.transaction((em) => firstIdentical(em, { kind: job.key, uid, resultHash }));
  return { ...sealed, identical_to: first ?? null };
}

/** The state of the data and of the features that the snapshot may read, for ever. */
async function pins(em: Em, { features, target }: ProjectDefinition): Promise<Record<string, number>> {
  const named = target ? [...features, { key: target.feature, version: target.version }] : features;
  const ids = (await findVersions(em, named)).map(({ id }) => id);
  return { ...(await currentRevisions(em)), ...(await pinVersions(em, [...new Set(ids)])) };
}

function refusedDate(code: string, message: string) {
  return invalid([{ pointer: '/as_of_date', in: 'body', code, message }]);
}
