import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Em } from './orm.ts';

/**
 * Streams COPY text into a table on the transaction of the entity manager and returns the number of rows; a source that
 * fails undoes it with the transaction. COPY into a table with row-level security is refused by PostgreSQL unless the
 * role passes it: others copy into temporary tables.
 */
export async function copyInto(em: Em, target: string, source: AsyncIterable<Buffer>): Promise<number> {
  return em
    .getKysely()
    .getExecutor()
    .provideConnection(async (connection) => {
      const stream = copyFrom(`copy ${target} from stdin`);
      // The driver's client takes a stream in the place of a text; Kysely's type knows only texts.
      const sql = stream as unknown as string;
      await connection.executeQuery({
        sql,
        parameters: [],
        query: { kind: 'RawNode', sqlFragments: [], parameters: [] },
        queryId: { queryId: 'copy' },
      });
      await pipeline(source, stream);
      return stream.rowCount;
    });
}
