import type { Pool, PoolClient, QueryResult } from 'pg';
import { DEFERRED, type Orm } from '#lib/database/base.ts';

/**
 * The kind and the table of a statement of a transaction. The table is undefined for a statement that only
 * calls a function.
 */
export type Statement = { command: 'select' | 'insert' | 'update'; table: string | null };

type Query = (...query: unknown[]) => Promise<QueryResult>;

/** The table that a database function writes, by the name of the function. */
const writers = { hold_windows: 'delegation_window', activate_delegation: 'delegation' } as const;

/**
 * Runs `work` once and returns the statements that the ORM sent, grouped by transaction. Statements that
 * open, end or set up a transaction are not included.
 */
export async function statementsOf(orm: Orm, work: () => Promise<unknown>): Promise<Statement[][]> {
  const pool = await (
    orm.em.getConnection() as unknown as { getNativeClient(): Promise<Pool> }
  ).getNativeClient();
  const transactions: Statement[][] = [];
  const undo: (() => void)[] = [];
  const watch = (client: PoolClient) => {
    const query = client.query as unknown as Query;
    const watched: Query = async (...given) => {
      const text = String(given[0]);
      if (/^(begin|start transaction)/i.test(text)) transactions.push([]);
      const answer = await query(...given);
      if (!/^(begin|start transaction|commit|rollback|select set_config|set local)/i.test(text)) {
        transactions.at(-1)!.push(statementOf(text, answer));
      }
      return answer;
    };
    client.query = watched as unknown as PoolClient['query'];
    undo.push(() => {
      client.query = query as unknown as PoolClient['query'];
    });
  };
  const stop = () => undo.splice(0).forEach((each) => each());
  pool.on('acquire', watch).on('release', stop);
  try {
    await work();
  } finally {
    pool.off('acquire', watch).off('release', stop);
    stop();
  }
  return transactions.filter(({ length }) => length > 0);
}

/**
 * Classifies a statement. An insert that found an existing row counts as a select. A deferred statement is sent later, so
 * its answer names no command and its text determines the kind.
 */
function statementOf(text: string, { command, rowCount }: QueryResult): Statement {
  const writer = Object.entries(writers).find(([name]) => text.includes(`${name}(`));
  if (writer) return { command: 'update', table: writer[1] };
  const table = /\b(?:from|into|update)\s+"?(?:public"?\."?)?(\w+)/i.exec(text)?.[1] ?? null;
  if (text.startsWith(DEFERRED)) return { command: kindOf(text), table };
  const done = command.toLowerCase() as Statement['command'];
  return { command: done === 'insert' && rowCount === 0 ? 'select' : done, table };
}

function kindOf(text: string): Statement['command'] {
  if (/\binsert into\b/i.test(text)) return 'insert';
  return /\bupdate\s+\w+\s+(?:\w+\s+)?set\b/i.test(text) ? 'update' : 'select';
}
