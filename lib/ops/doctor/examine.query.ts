import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import { databaseUrl, isPooled } from '#lib/database/locate.ts';
import { withQueues } from '#lib/pipeline/queues.ts';
import { gatherClocks } from './clock.query.ts';
import { judgeClocks } from './clock.ts';
import { gatherDatabase } from './database.query.ts';
import { judgeDatabase } from './database.ts';
import type { Finding } from './finding.ts';
import { gatherMachine } from './machine.query.ts';
import { judgeMachine } from './machine.ts';
import { gatherQueue } from './queue.query.ts';
import { judgeQueue } from './queue.ts';
import { gatherService } from './service.query.ts';
import { judgeService } from './service.ts';

const CONNECT_MS = 5_000;

/**
 * Checks an installation with the operator's role. The check changes nothing: it starts no process and runs no
 * migration.
 */
export async function examine(config: Config): Promise<Finding[]> {
  const machine = judgeMachine(await gatherMachine(config.ASSAY_HOME));
  const url = await databaseUrl(config, 'operator').catch((error: Error) => ({ error: error.message }));
  if (typeof url !== 'string') return [...machine, ...judgeDatabase(url)];
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return [...machine, ...(await examineConnected(config, url, client))];
  } catch (error) {
    return [...machine, ...judgeDatabase({ error: (error as Error).message })];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function examineConnected(config: Config, url: string, client: Client): Promise<Finding[]> {
  const database = judgeDatabase(await gatherDatabase(client, { isPooled: isPooled(config) }));
  if (database.some(({ status, check }) => status === 'fault' && check === 'migrations')) return database;
  const queue = await gatherQueue(client, config.REDIS_URL).catch((error: Error) => ({
    error: error.message,
  }));
  const found = [
    ...database,
    ...judgeQueue(queue),
    ...judgeClocks(await gatherClocks(client, config.REDIS_URL)),
  ];
  if ('error' in queue) return found;
  const service = await withQueues({ config, databaseUrl: url }, (queues) =>
    gatherService(client, queues, { isPooled: isPooled(config) }),
  );
  return [...found, ...judgeService(service)];
}
