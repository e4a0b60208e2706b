import { Client } from 'pg';
import type { BackendName } from '../../support/backends.ts';
import { openCluster, type Cluster } from '../../support/cluster.ts';
import { countingProxy, type CountingProxy } from '../../support/counting-proxy.ts';
import { ownHome } from '../../support/home.ts';

/** Where the measurement takes place: a PostgreSQL of its own, whose round trips are counted. */
export type Place = {
  /** The server. Processes reach it through the proxy. */
  cluster: Cluster;
  proxy: CountingProxy;
  queue: BackendName;
  quick: boolean;
  /** Runs `work` with a connection of the superuser to a database. */
  asSuperuser<T>(database: string, work: (client: Client) => Promise<T>): Promise<T>;
  /** Reports progress to a person. */
  notify(line: string): void;
  /** Ends the server and removes its files. */
  close(): Promise<void>;
};

export async function openPlace(options: Pick<Place, 'queue' | 'quick' | 'notify'>): Promise<Place> {
  const home = await ownHome();
  const own = await openCluster(home.folder);
  const proxy = await countingProxy(own.superuserUrl('postgres'));
  const asSuperuser: Place['asSuperuser'] = async (database, work) => {
    const client = new Client({ connectionString: own.superuserUrl(database) });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  await asSuperuser('postgres', async (client) => {
    await client.query('alter system set full_page_writes = off');
    // Autovacuum writes pages of earlier work at any time.
    await client.query('alter system set autovacuum = off');
    await client.query('select pg_reload_conf()');
  });
  return {
    ...options,
    proxy,
    cluster: { ...own, freshDatabase: async (name) => proxy.through(await own.freshDatabase(name)) },
    asSuperuser,
    async close() {
      await proxy.close();
      await own.release();
      await home.remove();
    },
  };
}
