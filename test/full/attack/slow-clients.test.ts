import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import type { Manner, Shot, Tally } from '../../support/attacker.ts';
import { bearer, expectUndisturbed, harmlessFlood } from '../../support/bystander.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { onOneBackend } from '../../support/live.ts';
import { watchMemory } from '../../support/memory.ts';
import { slowed } from '../../support/patience.ts';
import { times } from '../../support/repetitions.ts';

const CONNECTIONS = times({ usual: 100, full: 1_000, all: 1_000 });
const AT_ONCE = 10;
/**
 * The maximum memory of a thousand connections, in MiB, including the part of a file that each has read
 * ahead.
 */
const GROWTH_MIB_MAX = 400;
/** The time limit of the service under test for the arrival of a request, in milliseconds. */
const REQUEST_MS = slowed(4_000);

onOneBackend(`${CONNECTIONS} connections of a slow client`, function (live) {
  let attacker: Tenancy;
  let bystander: Tenancy;
  let api: ApiProcess;
  before(async () => {
    [attacker, bystander] = [await buildTenancy(live()), await buildTenancy(live())];
    api = await startApi(live(), {
      VALIDATE_RESPONSES: 'false',
      RATE_LIMIT_FACTOR: '1000',
      REQUEST_MS: String(REQUEST_MS),
    });
  });
  after(() => api.stop());

  async function besiege(manner: Manner, shot: Shot, holdMs: number): Promise<Tally> {
    const tallies = await expectUndisturbed({
      url: api.url,
      bystander,
      attack: { kind: 'siege', manner, shot, connections: CONNECTIONS, atOnce: AT_ONCE, holdMs },
      harmless: harmlessFlood(attacker.key, { requests: CONNECTIONS, atOnce: AT_ONCE }),
    });
    return tallies[0]!;
  }

  const BODY = JSON.stringify({ history_months: 24, note: 'x'.repeat(1_000) });
  const submission = {
    method: 'POST',
    path: '/api/v2/investment/theme-watch/factors',
    body: BODY,
    get headers() {
      return { ...bearer(attacker.key), 'content-type': 'application/json' };
    },
  };

  for (const manner of ['slow head', 'slow body'] as const) {
    it(`that send a ${manner} are closed after the time limit without disturbing other callers`, async () => {
      const { held, cut, answers } = await besiege(manner, submission, 20 * REQUEST_MS);
      expect(held).to.equal(0);
      expect(cut + (answers['408'] ?? 0)).to.equal(CONNECTIONS);
    });
  }

  it('disturb no other caller and use bounded memory if they do not read the response', async () => {
    const watch = watchMemory(api.pid);
    const before = watch.now();
    await besiege('deaf', { path: '/docs/swagger-ui-bundle.js' }, slowed(2_000));
    expect(watch.stop() - before, 'growth in MiB').to.be.at.most(GROWTH_MIB_MAX);
  });

  it('disturb no other caller if they stay open and send nothing', async () => {
    const { held, answers } = await besiege(
      'idle',
      { path: '/api/v2/workspace', headers: bearer(attacker.key) },
      slowed(3_000),
    );
    expect([held, answers]).to.deep.equal([CONNECTIONS, {}]);
  });
});
