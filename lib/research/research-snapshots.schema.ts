import Type, { type Static } from 'typebox';
import { Closed, InstantOf, IsoDate, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { ENTITIES_MAX, EntityKey, FEATURES_MAX, FeatureKey } from './project-definition.ts';

const POSTGRES_INTEGER_MAX = 2_147_483_647;

export const ProjectId = Type.Integer({
  minimum: 1,
  maximum: POSTGRES_INTEGER_MAX,
  description: 'The integer of the project in its workspace.',
  examples: [1],
});

/** Key of the run that builds a snapshot. */
export const RESEARCH_SNAPSHOTS = 'quant.research-snapshots';

export const SnapshotRequestBody = Closed(
  { project_id: ProjectId, as_of_date: IsoDate },
  {
    title: 'ResearchSnapshotRequest',
    description: 'Of which project, and as of the end (UTC) of which day.',
  },
);

export const SnapshotInput = Closed(
  {
    project_id: ProjectId,
    project_version: Type.Integer({ minimum: 1, description: 'The version of its definition.' }),
    as_of_date: IsoDate,
  },
  { title: 'ResearchSnapshotInput', description: 'The request, and the version that it meets.' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [470] });

const coverage = {
  observed: count('Cells with a value.'),
  never_observed: count('Cells of which nothing was known by the date.'),
  stale: count('Cells whose last value was older than the feature allows.'),
};

export const SnapshotColumn = Closed(
  {
    feature: FeatureKey,
    version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    unit: Type.String({ description: 'Unit of the values.', examples: ['ratio'] }),
    leaf: Type.Integer({
      minimum: 1,
      description: 'Place of its hash in the tree; 0 is that of the entities.',
    }),
    leaf_hash: Sha256Of(
      'SHA-256 of a zero byte and the RFC 8785 form of the column: a leaf as of RFC 6962, section 2.1.',
    ),
    ...coverage,
  },
  { title: 'SnapshotColumn', description: 'A column of the matrix, by its hash.' },
);

export const SnapshotResult = Closed(
  {
    as_of_date: IsoDate,
    project: Closed(
      {
        id: ProjectId,
        version: Type.Integer({ minimum: 1, description: 'The version of its definition.' }),
        definition_sha256: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
      },
      { description: 'What was asked for.' },
    ),
    entities: count('Rows.'),
    features: count('Columns.'),
    coverage: Closed(coverage, { description: 'The cells, and why there is none.' }),
    entities_leaf_hash: Sha256Of('Leaf 0: the same over the array of the entities.'),
    columns: Type.Array(SnapshotColumn, {
      maxItems: FEATURES_MAX,
      description: 'The columns by key, each with its leaf of the tree.',
    }),
    root: Sha256Of('Root of the RFC 6962 tree over the entities and the columns.'),
    content_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of `as_of_date`, `project` and `root`: the same for the same content.',
    ),
  },
  { title: 'ResearchSnapshotResult', description: 'What the matrix holds, and the hashes of its columns.' },
);

const cells = <T extends Type.TSchema>(item: T, description: string) =>
  Type.Array(item, { maxItems: ENTITIES_MAX, description });

export const MatrixColumn = Closed(
  {
    feature: FeatureKey,
    version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    values: cells(Nullable(Type.Number()), 'The values; null where there is none.'),
    event_times: cells(Nullable(InstantOf('What the value is about.')), 'What each value is about.'),
    known_at: cells(Nullable(InstantOf('When it was known.')), 'When each value was known.'),
    age_days: cells(
      Nullable(Type.Integer({ minimum: 0 })),
      'Days from what the value is about to the as-of date.',
    ),
    reasons: cells(
      Nullable(Type.Enum(['never_observed', 'stale'])),
      'Why there is no value; null where there is one.',
    ),
  },
  { title: 'MatrixColumn', description: 'A feature, entity by entity.' },
);

export const SnapshotMatrix = Closed(
  {
    entities: cells(EntityKey, 'The rows, in code point order.'),
    columns: Type.Array(MatrixColumn, { maxItems: FEATURES_MAX, description: 'The columns, by key.' }),
  },
  { title: 'SnapshotMatrix', description: 'The feature matrix. A stale cell tells when its last value was.' },
);

export type SnapshotRequestBody = Static<typeof SnapshotRequestBody>;
export type SnapshotInput = Static<typeof SnapshotInput>;
export type SnapshotResult = Static<typeof SnapshotResult>;
export type MatrixColumn = Static<typeof MatrixColumn>;
export type SnapshotMatrix = Static<typeof SnapshotMatrix>;
