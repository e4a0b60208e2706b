import { expect } from 'chai';
import { usualBackendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { submitUntilAccepted } from '../support/load.ts';
import { asSuperuser } from '../support/rows.ts';
import { times } from '../support/repetitions.ts';
import { eventually, runRows } from '../support/runs.ts';

const BACKLOG = times({ usual: 100, full: 200, all: 1_000 });
const WORKERS = 2;
const CONCURRENCY = 2;
const CLIENTS = 8;

for (const name of usualBackendNames) {
  describe(`A backlog of ${BACKLOG} runs of one workspace (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      live = await startBackend(name, `assay_test_fair_${name}`, {
        NUMERICS_WORKERS: String(WORKERS),
        NUMERICS_CONCURRENCY: String(CONCURRENCY),
      });
    });
    after(() => live?.stop());

    it('delays another workspace only by the runs in progress and one further run per worker', async () => {
      const [big, small] = [await buildTenancy(live), await buildTenancy(live)];
      for (const { workspace } of [big, small]) await importTiny(live, workspace);
      const workers = Array.from({ length: WORKERS }, (_, at) => live.pid(`worker-numerics-${at + 1}`)!);
      for (const worker of workers) process.kill(worker, 'SIGSTOP');
      const clients = Array.from({ length: CLIENTS }, async () => {
        const uids: string[] = [];
        const client = clientOf(live, big.key);
        for (let run = 0; run < BACKLOG / CLIENTS; run++) {
          uids.push((await submitUntilAccepted(client)).uid);
        }
        return uids;
      });
      const backlog = (await Promise.all(clients)).flat();
      const signal = (name: 'SIGSTOP' | 'SIGCONT') => workers.forEach((worker) => process.kill(worker, name));
      signal('SIGCONT');
      await eventually(async () => (await runRows(live, big.workspace)).some(({ attempts }) => attempts > 0));
      // The workers are stopped during the submission, so its duration is not part of the wait.
      signal('SIGSTOP');
      const { uid } = await submitUntilAccepted(clientOf(live, small.key));
      signal('SIGCONT');
      const remark = `${BACKLOG} queued of another workspace`;
      await expectSealedOnce(live, 'none, a single run', small.workspace, [uid], remark);
      const { rows } = await asSuperuser(live, (database) =>
        database.query(
          `select count(*)::int as overtaken from run other, run own
           where own.uid = $1 and other.workspace_uid = $2
             and other.started_at between own.created_at and own.started_at`,
          [uid, big.workspace],
        ),
      );
      expect(rows[0].overtaken).to.be.at.most(WORKERS * CONCURRENCY + WORKERS);
      await expectSealedOnce(live, 'none, the backlog', big.workspace, backlog);
    });
  });
}
