import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Uid, waitQuery } from '#lib/core/schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { firstIdentical } from '#lib/research/identical-run.query.ts';
import { researchSnapshotsRun } from '#lib/research/research-snapshots.run.ts';
import { ProjectId, SnapshotRequestBody } from '#lib/research/research-snapshots.schema.ts';
import { readRun } from '../../../run-reads.ts';
import { presentRun } from '../../../runs.ts';
import { defineRunList, defineRunSubmission } from '../../../run-operations.ts';
import { defineOperation, type Services } from '../../../services.ts';

/** A sealed snapshot run, and the first snapshot that has the same content. */
const Snapshot = Closed(
  {
    ...SealedRun(researchSnapshotsRun).properties,
    identical_to: Nullable(
      Uid(prefixes.researchSnapshot, 'The uid of a snapshot.'),
      'The uid of the first snapshot with the same content; null if this snapshot is the first.',
    ),
  },
  { title: 'ResearchSnapshot', description: 'A sealed snapshot of a research project.' },
);

type Sealed = Static<typeof Snapshot> & { uid: string; result_hash: string };

export const createResearchSnapshot = defineRunSubmission(researchSnapshotsRun, {
  key: 'quant.research.snapshots.create',
  product: 'Quant',
  summary: 'Builds the feature matrix of a project as it was known at the end of a day, and seals it.',
  description:
    'The matrix contains only values that describe the as-of date or an earlier day and ' +
    'were known by the end of the as-of date (UTC). ' +
    'Values that became known later are refused as leakage, and so is a target that overlaps the window of ' +
    'the features. Snapshots with the same content have the same `content_hash`.',
  body: SnapshotRequestBody,
  sealed: 'The sealed snapshot.',
  resource: { schema: Snapshot, present: withIdentical },
});

export const listResearchSnapshots = defineRunList(researchSnapshotsRun, {
  key: 'quant.research.snapshots.list',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Lists research snapshots, newest first, without their results.',
  filters: {
    project_id: Type.Optional({
      ...ProjectId,
      description: 'Returns only snapshots of this project, by id.',
    }),
    as_of_date: Type.Optional({ ...IsoDate, description: 'Returns only snapshots with this as-of date.' }),
  },
});

export const getResearchSnapshot = defineOperation({
  key: 'quant.research.snapshots.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/research/snapshots/{uid}',
  scope: 'quant:research:read',
  summary: 'Returns a research snapshot, and optionally waits until the run ends.',
  description:
    'If a run fails after it was accepted, the answer is 200 with the state `failed` and the problem that a waiting caller would have received. The matrix is included only on request.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(Type.Enum(['matrix'], { description: 'Adds the matrix.' })),
  }),
  success: {
    status: 200,
    description: 'The snapshot. It is sealed once the run has succeeded.',
    schema: Type.Union([Snapshot, OpenRun(researchSnapshotsRun)], {
      title: 'ResearchSnapshotRun',
      description: 'A snapshot in any state.',
    }),
  },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [researchSnapshotsRun.key])) ??
      call.fail('not_found', 'There is no such research snapshot.');
    const body = presentRun(found);
    return { status: 200, body: found.result ? await withIdentical(call.services, body) : (body as never) };
  },
});

async function withIdentical(services: Services, body: unknown): Promise<Sealed> {
  const sealed = body as Sealed;
  const { uid, result_hash: resultHash } = sealed;
  const first = await services.query(firstIdentical, { kind: researchSnapshotsRun.key, uid, resultHash });
  return { ...sealed, identical_to: first ?? null };
}
