import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { submitUntilAccepted } from '../support/load.ts';
import { freePort } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';
import { times } from '../support/repetitions.ts';

const KILLS = times({ usual: 1, full: 2, all: 10 });
const CLIENTS = 5;

for (const name of backendNames) {
  describe(`kill -9 of the API while clients wait (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      const PORT = String(await freePort());
      live = await startBackend(name, `assay_test_api_${name}`, { PORT, SWEEP_MS: '500' });
    });
    after(() => live?.stop());

    it('gives each client that retries with the same key one sealed result', async () => {
      const tenancy = await buildTenancy(live);
      await importTiny(live, tenancy.workspace);
      const client = clientOf(live, tenancy.key);
      const uids: string[] = [];
      let sent = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const answers = Array.from({ length: CLIENTS }, () => submitUntilAccepted(client, 'wait=60'));
        // Each round kills the API later than the previous round, so that the kills hit different phases of
        // the requests.
        await delay(kill * 15);
        const api = live.pid('api')!;
        process.kill(api, 'SIGKILL');
        for (const answer of await Promise.all(answers)) {
          expect(answer.status).to.equal(201);
          uids.push(answer.uid);
          sent += answer.sent;
        }
        await eventually(async () => live.pid('api') !== api);
      }
      expect(sent).to.be.greaterThan(uids.length);
      await expectSealedOnce(
        live,
        `kill -9 of the API while ${CLIENTS} clients wait, ${KILLS} x`,
        tenancy.workspace,
        uids,
        `${sent} requests`,
      );
    });
  });
}
