import { readdirSync } from 'node:fs';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { bearer, expectUndisturbed, harmlessFlood, startAttacker } from '../../support/bystander.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { queuedRun } from '../../support/idempotency.ts';
import { onOneBackend } from '../../support/live.ts';
import { times } from '../../support/repetitions.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

const REQUESTS = times({ usual: 200, full: 1_000, all: 20_000 });
const AT_ONCE = 16;
/**
 * The number of file descriptors that may stay open: sockets of the connection pool, and client connections that stay
 * open for the next request.
 */
const SPARE_FILES = 40;

onOneBackend(`${REQUESTS} requests of clients that disconnect immediately`, function (live) {
  let attacker: Tenancy;
  let bystander: Tenancy;
  let api: ApiProcess;
  before(async () => {
    [attacker, bystander] = [await buildTenancy(live()), await buildTenancy(live())];
    api = await startApi(live(), { VALIDATE_RESPONSES: 'false', RATE_LIMIT_FACTOR: '1000' });
  });
  after(() => api.stop());

  it('disturb no other caller and leave no connection, wait or transaction behind', async () => {
    const uid = await queuedRun(live(), attacker);
    const headers = bearer(attacker.key);
    const json = { ...headers, 'content-type': 'application/json' };
    const shots = [
      { path: '/api/v2/workspace', headers },
      { path: '/api/v2/quant/compute/jobs?limit=200', headers },
      { path: `/api/v2/quant/compute/jobs/${uid}?wait=20`, headers },
      { path: '/api/v2/changes' },
      { path: '/docs/swagger-ui-bundle.js' },
      {
        method: 'POST',
        path: '/api/v2/investment/theme-watch/factors',
        headers: json,
        body: '{"history_months":null}',
      },
      {
        method: 'POST',
        path: '/api/mcp',
        headers: json,
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      },
    ];
    const warm = startAttacker(api.url);
    await warm.run(harmlessFlood(attacker.key, { requests: AT_ONCE, atOnce: AT_ONCE }));
    await warm.end();
    const filesBefore = openFiles(api.pid);
    await expectUndisturbed({
      url: api.url,
      bystander,
      attack: { kind: 'flood', shots, requests: REQUESTS, atOnce: AT_ONCE, hangsUp: true },
      harmless: harmlessFlood(attacker.key, { requests: REQUESTS, atOnce: AT_ONCE }),
    });
    await eventually(
      async () => openFiles(api.pid) <= filesBefore + SPARE_FILES,
      'the connections are closed',
    );
    await eventually(async () => (await transactions()) === 0, 'no transaction is left open');
  });

  /** Counts transactions that are open and idle. */
  async function transactions(): Promise<number> {
    const { rows } = await asSuperuser(live(), (client) =>
      client.query(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = $1 and state like 'idle in transaction%'`,
        [`assay api ${api.pid}`],
      ),
    );
    return rows[0].count;
  }
});

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
