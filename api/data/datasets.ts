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
    uid: Uid(prefixes.dataset, 'The dataset.'),
    id: Type.Integer({ minimum: 1, description: 'The `dataset_id` of requests.', examples: [7] }),
    kind: Type.Enum([...datasetKinds], { description: 'What its observations are.' }),
    name: Type.String({ description: 'Its name, unique by owner and kind.', examples: ['prices'] }),
    owner: Closed(
      {
        kind: Type.Enum(['platform', 'workspace'], { description: 'Whether a workspace owns it.' }),
        is_caller: Type.Boolean({ description: 'Whether it is the workspace of the caller.' }),
      },
      { title: 'DatasetOwner', description: 'Whose it is.' },
    ),
    description: Nullable(text('What it is.', 'Daily quotes.'), 'What it is; null if nobody said.'),
    licence: Nullable(text('On which terms.', 'ODC-PDDL-1.0'), 'On which terms; null if nobody said.'),
    source: Nullable(text('Where from.', 'The exchange'), 'Where the data come from; null if nobody said.'),
    price_basis: Nullable(
      Type.Enum([...priceBases], { description: 'Whether closes are divided by later splits.' }),
      'Of prices: whether closes are as quoted, or divided by all later splits; null of other kinds.',
    ),
    revision: Type.Integer({ minimum: 0, description: 'How many imports were made.' }),
    rows: Type.Integer({ minimum: 0, description: 'Observations that it holds, corrections among them.' }),
    coverage: Closed(
      {
        from: Nullable(Day('The oldest day.'), 'The oldest day that it is about; null while it is empty.'),
        to: Nullable(Day('The newest day.'), 'The newest day that it is about; null while it is empty.'),
      },
      { title: 'DatasetCoverage', description: 'The days that its observations are about.' },
    ),
    freshness: Closed(
      {
        last_import_at: Nullable(Instant, 'When the last import was made; null before the first.'),
        age_days: Nullable(
          Type.Integer({ minimum: 0, description: 'Days.' }),
          'Days (UTC) from its newest day until today; null while it is empty.',
        ),
      },
      { title: 'DatasetFreshness', description: 'How new it is.' },
    ),
    content_hash: Nullable(
      Sha256Of('SHA-256 over its imports.'),
      'SHA-256 over its imports in their order: each hash covers the one before it and the fingerprint of the import. ' +
        'Null before the first.',
    ),
    entitlement: Closed(
      {
        since: InstantOf('Since when the workspace may read it.'),
        permissions: Type.Array(Type.Enum(['read', 'import'], { description: 'What it may do.' }), {
          description: 'What the workspace may do: the owner imports, on the surface of the operators.',
        }),
      },
      { title: 'DatasetEntitlement', description: 'What the caller may do with it.' },
    ),
  },
  { title: 'Dataset', description: 'A body of observations.' },
);

export const listDatasets = defineOperation({
  key: 'data.datasets.list',
  product: 'Data',
  method: 'GET',
  path: PATH,
  scope: 'data:reference:read',
  summary: 'Lists the datasets that the workspace is entitled to, newest first.',
  description: 'What a dataset holds was counted when it was imported.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(Type.Enum([...datasetKinds], { description: 'Only datasets of this kind.' })),
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
