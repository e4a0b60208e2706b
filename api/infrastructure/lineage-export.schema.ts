import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { directions, gapReasons } from '#lib/infrastructure/lineage/graph.ts';
import { exportFormats, granularities, subjectTypes } from '#lib/infrastructure/lineage/lineage-export.ts';

const Subject = Closed(
  {
    type: Type.Enum(subjectTypes, { description: 'The type of the record.' }),
    uid: Type.String({
      pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'The record. Its prefix must belong to the type.',
      examples: ['tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
  },
  { title: 'LineageSubject', description: 'The record whose lineage is exported.' },
);

const requested = {
  subject: Subject,
  direction: Type.Enum([...directions], {
    description: 'The sources of the record, its uses, or both.',
    default: 'both',
  }),
  depth: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: 'The number of steps from the record.',
    default: 5,
    examples: [5],
  }),
  granularity: Type.Enum([...granularities], {
    description: 'Whether columns are also exported, for records that have columns.',
    default: 'dataset',
  }),
  format: Type.Enum([...exportFormats], { description: 'The format of the export.' }),
  pin_versions: Type.Boolean({
    description:
      'Whether names of datasets contain the version, for consumers that ignore the version facet.',
    default: false,
  }),
};

export const LineageExportRequest = Closed(
  {
    subject: requested.subject,
    direction: Type.Optional(requested.direction),
    depth: Type.Optional(requested.depth),
    granularity: Type.Optional(requested.granularity),
    format: requested.format,
    pin_versions: Type.Optional(requested.pin_versions),
  },
  {
    title: 'LineageExportRequest',
    description: 'The lineage to export.',
    examples: [
      { subject: { type: 'run', uid: 'tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC' }, format: 'openlineage-2-0-2' },
    ],
  },
);

const Gap = Closed(
  {
    node: Type.String({
      description: 'The record at which the lineage ends.',
      examples: ['tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    reason: Type.Enum([...gapReasons], {
      description:
        'Why the lineage ends. `open`: the work has not ended. `not_entitled`: the credential lacks the scope or entitlement to read a neighbouring record. `not_traced`: the record refers to a record that lineage does not trace. ' +
        '`features_not_traced`: features read the dataset, which only exports of earlier releases do not follow. `depth`: the lineage continues beyond the depth.',
    }),
  },
  { title: 'LineageGap', description: 'A place where the lineage is not complete.' },
);

const { subject: _, ...options } = requested;

const summary = {
  uid: Uid(prefixes.lineageExport, 'The export.'),
  state: Type.Enum(['queued', 'running', 'ready', 'failed', 'expired'], {
    description:
      'The state. A worker builds a `queued` export. Only a `ready` export has content; an `expired` export has lost it.',
  }),
  failure: Nullable(
    Type.Enum(['subject_unknown', 'not_built'], {
      description:
        '`subject_unknown`: the scopes no longer cover the record. `not_built`: several attempts did not end.',
    }),
    'Why the export failed; null unless the state is `failed`.',
  ),
  subject: requested.subject,
  ...options,
  nodes: Nullable(
    Type.Integer({ minimum: 0, description: 'The number of nodes.', examples: [12] }),
    'The number of nodes; null until the export is ready.',
  ),
  edges: Nullable(
    Type.Integer({ minimum: 0, description: 'The number of edges.', examples: [11] }),
    'The number of edges; null until the export is ready.',
  ),
  truncated: Nullable(
    Type.Boolean({ description: 'Whether the lineage has more nodes than an export may have.' }),
    'Whether the lineage has more nodes than an export may have; null until the export is ready.',
  ),
  truncation_reason: Nullable(
    Type.Literal('too_many_nodes', { description: 'Code.' }),
    'Why the lineage was truncated; null if `truncated` is false.',
  ),
  state_hash: Nullable(
    Sha256Of('SHA-256 of the nodes and edges. Exports with equal hashes and options are equal.'),
    'SHA-256 of the nodes and edges; null until the export is ready.',
  ),
  events_sha256: Nullable(
    Sha256Of('SHA-256 of the content as it is downloaded.'),
    'SHA-256 of the content as it is downloaded; null until the export is ready.',
  ),
  column_lineage_available: Nullable(
    Type.Boolean({ description: 'Whether the export contains the columns of at least one record.' }),
    'Whether the export contains the columns of at least one record; null until the export is ready.',
  ),
  gaps: Type.Array(Gap, { maxItems: 20_000, description: 'The places where the lineage is not complete.' }),
  created_at: InstantOf('When the export was requested.'),
  expires_at: InstantOf('When the content is deleted.'),
};

export const LineageExportSummary = Closed(summary, {
  title: 'LineageExportSummary',
  description: 'An export of lineage without its content.',
});

const Free = Type.Object({}, { additionalProperties: true, description: 'An object of the format.' });

export const LineageExportResource = Closed(
  {
    ...summary,
    events: Nullable(
      Type.Array(Free, { description: 'OpenLineage run events.' }),
      'The OpenLineage events; null for another format, for an expired export, or if the content exceeds 1 MiB.',
    ),
    document: Nullable(
      Free,
      'The PROV-JSON document; null for another format, for an expired export, or if the content exceeds 1 MiB.',
    ),
    download: Nullable(
      Closed({
        path: Type.String({
          description: 'Path of the download.',
          examples: ['/api/v2/infrastructure/lineage-exports/lex_01K8XQ5W3ZJ6T9R2M4N7P0QABC?download=1'],
        }),
        expires_at: InstantOf('When the content is deleted.'),
      }),
      'Where the content can be downloaded; null until the export is ready, and once it has expired.',
    ),
  },
  { title: 'LineageExport', description: 'An export of lineage.' },
);

export type LineageExportSummary = Static<typeof LineageExportSummary>;
export type LineageExportResource = Static<typeof LineageExportResource>;
