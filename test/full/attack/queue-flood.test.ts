import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { bearer, expectUndisturbed, harmlessFlood, startAttacker } from '../../support/bystander.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { submitUntilAccepted } from '../../support/load.ts';
import { onEachBackend } from '../../support/live.ts';
import { times } from '../../support/repetitions.ts';
import { eventually, runRows } from '../../support/runs.ts';
import { asSuperuser } from '../../support/rows.ts';

const RUNS = times({ usual: 50, full: 60, all: 2_000 });
const AT_ONCE = 8;
/**
 * The maximum number of runs of the flood that may start after another run is submitted and before that run
 * starts: the runs already computing, and one more per worker.
 */
const OVERTAKEN_MAX = 8;

// `fairness.test.ts` tests callers who wait behind a backlog of a fixed size. In this test, the backlog grows
// all the time.
onEachBackend(`A flood of ${RUNS} submissions of one workspace`, function (live) {
  let attacker: Tenancy;
  let bystander: Tenancy;
  let api: ApiProcess;
  before(async () => {
    [attacker, bystander] = [await buildTenancy(live()), await buildTenancy(live())];
    for (const { workspace } of [attacker, bystander]) await importTiny(live(), workspace);
    api = await startApi(live(), { VALIDATE_RESPONSES: 'false', RATE_LIMIT_FACTOR: '1000' });
  });
  // Later test files use the same service and stop its worker, so the backlog must be empty before they
  // start.
  after(async () => {
    await eventually(async () =>
      (await runRows(live(), attacker.workspace)).every(
        ({ state }) => !['queued', 'running'].includes(state),
      ),
    );
    await api.stop();
  });

  const flood = () => ({
    kind: 'flood' as const,
    shots: [
      {
        method: 'POST',
        path: '/api/v2/investment/theme-watch/factors',
        headers: { ...bearer(attacker.key), 'content-type': 'application/json', prefer: 'respond-async' },
        body: '{}',
      },
    ],
    requests: RUNS,
    atOnce: AT_ONCE,
  });

  it('does not disturb requests of another workspace', async () => {
    const tallies = await expectUndisturbed({
      url: api.url,
      bystander,
      attack: flood(),
      harmless: harmlessFlood(attacker.key, { requests: RUNS, atOnce: AT_ONCE }),
    });
    for (const { answers } of tallies) expect(Object.keys(answers)).to.not.include.members(['500', '503']);
  });

  it('lets a small run of another workspace start before the waiting runs', async () => {
    const hostile = startAttacker(api.url);
    try {
      const flooding = hostile.run(flood());
      const { uid } = await submitUntilAccepted(clientOf(api, bystander.key));
      await eventually(
        async () =>
          (await clientOf(api, bystander.key).get(`/quant/compute/jobs/${uid}`)).body.state === 'succeeded',
      );
      await flooding;
      const { rows } = await asSuperuser(live(), (client) =>
        client.query(
          `select count(*)::int as overtaken from run other, run own
           where own.uid = $1 and other.workspace_uid = $2
             and other.started_at between own.created_at and own.started_at`,
          [uid, attacker.workspace],
        ),
      );
      expect(rows[0].overtaken).to.be.at.most(OVERTAKEN_MAX);
    } finally {
      await hostile.end();
    }
  });
});
