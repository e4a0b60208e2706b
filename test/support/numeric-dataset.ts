import { assay } from './cli.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { withFile } from './ledger.ts';

/**
 * Creates a numeric dataset of the workspace. If units are given, one person describes the dataset and
 * another approves it, so that it is governed.
 */
export async function importNumericDataset(
  backend: Backend,
  { workspace, person }: Pick<Tenancy, 'workspace' | 'person'>,
  { name, lines, units }: { name: string; lines: readonly string[]; units?: string },
): Promise<number> {
  const command = async (...words: string[]) => {
    const { json, status, stderr } = await assay(backend, ...words, '--json');
    if (status !== 0) throw new Error(stderr);
    return json;
  };
  const { dataset_id: id } = await withFile(lines, (file) =>
    command('import', 'dataset', file, '--workspace', workspace, '--name', name, '--as', person),
  );
  if (units === undefined) return id as number;
  const owner = ['--owner', person, '--licence', 'CC0-1.0', '--units', units];
  await command('dataset', 'describe', String(id), ...owner, '--as', person);
  const { person: second } = await buildTenancy(backend, { workspace });
  await command('dataset', 'approve', String(id), '--as', second);
  return id as number;
}
