import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { createDataset } from './market.ts';

/** Exports the lineage of a new dataset, and returns the uid of the export. */
export async function createLineageExport(backend: Backend, tenancy: Tenancy): Promise<string> {
  const subject = { type: 'dataset', uid: await createDataset(backend, tenancy) };
  const request = { subject, format: 'openlineage-2-0-2' };
  return (await clientOf(backend, tenancy.key).post('/infrastructure/lineage-exports', request)).body.uid;
}
