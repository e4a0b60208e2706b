import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { DatabaseConnection } from 'kysely';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Em } from './base.ts';

/**
 * Streams COPY text into a table, on the entity manager's transaction, and returns the number of rows. If the
 * source fails, the transaction rolls the rows back. PostgreSQL refuses COPY into a table with row-level
 * security unless the role bypasses it; other roles copy into temporary tables.
 */
export async function copyInto(em: Em, target: string, source: AsyncIterable<Buffer>): Promise<number> {
  return em
    .getKysely()
    .getExecutor()
    .provideConnection(async (connection) => {
      const stream = copyFrom(`copy ${target} from stdin`);
      await send(connection, stream);
      await pipeline(source, stream);
      return stream.rowCount;
    });
}

/**
 * The position of the first field's content in COPY's binary form, in bytes: after signature, flags, extension, field
 * count and length.
 */
const FIELD_STARTS = 11 + 4 + 4 + 2 + 4;

/**
 * Returns the single `bytea` value of a query, as bytes. COPY is used because an ordinary answer would encode the value
 * in hexadecimal. Returns undefined if the query returns no row or null. COPY takes no parameters.
 */
export async function copyBytes(em: Em, query: string): Promise<Buffer | undefined> {
  return em
    .getKysely()
    .getExecutor()
    .provideConnection(async (connection) => {
      const stream = copyTo(`copy (${query}) to stdout (format binary)`);
      await send(connection, stream);
      const copied = await buffer(stream);
      // A result without a row consists only of COPY's end marker, which is shorter than the start of a field.
      if (copied.length < FIELD_STARTS) return undefined;
      const length = copied.readInt32BE(FIELD_STARTS - 4);
      return length < 0 ? undefined : copied.subarray(FIELD_STARTS, FIELD_STARTS + length);
    });
}

/**
 * Sends a stream to the driver's client. The client accepts a stream instead of a query text, but Kysely's type allows
 * only texts.
 */
async function send(connection: DatabaseConnection, stream: unknown): Promise<void> {
  await connection.executeQuery({
    sql: stream as string,
    parameters: [],
    query: { kind: 'RawNode', sqlFragments: [], parameters: [] },
    queryId: { queryId: 'copy' },
  });
}
