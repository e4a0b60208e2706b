import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { advanceTournaments } from '#workers/quant/advance-tournaments.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';

const TOURNAMENTS = '/quant/model-tournaments';
const MONTHS = 60;

const rows = (months: number) =>
  Array.from({ length: months }, (_, month) => {
    const year = 2005 + Math.floor(month / 12);
    const value = 100 + 2 * month + ((month * 37) % 23) / 4;
    return `LIVE,${year}-${String((month % 12) + 1).padStart(2, '0')}-28,${value},${year + 1}-01-31T00:00:00Z`;
  });

onOneBackend('Live rounds of a tournament', (live) => {
  it('seal forecasts before the values are known, and score them afterwards', async () => {
    const tenancy = await buildTenancy(live());
    const client = clientOf(live(), tenancy.key);
    const bring = (months: number) =>
      importCsv(live(), tenancy.workspace, 'economics', ['series,date,value,known_at', ...rows(months)]);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const advance = (now?: Date) => advanceTournaments(live().orm('worker'), now);
    await bring(MONTHS);
    const request = {
      task: { kind: 'series', metrics: [{ metric: 'economics.LIVE' }] },
      entries: [{ statistical: 'naive' }, { statistical: 'drift' }],
      baseline: 'naive',
      horizon: 1,
      live: { rounds: 2, every_days: 30, open_hours: 0 },
    };
    const { status, body } = await client.post(TOURNAMENTS, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    const path = `${TOURNAMENTS}/${body.uid}/rounds`;
    const read = async () => (await client.get(path)).body;
    expect(await read()).to.deep.include({ state: 'open', standing: null });

    await advance(inDays(0.01));
    await advance(inDays(0.01));
    const [first] = (await read()).rounds;
    expect(first).to.include({ round: 1, state: 'scoring', score: null });
    const sealed = await eventually(async () => {
      const answer = await client.get(
        `/quant/tournament-rounds/${first.forecasts_uid}?wait=20&include=forecasts`,
      );
      return answer.body.state === 'succeeded' && answer.body;
    });
    expect(checkSeal(sealed)).to.include({ intact: true });
    expect(sealed.result.series[0]).to.deep.include({ origin: '2009-12', periods: ['2010-01'] });
    expect(canonicalHash(sealed.forecasts)).to.equal(sealed.result.forecasts_sha256);
    const replay = await assay(live(), 'replay', sealed.uid, '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });

    await advance(inDays(1));
    expect((await read()).rounds[0]).to.deep.include({ state: 'scoring' });
    await bring(MONTHS + 1);
    await advance(inDays(3));
    const scored = await read();
    expect(scored.rounds[0]).to.include({ state: 'resolved' });
    const point = (entry: string) =>
      sealed.forecasts.forecasts.find((each: { entry: string }) => each.entry === entry).points[0];
    const actual = 100 + 2 * MONTHS + ((MONTHS * 37) % 23) / 4;
    for (const { entry, loss } of scored.rounds[0].score.losses)
      expect(loss).to.be.closeTo(Math.abs(point(entry) - actual), 1e-9);
    expect(scored.standing).to.include({ verdict: 'too_few_rounds', winner: null, rounds: 1 });
    expect(scored.state).to.equal('open');

    // Nobody submits the forecasts of the second round in the day after its close.
    await advance(inDays(31));
    expect((await read()).rounds[1].state).to.equal('open');
    await advance(inDays(33));
    const ended = await read();
    expect(ended.rounds[1]).to.include({ state: 'void', void_reason: 'not_sealed', forecasts_uid: null });
    expect(ended).to.include({ state: 'resolved' });
    expect(ended.standing).to.deep.equal(scored.standing);
    expect(await advance(inDays(99))).to.equal(0);

    const events = await eventually(async () => {
      const { data } = (await client.get('/events?type=tournament.resolved')).body;
      return data.length > 0 && data;
    });
    expect(events[0].details).to.include({ state: 'resolved', verdict: 'too_few_rounds' });
    const listed = (await client.get(`/quant/tournament-rounds?tournament_uid=${body.uid}`)).body.data;
    expect(listed.map(({ uid }: { uid: string }) => uid)).to.deep.equal([sealed.uid]);
    await withFile([tenancy.key], async (keyFile) => {
      const service = ['--url', live().url, '--key-file', keyFile];
      const { stdout } = await assay(live(), 'tournament', 'rounds', body.uid, ...service);
      expect(stdout)
        .to.match(/drift/)
        .and.to.match(/not_sealed/)
        .and.to.match(/too few scored rounds/);
    });
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    expect((await stranger.get(path)).status).to.equal(404);
  });

  it('422 for a dataset task, 404 for a tournament without live rounds', async () => {
    const client = clientOf(live(), (await buildTenancy(live())).key);
    const request = {
      task: { kind: 'dataset', id: 1, target: 'y' },
      entries: [{ fit: { family: 'ridge' } }],
      horizon: 1,
      live: { rounds: 1 },
    };
    const { status, body } = await client.post(TOURNAMENTS, request);
    expect([status, body.errors[0].pointer]).to.deep.equal([422, '/live']);
    for (const rounds of [0, 121, 1.5, '2', null])
      expect(
        (await client.post(TOURNAMENTS, { ...request, live: { rounds } })).body.errors[0].pointer,
      ).to.equal('/live/rounds');
    expect((await client.get(`${TOURNAMENTS}/tmt_nothing/rounds`)).status).to.equal(404);
  });
});
