import Type, { type Static } from 'typebox';
import { Closed, InstantOf, IsoDate, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { ENTITIES_MAX, EntityKey, FEATURES_MAX, FeatureKey } from './project-definition.ts';

const POSTGRES_INTEGER_MAX = 2_147_483_647;

export const ProjectId = Type.Integer({
  minimum: 1,
  maximum: POSTGRES_INTEGER_MAX,
  description: 'Numeric identifier of the project in its workspace.',
  examples: [1],
});

/** The key of the run that builds a snapshot. */
export const RESEARCH_SNAPSHOTS = 'quant.research-snapshots';

export const SnapshotRequestBody = Closed(
  { project_id: ProjectId, as_of_date: IsoDate },
  {
    title: 'ResearchSnapshotRequest',
    description: 'The project, and the day at whose end (UTC) the snapshot is taken.',
  },
);

export const SnapshotInput = Closed(
  {
    project_id: ProjectId,
    project_version: Type.Integer({ minimum: 1, description: 'The version of the definition.' }),
    as_of_date: IsoDate,
  },
  {
    title: 'ResearchSnapshotInput',
    description: 'The request, and the version of the definition that it resolved to.',
  },
);

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [470] });

const coverage = {
  observed: count('The number of cells with a value.'),
  never_observed: count('The number of cells without any value known by the as-of date.'),
  stale: count('The number of cells whose last value was older than the feature allows.'),
};

export const SnapshotColumn = Closed(
  {
    feature: FeatureKey,
    version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    unit: Type.String({ description: 'Unit of the values.', examples: ['ratio'] }),
    leaf: Type.Integer({
      minimum: 1,
      description: 'The leaf index of the column in the tree. Leaf 0 holds the entities.',
    }),
    leaf_hash: Sha256Of(
      'SHA-256 of a zero byte and the RFC 8785 form of the column: a leaf as defined in RFC 6962, section ' +
        '2.1.',
    ),
    ...coverage,
  },
  { title: 'SnapshotColumn', description: 'A column of the matrix with its hash.' },
);

export const SnapshotResult = Closed(
  {
    as_of_date: IsoDate,
    project: Closed(
      {
        id: ProjectId,
        version: Type.Integer({ minimum: 1, description: 'The version of the definition.' }),
        definition_sha256: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
      },
      { description: 'The project of the snapshot.' },
    ),
    entities: count('The number of rows.'),
    features: count('The number of columns.'),
    coverage: Closed(coverage, {
      description: 'The number of observed cells, and of empty cells by reason.',
    }),
    entities_leaf_hash: Sha256Of('Leaf 0: the leaf hash of the array of entities.'),
    columns: Type.Array(SnapshotColumn, {
      maxItems: FEATURES_MAX,
      description: 'The columns, ordered by key, each with its leaf in the tree.',
    }),
    root: Sha256Of('Root of the RFC 6962 tree over the entities and the columns.'),
    content_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of `as_of_date`, `project` and `root`. Equal content has an equal hash.',
    ),
  },
  {
    title: 'ResearchSnapshotResult',
    description: 'The dimensions of the matrix, and the hashes of its columns.',
  },
);

const cells = <T extends Type.TSchema>(item: T, description: string) =>
  Type.Array(item, { maxItems: ENTITIES_MAX, description });

export const MatrixColumn = Closed(
  {
    feature: FeatureKey,
    version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    values: cells(Nullable(Type.Number()), 'The values; null if missing.'),
    event_times: cells(
      Nullable(InstantOf('The time that the value describes.')),
      'The time that each value describes.',
    ),
    known_at: cells(Nullable(InstantOf('When the value became known.')), 'When each value became known.'),
    age_days: cells(
      Nullable(Type.Integer({ minimum: 0 })),
      'Days from the described time to the as-of date.',
    ),
    reasons: cells(
      Nullable(Type.Enum(['never_observed', 'stale'])),
      'The reason why a value is missing; null if there is a value.',
    ),
  },
  { title: 'MatrixColumn', description: 'The values of a feature for each entity.' },
);

export const SnapshotMatrix = Closed(
  {
    entities: cells(EntityKey, 'The entities that form the rows, in code point order.'),
    columns: Type.Array(MatrixColumn, {
      maxItems: FEATURES_MAX,
      description: 'The columns, ordered by key.',
    }),
  },
  {
    title: 'SnapshotMatrix',
    description: 'The feature matrix. A stale cell still states the time of its last value.',
  },
);

export type SnapshotRequestBody = Static<typeof SnapshotRequestBody>;
export type SnapshotInput = Static<typeof SnapshotInput>;
export type SnapshotResult = Static<typeof SnapshotResult>;
export type MatrixColumn = Static<typeof MatrixColumn>;
export type SnapshotMatrix = Static<typeof SnapshotMatrix>;
