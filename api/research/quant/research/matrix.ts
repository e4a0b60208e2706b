import Type from 'typebox';
import type { Caller } from '#lib/core/operation.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Sha256Of, Uid } from '#lib/core/schema.ts';
import { matrixCsv, matrixLayouts, matrixParquet } from '#lib/research/matrix-files.ts';
import { researchSnapshotsRun } from '#lib/research/research-snapshots.run.ts';
import {
  MatrixColumn,
  SnapshotMatrix,
  type SnapshotResult,
} from '#lib/research/research-snapshots.schema.ts';
import { columnProof, leavesOf } from '#lib/research/snapshot-tree.ts';
import { FeatureKey } from '#lib/research/project-definition.ts';
import { defineFile, defineOperation, type Services } from '../../../services.ts';

const CSV = 'text/csv';
const PARQUET = 'application/vnd.apache.parquet';
const forms = { json: 'application/json', csv: CSV, parquet: PARQUET } as const;

export const getSnapshotMatrix = defineFile({
  key: 'quant.research.snapshots.matrix.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/research/snapshots/{uid}/matrix',
  scope: 'quant:research:read',
  addition: true,
  summary: 'Downloads the matrix of a sealed snapshot as JSON, CSV or Parquet.',
  description:
    'The format is taken from `format`, or otherwise from `Accept`. The JSON document is the attachment ' +
    'that the seal covers: the SHA-256 of its RFC 8785 form is `attachment_hashes.matrix`. A CSV or ' +
    'Parquet file has one row per entity, or one row per cell in the long layout.',
  query: Closed({
    format: Type.Optional(
      Type.Enum(['json', 'csv', 'parquet'], {
        description: 'The file format. Takes precedence over `Accept`.',
      }),
    ),
    layout: Type.Optional(
      Type.Enum([...matrixLayouts], {
        default: 'wide',
        description:
          'The layout of a file: one column per feature (`wide`), or one row per cell with all its details ' +
          '(`long`).',
      }),
    ),
  }),
  success: { status: 200, description: 'The matrix.', schema: SnapshotMatrix },
  files: {
    [CSV]: {
      description: 'RFC 4180 with a header line. Null values are empty.',
      example: 'entity,momentum_12_1\r\nAAPL,0.31\r\n',
    },
    [PARQUET]: { description: 'Apache Parquet, compressed with Snappy.', example: 'PAR1' },
  },
  problems: ['not_found', 'not_acceptable'],
  async handle({ services, caller, params, query, accepts, fail }) {
    const form = query.format ? forms[query.format as keyof typeof forms] : accepts(Object.values(forms));
    if (!form) fail('not_acceptable', `The matrix is available as ${Object.values(forms).join(', ')}.`);
    const { matrix } =
      (await sealed(services, caller, params.uid)) ??
      fail('not_found', 'There is no such sealed research snapshot.');
    if (form === forms.json) return { status: 200, headers: { Vary: 'Accept' }, body: matrix };
    const layout = query.layout === 'long' ? 'long' : 'wide';
    return form === CSV
      ? { file: matrixCsv(matrix, layout), type: CSV, name: `${params.uid}.csv` }
      : { file: matrixParquet(matrix, layout), type: PARQUET, name: `${params.uid}.parquet` };
  },
});

const Proof = Type.Array(Sha256Of('The hash of a sibling node.'), {
  maxItems: 32,
  description: 'The hash path to the root (RFC 9162, section 2.1.3), lowest first.',
});

const ColumnDocument = Closed(
  {
    snapshot_uid: Uid(prefixes.researchSnapshot, 'The snapshot that contains the column.'),
    as_of_date: IsoDate,
    root: Sha256Of('The root of the snapshot.'),
    tree_size: Type.Integer({
      minimum: 2,
      description: 'The number of leaves in the tree: one for the entities, and one per column.',
    }),
    entities: Type.Array(Type.String(), { description: 'The rows of the matrix, which form leaf 0.' }),
    entities_proof: Proof,
    column: MatrixColumn,
    leaf: Type.Integer({ minimum: 1, description: 'The leaf index of the column in the tree.' }),
    column_proof: Proof,
  },
  {
    title: 'SnapshotColumnEvidence',
    description: 'A column that can be verified without the other columns.',
  },
);

export const getSnapshotColumn = defineOperation({
  key: 'quant.research.snapshots.column.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/research/snapshots/{uid}/column',
  scope: 'quant:research:read',
  addition: true,
  summary: 'Returns one column of a sealed snapshot with its hash path.',
  description:
    'The column can be verified with only the sealed root. `assay verify` does this for a saved answer, ' +
    'and needs neither the snapshot nor the service.',
  query: Closed({
    feature: Type.Optional({
      ...FeatureKey,
      description: 'Key of the feature. Default: the first column.',
    }),
  }),
  success: { status: 200, description: 'The column and its proof.', schema: ColumnDocument },
  problems: ['not_found'],
  async handle({ services, caller, params, query, fail }) {
    const found =
      (await sealed(services, caller, params.uid)) ??
      fail('not_found', 'There is no such sealed research snapshot.');
    const { matrix, result } = found;
    const listed =
      (query.feature === undefined
        ? result.columns[0]
        : result.columns.find(({ feature }) => feature === query.feature)) ??
      fail('not_found', `The snapshot has no column ${query.feature}.`);
    const leaves = leavesOf(result);
    return {
      status: 200,
      body: {
        snapshot_uid: params.uid,
        as_of_date: result.as_of_date,
        root: result.root,
        tree_size: leaves.length,
        entities: matrix.entities,
        entities_proof: columnProof(leaves, 0),
        column: matrix.columns[listed.leaf - 1]!,
        leaf: listed.leaf,
        column_proof: columnProof(leaves, listed.leaf),
      },
    };
  },
});

/** Returns the matrix of a successful snapshot, with its result. */
async function sealed(services: Services, caller: Caller, uid: string) {
  const found = await services.runs.wait({ caller, signal: services.signal }, uid, 0, ['matrix']);
  if (found?.run.kind !== researchSnapshotsRun.key || !found.result) return undefined;
  // The sealed result was already checked against the declaration of the run.
  const { members, attachments } = found.result as unknown as {
    members: { result: SnapshotResult };
    attachments: { matrix: SnapshotMatrix };
  };
  return { result: members.result, matrix: attachments.matrix };
}
