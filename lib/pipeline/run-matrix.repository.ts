import { sql, type RawBuilder } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';

/** Keeps a matrix with the run that `ended` holds, in the statement that ends it. */
export function keepMatrix(matrix: Uint8Array): RawBuilder<unknown> {
  const content = Buffer.from(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  return sql`
    insert into run_matrix (run_uid, workspace_uid, environment, content)
    select uid, workspace_uid, environment, ${content} from ended
  `;
}

/** The matrix that is kept with a run of the tenant; undefined where there is none. */
export async function readMatrix(em: Em, uid: string): Promise<Uint8Array | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ content: Uint8Array }>`
    select content from run_matrix
    where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0]?.content;
}
