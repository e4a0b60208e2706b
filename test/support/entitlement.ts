import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#lib/core/seal.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { assay, type Printed } from './cli.ts';
import { createDataset } from './market.ts';

/** Grants a workspace an entitlement to a dataset with the command line. */
export async function grantEntitlement(
  backend: Backend,
  { workspace, person }: Pick<Tenancy, 'workspace' | 'person'>,
  { dataset, terms }: { dataset: string; terms: unknown },
): Promise<Printed> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-entitlement-'));
  try {
    const file = join(folder, 'terms.json');
    writeFileSync(file, JSON.stringify(terms));
    const named = ['--dataset', dataset, '--workspace', workspace, '--as', person];
    const words = [...named, '--file', file, '--licence-hash', sha256('licence')];
    return await assay(backend, 'entitlement', 'grant', ...words, '--json');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Creates a dataset, and returns the uid of the implicit entitlement of its owner. */
export async function createOwnerEntitlement(backend: Backend, tenancy: Tenancy): Promise<string> {
  return `ent_${(await createDataset(backend, tenancy)).slice('dst_'.length)}`;
}
