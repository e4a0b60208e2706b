import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import Table from 'cli-table3';
import { tableStyle } from '#api/cli/shell/output.ts';
import { median } from 'simple-statistics';
import { backendNames, startBackend, type Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { expectSealedOnce } from '../../support/fault-table.ts';
import { importSample } from '../../support/import.ts';
import { submitUntilAccepted } from '../../support/load.ts';

const RUNS = 2_000;
const CLIENTS = 8;
const PARTS = ['api', 'worker-numerics-1', 'worker-io', 'scheduler'];
const GROWTH_MAX = 1.2;

type Sample = { done: number; megabytes: number[] };

for (const name of backendNames) {
  describe(`${RUNS} runs one after the other (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      live = await startBackend(name, `assay_test_soak_${name}`);
    });
    after(() => live?.stop());

    const resident = (part: string) =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(live.pid(part))])) / 1_024;

    it('increase the memory of each process by less than a fifth between the middle and the end', async () => {
      const tenancy = await buildTenancy(live);
      await importSample(live, tenancy.workspace);
      const client = clientOf(live, tenancy.key);
      const uids: string[] = [];
      const idle = PARTS.map(resident);
      const samples: Sample[] = [];
      const watch = { over: false };
      const watching = (async () => {
        while (!watch.over) {
          samples.push({ done: uids.length, megabytes: PARTS.map(resident) });
          await delay(250);
        }
      })();
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (uids.length < RUNS) uids.push((await submitUntilAccepted(client, 'wait=60')).uid);
      });
      await Promise.all(clients);
      watch.over = true;
      await watching;
      const table = new Table({
        head: ['resident, MB', 'idle', 'after 1,000 runs', 'after 2,000 runs', 'ratio'],
        ...tableStyle,
      });
      const ratios = PARTS.map((part, at) => {
        const around = (share: number) =>
          median(
            samples
              .filter(({ done }) => Math.abs(done - share * RUNS) <= RUNS / 10)
              .map(({ megabytes }) => megabytes[at]!),
          );
        const [middle, end] = [around(0.5), around(0.95)];
        table.push([part, ...[idle[at]!, middle, end].map(Math.round), (end / middle).toFixed(2)]);
        return { part, ratio: end / middle };
      });
      process.stdout.write(`${table.toString()}\n`);
      for (const { part, ratio } of ratios) expect(ratio, part).to.be.at.most(GROWTH_MAX);
      await expectSealedOnce(live, `none, ${RUNS} runs`, tenancy.workspace, uids);
    });
  });
}
