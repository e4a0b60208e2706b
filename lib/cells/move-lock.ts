import { Client, type ClientBase } from 'pg';
import { CellRefused } from './refused.ts';

/** How long a move waits for an import of the workspace whose process has died, in milliseconds. */
const IMPORT_MS = 10_000;

/** The locks of a move, which both cells hold until the command ends or its process dies. */
export type MoveLock = {
  /** Throws if the source may have released its lock, because the connection was lost. */
  assertHeld(): Promise<void>;
  /** Waits until no import of the workspace is running in the target. Refuses after 10 seconds. */
  awaitImport(): Promise<void>;
  release(): Promise<void>;
};

/**
 * Locks a workspace in both cells, so that one process at a time moves it. The locks belong to sessions, so they end with
 * the process. The commit of an import can outlive its process; `awaitImport` waits for that.
 */
export async function lockMove(
  { source, target }: { source: string; target: string },
  workspace: string,
): Promise<MoveLock> {
  const clients: Client[] = [];
  const release = async () => {
    await Promise.all(clients.map((client) => client.end()));
  };
  try {
    for (const url of [source, target]) {
      const client = new Client({ connectionString: url, keepAlive: true });
      client.on('error', () => {}); // `assertHeld` fails with the error
      await client.connect();
      clients.push(client);
      await hold(client, workspace);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    async assertHeld() {
      await clients[0]!.query('select');
    },
    awaitImport: () => awaitImport(clients[1]!, workspace),
    release,
  };
}

async function hold(client: Client, workspace: string): Promise<void> {
  // The server notices within a minute that the machine of the command is gone.
  await client.query('set idle_session_timeout = 0');
  await client.query(
    'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
  );
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
    [`move of ${workspace}`],
  );
  if (rows[0]!.got) return;
  throw new CellRefused('move_running', 'another command is moving this workspace; wait until it has ended');
}

const IMPORT_LOCK = 'import of ';

/** Keeps other imports of a workspace out until the transaction ends, whether or not its process lives that long. */
export async function lockImport(client: Pick<ClientBase, 'query'>, workspace: string): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got',
    [`${IMPORT_LOCK}${workspace}`],
  );
  if (!rows[0]!.got) refuseImport();
}

const LOCK_NOT_AVAILABLE = '55P03';

async function awaitImport(client: Client, workspace: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${IMPORT_MS}`);
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${IMPORT_LOCK}${workspace}`,
    ]);
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) refuseImport();
    throw error;
  } finally {
    await client.query('rollback');
  }
}

function refuseImport(): never {
  throw new CellRefused(
    'move_running',
    'an import of this workspace is running, perhaps of a process that has died; wait until it has ended',
  );
}
