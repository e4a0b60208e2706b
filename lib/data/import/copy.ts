import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Em } from '#lib/database/orm.ts';

/**
 * Streams COPY text into a table on the transaction of the entity manager; a source that fails undoes it with the
 * transaction. COPY into a table with row-level security is refused by PostgreSQL: this is for temporary tables.
 */
export async function copyInto(em: Em, target: string, source: AsyncIterable<Buffer>): Promise<void> {
  await em
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
    });
}
