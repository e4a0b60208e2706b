import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { instant } from './as-of.repository.ts';
import {
  approvedHash,
  decideDatasetApproval,
  decideDatasetGovernance,
  type ApprovalDecision,
  type Governance,
  type GovernanceFacts,
  type GovernanceFault,
} from './dataset-governance.ts';
import { isNumeric, type NumericColumn } from './numeric-columns.ts';
import type { SnapshotSource } from './numeric-content.ts';

export type NumericDataset = {
  id: number;
  uid: string;
  name: string;
  workspace: string | null;
  /** That brought the content. */
  revision: number;
  contentHash: string;
  /** When it was brought. */
  importedAt: string;
  rowCount: number;
  /** Those of numbers, in their order in the rows. */
  columns: NumericColumn[];
  hasDates: boolean;
  hasEntities: boolean;
  owner: string | null;
  licence: string | null;
  source: string | null;
  approvedBy: string | null;
  approvedAt: string | null;
  governance: Governance;
  /** The sealed snapshots that the content was put together from; null of any other. */
  snapshots: SnapshotSource | null;
};

/** The largest id that the database counts to. */
const ID_MAX = 2 ** 31 - 1;

type Found = { dataset: NumericDataset; facts: GovernanceFacts };

/** A numeric dataset that the em's workspace is entitled to, with its newest content; null where there is none. */
export async function findNumericDataset(em: Em, id: number): Promise<NumericDataset | null> {
  return (await findWithFacts(em, id))?.dataset ?? null;
}

export type NumericDatasetRow = {
  observedOn: string | null;
  entity: string | null;
  /** By the columns of numbers; null where a field was empty. */
  values: (number | null)[];
};

export type GovernedDataset =
  | { ok: true; dataset: NumericDataset; rows: NumericDatasetRow[] }
  | { ok: false; code: 'dataset_unknown' }
  | { ok: false; code: 'dataset_not_governed'; reasons: GovernanceFault[] };

/** The rows of a dataset that models may be built on and compared with, or why it is refused. */
export async function governedNumericDataset(em: Em, id: number): Promise<GovernedDataset> {
  const dataset = await findNumericDataset(em, id);
  if (!dataset) return { ok: false, code: 'dataset_unknown' };
  const { governance, revision } = dataset;
  if (!governance.governed) return { ok: false, code: 'dataset_not_governed', reasons: governance.reasons };
  const { rows } = await sql<NumericDatasetRow>`
    select observed_on::text as "observedOn", entity, "values" from numeric_row
    where dataset_id = ${id} and revision = ${revision} order by position
  `.execute(em.getKysely());
  return { ok: true, dataset, rows };
}

export type NumericDescription = {
  owner?: string | undefined;
  units?: Readonly<Record<string, string>> | undefined;
  licence?: string | undefined;
  source?: string | undefined;
  description?: string | undefined;
};

export type Described =
  | { ok: true; dataset: NumericDataset }
  | { ok: false; code: 'dataset_unknown' | 'column_unknown' | 'units_sealed' };

/** Says what a dataset is, beside what was said before. */
export async function describeNumericDataset(
  em: Em,
  id: number,
  said: NumericDescription,
  { by, now }: { by: string; now: Date },
): Promise<Described> {
  await lock(em, id);
  const found = await findWithFacts(em, id);
  if (!found) return { ok: false, code: 'dataset_unknown' };
  const { owner, columns, snapshots } = found.dataset;
  if (said.units && snapshots) return { ok: false, code: 'units_sealed' };
  const unknown = Object.keys(said.units ?? {}).some(
    (name) => !columns.some((column) => column.name === name),
  );
  if (unknown) return { ok: false, code: 'column_unknown' };
  const units = Object.fromEntries(
    columns.flatMap(({ name, unit }) => {
      const stated = said.units?.[name] ?? unit;
      return stated === null ? [] : [[name, stated]];
    }),
  );
  const database = em.getKysely();
  await sql`
    insert into numeric_description (dataset_id, owner_uid, units, described_by_uid, described_at)
    values (${id}, ${said.owner ?? owner}, ${JSON.stringify(units)}::jsonb, ${by}, ${now.toISOString()})
  `.execute(database);
  await sql`
    update dataset set licence = coalesce(${said.licence ?? null}, licence),
      source = coalesce(${said.source ?? null}, source),
      description = coalesce(${said.description ?? null}, description)
    where id = ${id}
  `.execute(database);
  return { ok: true, dataset: (await findNumericDataset(em, id))! };
}

