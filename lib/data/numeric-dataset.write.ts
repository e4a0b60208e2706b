import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { instant } from './as-of.query.ts';
import {
  approvedHash,
  decideDatasetGovernance,
  type Governance,
  type GovernanceFacts,
} from './dataset-governance.ts';
import { isNumeric, type NumericColumn } from './numeric-columns.ts';
import type { SnapshotSource } from './numeric-content.ts';

export type NumericDataset = {
  id: number;
  uid: string;
  name: string;
  workspace: string | null;
  /** The revision of the dataset that added the content. */
  revision: number;
  contentHash: string;
  /** The time at which the content was imported. */
  importedAt: string;
  rowCount: number;
  /** The numeric columns, in the order of the row values. */
  columns: NumericColumn[];
  hasDates: boolean;
  hasEntities: boolean;
  owner: string | null;
  licence: string | null;
  source: string | null;
  approvedBy: string | null;
  approvedAt: string | null;
  governance: Governance;
  /** The sealed snapshots from which the content was built; null for other contents. */
  snapshots: SnapshotSource | null;
};

/** The largest id of the database (32-bit integer). */
const ID_MAX = 2 ** 31 - 1;

export type GovernedFacts = { dataset: NumericDataset; facts: GovernanceFacts };

/**
 * Finds a numeric dataset with its newest content. Returns null if there is no such dataset, if it has no content, or
 * if the workspace is not entitled to it. The default workspace is the workspace of `em`.
 */
export async function findNumericDataset(
  em: Em,
  id: number,
  workspace = tenantOf(em).workspace,
): Promise<NumericDataset | null> {
  return (await findWithFacts(em, id, workspace))?.dataset ?? null;
}

export type NumericDescription = {
  owner?: string | undefined;
  units?: Readonly<Record<string, string>> | undefined;
  licence?: string | undefined;
  source?: string | undefined;
  description?: string | undefined;
};

/**
 * Writes the given parts of the description of a dataset. Omitted parts keep their values. Units must name existing
 * columns.
 */
export async function writeDescription(
  em: Em,
  { id, owner, columns }: NumericDataset,
  said: NumericDescription,
  { by, now }: { by: string; now: Date },
): Promise<void> {
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
}

/** Returns the sealed snapshots from which a content was built; null for other contents. */
export async function snapshotsOf(
  em: Em,
  { id, revision }: { id: number; revision: number },
): Promise<SnapshotSource | null> {
  const { rows } = await sql<{ snapshots: SnapshotSource | null }>`
    select snapshots from numeric_version where dataset_id = ${id} and revision = ${revision}
  `.execute(em.getKysely());
  return rows[0]?.snapshots ?? null;
}

/** Sets the source text of a dataset that was built from internal data. */
export async function describeSource(em: Em, id: number, source: string): Promise<void> {
  await sql`update dataset set source = ${source} where id = ${id}`.execute(em.getKysely());
}

/**
 * Records the approval of a dataset revision. `hash` is the hash of the approved content together with its description.
 */
export async function writeApproval(
  em: Em,
  { id, revision }: Pick<NumericDataset, 'id' | 'revision'>,
  { hash, by, now }: { hash: string; by: string; now: Date },
): Promise<void> {
  await sql`
    insert into numeric_approval (dataset_id, revision, approved_hash, approved_by_uid, approved_at)
    values (${id}, ${revision}, ${hash}, ${by}, ${now.toISOString()})
  `.execute(em.getKysely());
}

type Row = Omit<NumericDataset, 'columns' | 'hasDates' | 'hasEntities' | 'governance'> & {
  columns: NumericColumn[];
  units: Record<string, string> | null;
  importedBy: string | null;
  describedBy: string[];
  approvedHash: string | null;
};

/** Finds a dataset as `findNumericDataset` does, with the facts that determine whether it is governed. */
export async function findWithFacts(
  em: Em,
  id: number,
  workspace: string,
): Promise<GovernedFacts | undefined> {
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
    join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
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

function withGovernance({
  units,
  importedBy,
  describedBy,
  approvedHash: approved,
  ...row
}: Row): GovernedFacts {
  // If the content was built from snapshots, its columns keep the sealed units, and described units are ignored.
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
