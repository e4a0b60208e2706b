import { expect } from 'chai';
import {
  dividedScenarios,
  request,
  SCENARIOS,
  type DividedScenarios,
} from '../../support/divided-scenarios.ts';
import { onEachBackend } from '../../support/live.ts';
import { scenariosInRounds } from '../../support/scenario-rounds.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';

const THREAD = new URL('../../../workers/process/thread.ts', import.meta.url);

onEachBackend('A scenario run in several rounds', function (live) {
  let scenarios: DividedScenarios;
  before(async () => {
    scenarios = await dividedScenarios(live());
  });

  it('has the same result and the same stored samples as the run in one round', async () => {
    const whole = await scenarios.client.post(SCENARIOS, request);
    expect(whole.status, JSON.stringify(whole.body)).to.equal(201);
    await scenarios.withWorker(scenariosInRounds, THREAD, async () => {
      const { status, body } = await scenarios.client.post(SCENARIOS, request);
      expect([status, body.attempts, body.progress], JSON.stringify(body)).to.deep.equal([201, 1, 1]);
      // The hashes are compared first, because they show which part of the result differs.
      expect(body.result.hashes).to.deep.equal(whole.body.result.hashes);
      expect(body.result).to.deep.equal(whole.body.result);
      const same = await asSuperuser(live(), async (database) => {
        const { rows } = await database.query<{ same: boolean }>(
          'select count(distinct content) = 1 and count(*) = 2 as same from run_matrix where run_uid = any($1)',
          [[whole.body.uid, body.uid]],
        );
        return rows[0]!.same;
      });
      expect(same).to.equal(true);
    });
    expect(await scenarios.partsKept()).to.equal(0);
  });

  // PostgreSQL empties the table of the parts after a crash.
  it('computes all rounds again if the stored parts are lost, and counts one more attempt', async () => {
    const whole = await scenarios.client.post(SCENARIOS, request);
    await scenarios.withWorker(scenariosInRounds, THREAD, async () => {
      const { body } = await scenarios.client.post(SCENARIOS, request, { prefer: 'respond-async' });
      await eventually(losePartsOfSecondRound);
      await eventually(async () => (await recordOf(body.uid)).state === 'succeeded');
      expect(await recordOf(body.uid)).to.include({ results: 1, attempts: 2 });
      const { result } = (await scenarios.client.get(`/generative/runs/${body.uid}`)).body;
      expect(result).to.deep.equal(whole.body.result);
    });
    expect(await scenarios.partsKept()).to.equal(0);
  });

  it('records when each part was queued and computed, and by which worker', async () => {
    await scenarios.withWorker(scenariosInRounds, THREAD, () =>
      asSuperuser(live(), async (database) => {
        // The parts go when the run ends. The lock prevents its end.
        await database.query('begin');
        await database.query('lock table run_result in share mode');
        const { body } = await scenarios.client.post(SCENARIOS, request, { prefer: 'respond-async' });
        await eventually(async () => {
          const { rows } = await database.query<{ inOrder: boolean }>(
            `select queued_at <= started_at and started_at <= ended_at and worker ~ '^\\S+ \\d+$' as "inOrder"
             from run_part where run_uid = $1`,
            [body.uid],
          );
          expect(rows.every(({ inOrder }) => inOrder)).to.equal(true);
          return rows.length > 0;
        });
        await database.query('commit');
        await eventually(async () => (await recordOf(body.uid)).state === 'succeeded');
      }),
    );
  });

  const recordOf = async (uid: string) =>
    (await runRows(live(), scenarios.tenancy.workspace)).find((row) => row.uid === uid)!;
  /** Deletes all parts if a part of the second round is stored. A lock prevents parts from being stored meanwhile. */
  const losePartsOfSecondRound = (): Promise<boolean> =>
    asSuperuser(live(), async (database) => {
      await database.query('begin');
      try {
        await database.query('lock table run_part in exclusive mode');
        const { rowCount } = await database.query(
          `delete from run_part where workspace_uid = $1
             and exists (select from run_part where workspace_uid = $1 and round = 1)`,
          [scenarios.tenancy.workspace],
        );
        return (rowCount ?? 0) > 3;
      } finally {
        await database.query('commit');
      }
    });
});