/** The sealed snapshots that one content of a dataset was put together from; null where it was not. */
export async function snapshotsOf(
  em: Em,
  { id, revision }: { id: number; revision: number },
): Promise<SnapshotSource | null> {
  const { rows } = await sql<{ snapshots: SnapshotSource | null }>`
    select snapshots from numeric_version where dataset_id = ${id} and revision = ${revision}
  `.execute(em.getKysely());
  return rows[0]?.snapshots ?? null;
}

/** Says where the content of a dataset comes from, where it was put together from what is known here. */
export async function describeSource(em: Em, id: number, source: string): Promise<void> {
  await sql`update dataset set source = ${source} where id = ${id}`.execute(em.getKysely());
}

export type Approved =
  | { ok: true; dataset: NumericDataset; hash: string }
  | { ok: false; code: 'dataset_unknown' }
  | { ok: false; code: Extract<ApprovalDecision, { ok: false }>['code']; dataset: NumericDataset };

/** Approves a dataset as it is now, as a person who neither owns nor made it. */
export async function approveNumericDataset(
  em: Em,
  id: number,
  { by, now }: { by: string; now: Date },
): Promise<Approved> {
  await lock(em, id);
  const found = await findWithFacts(em, id);
  if (!found) return { ok: false, code: 'dataset_unknown' };
  const { dataset, facts } = found;
  const decision = decideDatasetApproval(facts, by);
  if (!decision.ok) return { ...decision, dataset };
  await sql`
    insert into numeric_approval (dataset_id, revision, approved_hash, approved_by_uid, approved_at)
    values (${id}, ${dataset.revision}, ${facts.presentHash}, ${by}, ${now.toISOString()})
  `.execute(em.getKysely());
  return { ok: true, dataset: (await findNumericDataset(em, id))!, hash: facts.presentHash };
}

/** As an import takes it, so that nothing is approved that is being replaced. */
async function lock(em: Em, id: number): Promise<void> {
  await sql`select from dataset where id = ${id} for no key update`.execute(em.getKysely());
}

type Row = Omit<NumericDataset, 'columns' | 'hasDates' | 'hasEntities' | 'governance'> & {
  columns: NumericColumn[];
  units: Record<string, string> | null;
  importedBy: string | null;
  describedBy: string[];
  approvedHash: string | null;
};

async function findWithFacts(em: Em, id: number): Promise<Found | undefined> {
  if (id > ID_MAX) return undefined;
  const { rows } = await sql<Row>`
    select d.id, d.uid, d.name, d.workspace_uid as workspace, d.licence, d.source, v.revision,
      v.content_hash as "contentHash", ${instant(sql.ref('v.imported_at'))} as "importedAt", v.row_count as "rowCount", v.columns, v.snapshots,
      v.imported_by_uid as "importedBy",
      said.owner_uid as owner, said.units, array(
        select distinct described_by_uid from numeric_description where dataset_id = d.id
      ) as "describedBy",
      approval.approved_hash as "approvedHash", approval.approved_by_uid as "approvedBy",
      ${instant(sql.ref('approval.approved_at'))} as "approvedAt"
    from dataset d
    join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${tenantOf(em).workspace}
    join lateral (
      select * from numeric_version where dataset_id = d.id order by revision desc limit 1
    ) v on true
    left join lateral (
      select * from numeric_description where dataset_id = d.id order by id desc limit 1
    ) said on true
    left join lateral (
      select * from numeric_approval where dataset_id = d.id order by id desc limit 1
    ) approval on true
    where d.id = ${id} and d.kind = 'numeric'
  `.execute(em.getKysely());
  const [row] = rows;
  return row && withGovernance(row);
}

function withGovernance({ units, importedBy, describedBy, approvedHash: approved, ...row }: Row): Found {
  // What was put together from snapshots has the units that were sealed.
  const said = row.snapshots ? null : units;
  const all = row.columns.map((column) => ({ ...column, unit: said?.[column.name] ?? column.unit }));
  const columns = all.filter(isNumeric);
  const { owner, licence, source } = row;
  const facts: GovernanceFacts = {
    owner,
    makers: importedBy === null ? describedBy : [importedBy, ...describedBy],
    licence,
    columns,
    presentHash: approvedHash({
      dataset_uid: row.uid,
      content_hash: row.contentHash,
      columns: all,
      owner,
      licence,
      source,
    }),
    approval: approved === null ? null : { by: row.approvedBy!, hash: approved },
  };
  const dataset: NumericDataset = {
    ...row,
    columns,
    hasDates: all.some(({ type }) => type === 'date'),
    hasEntities: all.some(({ type }) => type === 'entity'),
    governance: decideDatasetGovernance(facts),
  };
  return { dataset, facts };
}
