import { sql } from 'kysely';
import type { GovernanceFault } from '#lib/data/dataset-governance.ts';
import { findNumericDataset, type NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import type { Em } from '#lib/database/base.ts';

type NumericDatasetRow = {
  observedOn: string | null;
  entity: string | null;
  /** The numeric columns by name; null for an empty field. */
  values: (number | null)[];
};

type GovernedDataset =
  | { ok: true; dataset: NumericDataset; rows: NumericDatasetRow[] }
  | { ok: false; code: 'dataset_unknown' }
  | { ok: false; code: 'dataset_not_governed'; reasons: GovernanceFault[] };

/**
 * Returns the rows of a governed dataset. Models may be built on such a dataset and compared with it. Returns the
 * reason instead if the dataset is unknown or not governed.
 */
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
