import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { pino } from 'pino';
import { openAccess } from '#api/process/access.ts';
import { createApp } from '#api/process/app.ts';
import { catalog } from '#api/catalog.ts';
import { systemClock } from '#lib/core/clock.ts';
import { poolUse } from '#lib/database/orm.ts';
import { closeServer, listen, urlOf } from '#lib/ops/listen.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import type { Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { credentialProxy, type CredentialProxy } from '../support/credential-proxy.ts';
import { onOneBackend } from '../support/live.ts';
import { createFixtureHandler } from '../support/mcp-fixtures/handler.ts';

const TOOLS = fileURLToPath(new URL('../../.ci/tools', import.meta.url));
const SUITE = path.join(TOOLS, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** Number of server scenarios that each revision requires. */
const required = { '2026-07-28': 37, '2025-11-25': 30 } as const;

type Revision = keyof typeof required;
const revisions = Object.keys(required) as Revision[];
const run = promisify(execFile);

// Runs the official conformance suite against two servers: the product, and a test server that offers all features of
// the protocol. Both use the product's middleware.
onOneBackend('The conformance suite of the Model Context Protocol', function (live) {
  let key: string;
  let proxy: CredentialProxy;

  before(async () => {
    await run(path.join(TOOLS, 'ready'));
    ({ key } = await buildTenancy(live(), { scopes: ['agents:mcp:read', 'workspace:read'] }));
    proxy = await credentialProxy(live().url, key);
  });
  after(() => proxy.stop());

  for (const revision of revisions) {
    it(`fails in ${revision} only for features that the baseline lists as not offered`, async () => {
      const baseline = new URL(`./mcp-baseline.${revision}.yaml`, import.meta.url);
      const { code, said } = await judge(proxy.url, revision, [
        '--expected-failures',
        fileURLToPath(baseline),
      ]);
      expect(code, said).to.equal(0);
    });
  }

  describe('against the reference server of the suite, through the same proxy', () => {
    let fixtures: { url: string; stop(): Promise<void> };
    let door: CredentialProxy;
    before(async () => {
      fixtures = await startFixtures(live());
      door = await credentialProxy(fixtures.url, key);
    });
    after(async () => {
      await door.stop();
      await fixtures.stop();
    });

    for (const revision of revisions) {
      it(`passes all ${required[revision]} scenarios of ${revision}`, async () => {
        const { code, said } = await judge(door.url, revision);
        expect(code, said).to.equal(0);
        expect(passed(said), said).to.have.lengthOf(required[revision]);
      });
    }
  });
});

/** Returns the required scenarios that passed. */
function passed(said: string): string[] {
  const [, summary = '', others = ''] = said.split(/=== SUMMARY ===|Not scored for/);
  const unscored = new Set([...others.matchAll(/[✓✗] (\S+) \(/g)].map(([, name]) => name!));
  const names = [...summary.matchAll(/^✓ (\S+):/gm)].map(([, name]) => name!);
  return names.filter((name) => !unscored.has(name));
}

/** Returns the report of the suite on a server, and the exit status of the suite. */
async function judge(url: string, revision: Revision, words: readonly string[] = []) {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-mcp-'));
  const given = ['server', '--url', `${url}/api/mcp`, '--requirements', revision, ...words];
  try {
    const { stdout } = await run(process.execPath, [SUITE, ...given], { cwd: folder, maxBuffer: 2 ** 26 });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: `${stdout}\n${stderr}` };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs the API in this process, with the test tools of the suite in place of the product's tools. */
async function startFixtures(live: Backend) {
  const log = pino({ level: 'silent' });
  const orm = live.orm('api');
  const metrics = createMetrics(() => poolUse(orm));
  const config = { REDIS_URL: undefined, RATE_LIMIT_FACTOR: 1_000, ACCESS_TOKEN_S: 900 };
  const access = openAccess({ config, orm, log, metrics });
  const app = createApp({
    catalog,
    access: access.ofOperations,
    oauth: access.ofClients,
    shared: { orm, runs: {} as never, clock: systemClock, cursorSecret: 'of the test' },
    pages: [],
    log,
    metrics,
    validateResponses: true,
    mcpOrigins: { allowed: [], loopback: true },
    mcpHandler: createFixtureHandler(),
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, defaultPort: 0, log });
  const stop = async () => {
    server.closeAllConnections();
    await closeServer(server);
    await access.close();
  };
  return { url: urlOf(server), stop };
}
