import Type, { type Static } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { daysBetween } from '#lib/core/date.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, ListOf, Nullable, Sha256Of, Uid, pageQuery } from '#lib/core/schema.ts';
import { datasetKinds, priceBases } from '#lib/data/dataset-kind.ts';
import { listDatasets as rowsOf, type DatasetState } from '#lib/data/dataset.query.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { Day } from './wire.ts';

const PATH = '/data/datasets';

const text = (description: string, example: string) =>
  Type.String({ maxLength: 1_000, description, examples: [example] });

const Dataset = Closed(
  {
    uid: Uid(prefixes.dataset, 'Identifier of the dataset.'),
    id: Type.Integer({
      minimum: 1,
      description: 'Numeric identifier, used as `dataset_id` in requests.',
      examples: [7],
    }),
    kind: Type.Enum([...datasetKinds], { description: 'The kind of observations in the dataset.' }),
    name: Type.String({
      description: 'Name of the dataset. Unique per owner and kind.',
      examples: ['prices'],
    }),
    owner: Closed(
      {
        kind: Type.Enum(['platform', 'workspace'], {
          description: 'The owner: the platform or a workspace.',
        }),
        is_caller: Type.Boolean({ description: 'Whether the workspace of the caller owns the dataset.' }),
      },
      { title: 'DatasetOwner', description: 'The owner of the dataset.' },
    ),
    description: Nullable(
      text('A description of the dataset, for readers.', 'Daily quotes.'),
      'A description of the dataset; null if not provided.',
    ),
    licence: Nullable(
      text('Name of the licence.', 'ODC-PDDL-1.0'),
      'The licence of the data; null if not provided.',
    ),
    source: Nullable(
      text('Origin of the data.', 'The exchange'),
      'The origin of the data; null if not provided.',
    ),
    price_basis: Nullable(
      Type.Enum([...priceBases], { description: 'Whether closes are adjusted for later splits.' }),
      'For price datasets: whether closes are as quoted or adjusted for all later splits. Null for other ' +
        'kinds.',
    ),
    revision: Type.Integer({ minimum: 0, description: 'The number of imports so far.' }),
    rows: Type.Integer({
      minimum: 0,
      description: 'The number of stored observations, including corrections.',
    }),
    coverage: Closed(
      {
        from: Nullable(Day('The oldest day.'), 'The oldest observed day; null while the dataset is empty.'),
        to: Nullable(Day('The newest day.'), 'The newest observed day; null while the dataset is empty.'),
      },
      { title: 'DatasetCoverage', description: 'The range of days that the observations cover.' },
    ),
    freshness: Closed(
      {
        last_import_at: Nullable(Instant, 'When the last import ran; null before the first import.'),
        age_days: Nullable(
          Type.Integer({ minimum: 0, description: 'Days.' }),
          'Days (UTC) from the newest observed day until today; null while the dataset is empty.',
        ),
      },
      { title: 'DatasetFreshness', description: 'How recent the data is.' },
    ),
    content_hash: Nullable(
      Sha256Of('SHA-256 of the import history.'),
      'SHA-256 chained over all imports in order. Each hash covers the previous hash and the fingerprint ' +
        'of the import. Null before the first import.',
    ),
    entitlement: Closed(
      {
        since: InstantOf('The time from which the workspace may read the dataset.'),
        permissions: Type.Array(Type.Enum(['read', 'import'], { description: 'A permitted action.' }), {
          description:
            'The actions permitted to the workspace. The owner can import, through the command line only.',
        }),
      },
      { title: 'DatasetEntitlement', description: 'The access of the caller to the dataset.' },
    ),
  },
  { title: 'Dataset', description: 'A named set of observations of one kind.' },
);

export const listDatasets = defineOperation({
  key: 'data.datasets.list',
  product: 'Data',
  method: 'GET',
  path: PATH,
  scope: 'data:reference:read',
  summary: 'Lists the datasets that the workspace is entitled to, newest first.',
  description:
    'Row counts and coverage are recorded at each import. Use this operation to find the `dataset_id` of a ' +
    'request and to check how recent the data is.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(Type.Enum([...datasetKinds], { description: 'Returns only datasets of this kind.' })),
  }),
  success: { status: 200, description: 'A page of datasets.', schema: ListOf(Dataset) },
  problems: ['invalid_cursor'],
  async handle({ services, query, caller }) {
    const { kind } = query;
    const today = utcDate(services.clock.now());
    return listReply(services, query, {
      list: PATH,
      filters: { kind: kind ?? null },
      rows: (em, page) => rowsOf(em, { kind, ...page }),
      present: (row) => present(row, caller.workspace, today),
    });
  },
});

function present(row: DatasetState, caller: string, today: string): Static<typeof Dataset> {
  const isOwn = row.workspace === caller;
  return {
    uid: row.uid,
    id: row.id,
    kind: row.kind,
    name: row.name,
    owner: { kind: row.workspace === null ? 'platform' : 'workspace', is_caller: isOwn },
    description: row.description,
    licence: row.licence,
    source: row.source,
    price_basis: row.kind === 'prices' ? (row.priceBasis ?? 'quoted') : null,
    revision: row.revision,
    rows: row.rows,
    coverage: { from: row.from, to: row.to },
    freshness: {
      last_import_at: row.importedAt,
      age_days: row.to === null ? null : Math.max(0, daysBetween(row.to, today)),
    },
    content_hash: row.contentHash,
    entitlement: {
      since: row.entitledSince,
      permissions: isOwn ? ['read', 'import'] : ['read'],
    },
  };
}
