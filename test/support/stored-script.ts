import type { PoolClient } from 'pg';
import type { Backend } from './backends.ts';
import { asSuperuser } from './rows.ts';

/** A text that runs a script, or leaves its element or attribute, wherever a page prints it without escaping. */
export const PAYLOAD =
  `"'><x-planted><script>pwned()</script><img src=x onerror=pwned()><svg onload=pwned()>` +
  `<a href="javascript:pwned()">x</a></script></textarea></title>\`\${pwned()}`;

/** Members and columns that identify, classify or date a record. A record with other values there could not be read. */
const STRUCTURE =
  /(^|_)(uids?|hash|hashes|sha256|kind|state|status|type|code|key|keys|unit|units|currency|currencies|date|day|days|month|months|at|on|from|to|until|since|period|periods|op|effect|version|scheme|method|frequency|environment|scopes?|action|tier|mode|severity|class|seal|secret|proof|zone|time|prefix|root|signature|model|level|purpose|decision|revision|format|role|roles|path|pointer|scale|queue|cursor|outcome|result_hash|step)$/i;
/** Texts that nobody writes: uids, hashes, dates, numbers. */
const COMPUTED = /^(?:[a-z]{2,4}_\w+|[0-9a-f]{40,128}|\d{4}-\d\d.*|[-+.\d]+(?:e[-+]?\d+)?|\/api\/.*)$/i;

/** The columns in which scripts were stored, and those that the database protects by a constraint. */
export type Planted = { columns: string[]; refused: string[] };

/**
 * Stores the payload in every text column and in every text of every JSON column of a workspace that does not identify or
 * classify a record. Triggers are off, so that also records that never change are changed.
 */
export function plantScripts(backend: Pick<Backend, 'superuserUrl'>, workspace: string): Promise<Planted> {
  return asSuperuser(backend, async (client) => {
    const planted: Planted = { columns: [], refused: [] };
    await client.query(`begin; set local session_replication_role = replica`);
    for (const column of await columnsOf(client)) {
      const isDone = await plant(client, column, workspace).catch((error: Error) => error);
      const name = `${column.table}.${column.name}`;
      if (isDone instanceof Error) planted.refused.push(`${name}: ${isDone.message}`);
      else if (isDone) planted.columns.push(name);
    }
    await client.query('commit');
    return planted;
  });
}

type Column = { table: string; name: string; type: string; isOwn: boolean };

async function columnsOf(client: PoolClient): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select c.table_name as "table", c.column_name as name, c.data_type as type, c.table_name = 'workspace' as "isOwn"
    from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and c.data_type in ('text', 'json', 'jsonb', 'ARRAY')
      and (c.table_name = 'workspace' or exists (
        select from information_schema.columns w
        where w.table_schema = 'public' and w.table_name = c.table_name and w.column_name = 'workspace_uid'))
      and c.table_name not in ('audit_entry', 'credential', 'console_session', 'person_code', 'passkey')
    order by 1, 2
  `);
  return rows.filter(({ name, type }) => type !== 'ARRAY' && !STRUCTURE.test(name));
}

/** Stores the payload in a column. Returns whether a row of the workspace changed. */
async function plant(client: PoolClient, column: Column, workspace: string): Promise<boolean> {
  const { table, name, type, isOwn } = column;
  const where = `${isOwn ? 'uid' : 'workspace_uid'} = $1 and "${name}" is not null`;
  await client.query('savepoint planted');
  try {
    const { rows } = await client.query<{ place: string; value: unknown }>(
      `select ctid::text as place, "${name}" as value from "${table}" where ${where}`,
      [workspace],
    );
    let changed = false;
    for (const { place, value } of rows) {
      const next = type === 'text' ? plantedText(String(value), place) : JSON.stringify(planted(value));
      if (next === (type === 'text' ? value : JSON.stringify(value))) continue;
      changed = true;
      await client.query(`update "${table}" set "${name}" = $1 where ctid = $2::tid`, [next, place]);
    }
    return changed;
  } catch (error) {
    await client.query('rollback to savepoint planted');
    throw error;
  }
}

/** Returns the text to store: the payload, made unique by the place of the row, or a document that has the payload in it. */
function plantedText(text: string, place: string): string {
  if (!/^[[{]/.test(text)) return PAYLOAD + place;
  return JSON.stringify(planted(JSON.parse(text)));
}

/** Returns a value with the payload in place of each text that a person may have written. */
function planted(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => planted(each, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, planted(each, member)]));
  if (typeof value !== 'string' || STRUCTURE.test(name) || COMPUTED.test(value)) return value;
  return PAYLOAD;
}
