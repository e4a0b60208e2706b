import { sql, type RawBuilder } from 'kysely';
import { MATRIX_BYTES_MAX, type Part } from '#lib/core/run.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/**
 * Returns the SQL that stores a matrix with a run. The SQL is part of the statement that ends the run. That statement
 * must provide the row of the run under the name `ended`.
 */
export function keepMatrix(matrix: Uint8Array): RawBuilder<unknown> {
  const content = Buffer.from(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  return sql`
    insert into run_matrix (run_uid, workspace_uid, environment, content)
    select uid, workspace_uid, environment, ${content} from ended
  `;
}

/**
 * Returns the SQL of `keepMatrix` for the parts of a divided run. The matrix is stored if all parts still exist and
 * their total size is within the limit.
 */
export function keepParts(parts: readonly Pick<Part, 'first' | 'count'>[]): RawBuilder<unknown> {
  return sql`
    insert into run_matrix (run_uid, workspace_uid, environment, content)
    select e.uid, e.workspace_uid, e.environment, string_agg(p.content, ''::bytea order by p.first_sample)
    from ended e join run_part p on p.run_uid = e.uid
    where (p.first_sample, p.samples) in (
      select * from unnest(${parts.map(({ first }) => first)}::int[], ${parts.map(({ count }) => count)}::int[]))
    group by e.uid, e.workspace_uid, e.environment
    having sum(octet_length(p.content)) <= ${MATRIX_BYTES_MAX} and count(*) = ${parts.length}
  `;
}

/** Returns the matrix stored with a run of the tenant; undefined if no matrix is stored. */
export async function readMatrix(em: Em, uid: string): Promise<Uint8Array | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ content: Uint8Array }>`
    select content from run_matrix
    where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0]?.content;
}
