import { expect } from 'chai';
import { ApiProblem } from '#lib/client/client.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { userOf, type User } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { ticketQueue } from '../../support/queue.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';
import { whileStopped } from '../../support/stopped.ts';

const FACTORS = '/investment/theme-watch/factors';

onEachBackend('assay jobs', function (live) {
  let tenancy: Tenancy;
  let user: User;

  before(async () => {
    tenancy = await buildTenancy(live());
    user = userOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
  });

  const jobs = (...words: string[]) => assay(live(), 'jobs', ...words, '--json');
  const submit = async () => (await user.submit(FACTORS)).uid;

  /** Submits a run that fails for lack of data. It may have ended before its submission is answered. */
  const refused = async () => {
    const submitted = user.submit(FACTORS, { as_of_date: '1999-12-31' });
    const end = await submitted.then((run) => run.sealed()).catch((error: unknown) => error);
    expect(end).to.be.instanceOf(ApiProblem);
    return (await runRows(live(), tenancy.workspace)).at(-1)!.uid;
  };
  const stateOf = async (uid: string) =>
    (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid);

  const whileNothingComputes = (work: () => Promise<void>) =>
    whileStopped(live(), ['worker-numerics-1', 'scheduler'], work);

  it('lists the runs of a workspace, newest first, by state and kind, up to the requested number', async () => {
    const [first, second, third] = [
      (await user.sealedFactors()).uid,
      (await user.sealedFactors()).uid,
      await refused(),
    ];
    const listed = async (...words: string[]) =>
      (await jobs('list', '--workspace', tenancy.workspace, ...words)).json.data.map((row: any) => row.uid);
    expect(await listed()).to.deep.equal([third, second, first]);
    expect(await listed('--state', 'succeeded')).to.deep.equal([second, first]);
    expect(await listed('--kind', 'investment.theme-factors', '--limit', '1')).to.deep.equal([third]);
    expect(await listed('--state', 'running')).to.deep.equal([]);
    expect((await jobs('list', '--state', 'done')).stderr).to.match(/^unknown_state: /);
    expect((await jobs('list', '--kind', 'none')).stderr).to.match(/^unknown_kind: /);
    expect((await jobs('list', '--limit', '0')).status).to.equal(2);
  });

  it('shows the record of a run with its timings, its queue job and its problem', async () => {
    const { uid } = await user.sealedFactors();
    const { json } = await jobs('show', uid);
    expect(json).to.include({ uid, workspace: tenancy.workspace, state: 'succeeded', attempts: 1 });
    expect(json).to.include({ queue_job: 'completed', turn: null, problem: null });
    expect(json.waited_ms).to.be.a('number');
    expect(json.ran_ms).to.be.a('number');
    const shown = await jobs('show', await refused());
    expect(shown.json.problem.code).to.equal('taxonomy_unavailable');
    expect((await jobs('show', 'tfr_none')).stderr).to.match(/^run_unknown: /);
  });

  it('enqueues an open run only if its queue job is lost', async () => {
    const queue = ticketQueue(live());
    let uid = '';
    await whileNothingComputes(async () => {
      uid = await submit();
      const waiting = await jobs('retry', uid);
      expect(waiting.json).to.deep.equal({ uid, handed_over: false, queue_job: 'prioritized' });
      expect((await jobs('show', uid)).json).to.include({ queue_job: 'prioritized', state: 'queued' });
      await queue.remove(uid);
      expect((await jobs('show', uid)).json).to.include({ queue_job: 'none', queue: 'numerics' });
      expect((await jobs('retry', uid)).json).to.deep.equal({ uid, handed_over: true, queue_job: 'lost' });
      expect(await queue.getJobState(uid)).to.equal('prioritized');
    });
    await queue.close();
    await eventually(async () => (await stateOf(uid))?.state === 'succeeded');
    expect(await stateOf(uid)).to.include({ results: 1 });
  });

  it('leaves a run in a queue that only a newer version knows as it is', async () => {
    let uid = '';
    const move = (queue: string) =>
      asSuperuser(live(), (client) =>
        client.query('update dispatch set queue = $1 where run_uid = $2', [queue, uid]),
      );
    await whileNothingComputes(async () => {
      uid = await submit();
      await move('newer');
      expect((await jobs('retry', uid)).stderr).to.match(/^unknown_queue: .* newer/);
      await move('numerics');
    });
    await eventually(async () => (await stateOf(uid))?.state === 'succeeded');
  });

  it('never changes a record of an ended run', async () => {
    const { uid } = await user.sealedFactors();
    const refused = await jobs('retry', uid);
    expect(refused).to.include({ status: 1, stdout: '' });
    expect(refused.stderr).to.match(/^run_not_retryable: /);
    const cancelled = await jobs('cancel', uid);
    expect(cancelled).to.include({ status: 1, stdout: '' });
    expect(cancelled.stderr).to.match(/^run_not_cancellable: /);
    expect(await stateOf(uid)).to.include({ state: 'succeeded', attempts: 1, results: 1 });
  });

  it('cancels a run, which makes room for a waiting run', async () => {
    await assay(live(), 'workspace', 'set-class', tenancy.workspace, 'developer');
    await whileNothingComputes(async () => {
      const uids = [];
      // The service class `developer` permits four runs at once, so the fifth run waits.
      for (let count = 0; count < 5; count++) uids.push(await submit());
      const [first, last] = [uids[0]!, uids.at(-1)!];
      expect((await jobs('show', last)).json).to.include({ turn: null, queue_job: 'none' });
      expect((await jobs('retry', last)).json).to.include({
        handed_over: false,
        queue_job: 'waits for room',
      });
      for (const _ of ['once', 'again'])
        expect((await jobs('cancel', first)).json).to.deep.equal({ uid: first, state: 'cancelled' });
      expect((await jobs('show', last)).json.queue_job).to.equal('prioritized');
      const words = ['--workspace', tenancy.workspace, '--op', 'run.cancelled', '--json'];
      const { data } = (await assay(live(), 'audit', 'list', ...words)).json;
      expect(data.map(({ subject, actor }: any) => [subject.uid, actor.kind])).to.deep.equal([
        [first, 'system'],
      ]);
    });
  });
});
