import { expect } from 'chai';
import { usualBackendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { underLoad } from '../support/load.ts';
import { freePort } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';

const PARTS = ['worker-numerics-1', 'api', 'scheduler', 'worker-io'];

for (const name of usualBackendNames) {
  describe(`SIGTERM under load (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      const PORT = String(await freePort());
      live = await startBackend(name, `assay_test_drain_${name}`, { PORT, SWEEP_MS: '500' });
    });
    after(() => live?.stop());

    for (const part of PARTS) {
      it(`lets the ${part} finish its work and exit with status 0`, async () => {
        const tenancy = await buildTenancy(live);
        await importTiny(live, tenancy.workspace);
        const load = underLoad(clientOf(live, tenancy.key), 4);
        await eventually(async () => load.count() > 20);
        const pid = live.pid(part)!;
        process.kill(pid, 'SIGTERM');
        await eventually(async () => live.notices.some((line) => line.startsWith(`${part} ended (`)));
        expect(live.notices.filter((line) => line.startsWith(`${part} ended (`))).to.deep.equal([
          `${part} ended (0); starting it again`,
        ]);
        await eventually(async () => live.pid(part) !== pid);
        const before = load.count();
        await eventually(async () => load.count() > before + 10);
        await expectSealedOnce(live, `SIGTERM of the ${part}`, tenancy.workspace, await load.stop());
      });
    }
  });
}
