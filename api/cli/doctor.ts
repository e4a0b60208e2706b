import type { Command } from 'commander';
import { Client } from 'pg';
import { readConfig, type Config } from '#lib/core/config.ts';
import { databaseUrl } from '#lib/database/locate.ts';
import { judgeClocks } from './doctor/clock.ts';
import { gatherClocks } from './doctor/clock-facts.ts';
import { gatherDatabase } from './doctor/database-facts.ts';
import { judgeDatabase } from './doctor/database.ts';
import type { Finding } from './doctor/finding.ts';
import { gatherMachine } from './doctor/machine-facts.ts';
import { judgeMachine } from './doctor/machine.ts';
import { gatherQueue } from './doctor/queue-facts.ts';
import { judgeQueue } from './doctor/queue.ts';
import { gatherService } from './doctor/service-facts.ts';
import { judgeService } from './doctor/service.ts';
import { withJson } from './options.ts';
import { printRows, type OutputOptions } from './output.ts';
import { withQueues } from './queues.ts';
import { Refusal } from '#lib/core/refusal.ts';

const CONNECT_MS = 5_000;

export function register(program: Command): void {
  withJson(program.command('doctor'))
    .description('check this installation, and say what to do about what is wrong')
    .action(async (options: OutputOptions) => {
      const findings = await examine(readConfig());
      printRows(
        findings.map(({ status, check, seen, remedy = '' }) => ({ status, check, seen, remedy })),
        options,
      );
      const faults = findings.filter(({ status }) => status === 'fault');
      if (faults.length)
        throw new Refusal('faults_found', `${faults.length} of ${findings.length} checks found a fault`);
    });
}

/** It changes nothing: what is not running is not started, and what is old is not migrated. */
async function examine(config: Config): Promise<Finding[]> {
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
  const database = judgeDatabase(await gatherDatabase(client));
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
  const service = await withQueues({ config, databaseUrl: url }, (queues) => gatherService(client, queues));
  return [...found, ...judgeService(service)];
}
