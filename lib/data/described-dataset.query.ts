import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { DatasetKind, PriceBasis } from './dataset-kind.ts';
import { findOwnedDataset, type NamedDataset } from './dataset-place.query.ts';
import { findNumericDataset, type NumericDataset } from './numeric-dataset.write.ts';

export type DescribedDataset = {
  id: number;
  uid: string;
  kind: DatasetKind;
  name: string;
  licence: string | null;
  source: string | null;
  description: string | null;
  priceBasis: PriceBasis | null;
};

/** Returns the description of a dataset; undefined if it does not exist. */
export async function describedDataset(em: Em, id: number): Promise<DescribedDataset | undefined> {
  const { rows } = await sql<DescribedDataset>`
    select id, uid, kind, name, licence, source, description, price_basis as "priceBasis" from dataset where id = ${id}
  `.execute(em.getKysely());
  return rows[0];
}

/** Returns a numeric dataset as its owning workspace sees it; null if the dataset does not exist or has no content. */
export async function ownNumericDataset(em: Em, named: NamedDataset): Promise<NumericDataset | null> {
  const found = await findOwnedDataset(em, named);
  return found?.workspace ? findNumericDataset(em, found.id, found.workspace) : null;
}
