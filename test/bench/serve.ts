import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readConfig } from '#lib/core/config.ts';
import { databaseUrl } from '#lib/database/locate.ts';
import { openOrm } from '#lib/database/orm.ts';
import type { Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf, type Client } from '../support/client.ts';
import type { Home } from '../support/home.ts';
import { importSample, importTiny } from '../support/import.ts';
import type { Size } from './bench.ts';

const MAIN = new URL('../../api/cli/main.ts', import.meta.url);
/** The folder of compiled code, as `npm run serve` sets it. */
const NODE_COMPILE_CACHE = 'node_modules/.cache/assay';
/** The path and the bodies of a theme factor run of the sample, and of the smallest market. */
export const FACTORS = '/investment/theme-watch/factors';
export const FACTORS_BODY = { full: { as_of_date: '2020-09-30', history_months: 60 }, tiny: {} };

export type Served = { child: ChildProcess; url: string; stop(): Promise<void> };

/** Starts `assay serve` in the home, and waits until it has printed the address of the API. */
export async function serve({ folder }: Home): Promise<Served> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  const ports = { PORT: '0', OPS_PORT: '0', CONSOLE_PORT: '0', OPS_PASSWORD: 'password-of-the-bench' };
  const child = spawn(process.execPath, [MAIN.pathname, 'serve'], {
    env: { NODE_COMPILE_CACHE, ...env, ...ports, ASSAY_HOME: folder, RATE_LIMIT_FACTOR: '1000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const found = /^API +(http:\S+)\/api\/v2$/m.exec(printed);
        if (found) resolve(found[1]!);
      });
    }
    child.once('exit', () => reject(new Error(`assay serve ended: ${printed}`)));
  });
  return {
    child,
    url: await url,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/**
 * Imports the sample or, for `tiny`, a small market into a new workspace of the served database, and runs `work` with a
 * client of this workspace.
 */
export async function withSample<T>(
  { home, url, size }: { home: Home; url: string; size: Size },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const operator = openOrm(await databaseUrl(readConfig({ ASSAY_HOME: home.folder }), 'operator'), 2);
  try {
    const backend = { orm: () => operator } as unknown as Backend;
    const tenancy = await buildTenancy(backend);
    await (size === 'full' ? importSample : importTiny)(backend, tenancy.workspace);
    return await work(clientOf({ url }, tenancy.key));
  } finally {
    await operator.close();
  }
}
