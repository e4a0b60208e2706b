import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { asSuperuser } from './rows.ts';

/** Returns how many parts of the runs of a workspace the database currently stores. */
export function partsKept(backend: Backend, { workspace }: Pick<Tenancy, 'workspace'>): Promise<number> {
  return asSuperuser(backend, async (database) => {
    const { rows } = await database.query<{ parts: number }>(
      'select count(*)::int as parts from run_part where workspace_uid = $1',
      [workspace],
    );
    return rows[0]!.parts;
  });
}
