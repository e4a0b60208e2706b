import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { tournamentParts } from '#lib/quant/tournaments/tournament-parts.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';

const TOURNAMENTS = '/quant/model-tournaments';
const MONTHS = 144;

/** A monthly series with a trend and a season, without random numbers. */
const seasonal = (place: number) => (month: number) =>
  100 +
  month * (1 + place / 10) +
  25 * Math.sin((2 * Math.PI * month) / 12) +
  ((month * (37 + 12 * place)) % 23) / 4;

/** Rows of an import of economic series: the value of each month, known in the next month. */
function rows(key: string, valueOf: (month: number) => number, months = MONTHS): string[] {
  return Array.from({ length: months }, (_, month) => {
    const year = 2005 + Math.floor(month / 12);
    const day = `${year}-${String((month % 12) + 1).padStart(2, '0')}-28`;
    return `${key},${day},${valueOf(month).toFixed(6)},${year + 1}-01-31T00:00:00Z`;
  });
}

onOneBackend('POST /quant/model-tournaments', (live) => {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importCsv(live(), tenancy.workspace, 'economics', [
      'series,date,value,known_at',
      ...rows('SEASON', seasonal(0)),
      ...rows('SEASON2', seasonal(3)),
      ...rows('FLAT', () => 7),
      ...rows('ROUND', (month) => 100 + ((month * 37) % 23), 39),
      ...rows('SHORT', seasonal(1), 10),
    ]);
  });

  const post = async (body: object) => {
    const answer = await client.post(TOURNAMENTS, body);
    return { status: answer.status, body: answer.body as Record<string, any> };
  };
  const about = (...metrics: string[]) => ({
    task: { kind: 'series', metrics: metrics.map((each) => ({ metric: `economics.${each}` })) },
    horizon: 1,
  });
  const entries = [{ statistical: 'naive' }, { statistical: 'theta' }, { statistical: 'drift' }];
  const two = entries.slice(0, 2);

  it('201 names a winner and seals the losses, and the run is listed and replayed', async () => {
    const { status, body } = await post({
      ...about('SEASON'),
      entries: two,
      origins: { first: 72 },
      name: 'One',
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const { result } = body;
    expect(result).to.include({ state: 'resolved', verdict: 'winner', winner: 'theta' });
    expect(result).to.include({ baseline: 'seasonal_naive' });
    expect(result.leaderboard.map((row: { entry: string }) => row.entry)).to.have.length(3);
    expect(result.leaderboard[0]).to.include({ entry: 'theta', in_set: true, is_baseline: false });
    expect(result.observations).to.include({ kind: 'origin', count: 72, overlap: 1 });
    const read = await client.get(`${TOURNAMENTS}/${body['uid']}?include=losses`);
    expect(canonicalHash(read.body.losses)).to.equal(result.losses_sha256);
    for (const { values, sha256 } of read.body.losses.losses) expect(canonicalHash(values)).to.equal(sha256);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    const listed = await client.get(`${TOURNAMENTS}?task=series&state=succeeded&limit=1`);
    expect(listed.body.data[0]).to.include({ uid: body['uid'], name: 'One', horizon: 1 });
  });

  it('201 seals the same bytes divided among workers as in one part, even if methods are not refitted at each origin', async () => {
    const request = {
      ...about('SEASON', 'SEASON2'),
      entries: [...entries, { statistical: 'ets' }, { statistical: 'ses' }],
      refit_every: 5,
      horizon: 3,
      origins: { most: 60 },
    };
    const { body: open } = await client.post(TOURNAMENTS, request, { prefer: 'respond-async' });
    const body = await eventually(async () => {
      const { body: read } = await client.get(`${TOURNAMENTS}/${open.uid}?wait=20`);
      return read.state !== 'queued' && read.state !== 'running' && read;
    });
    expect(body.state, JSON.stringify(body.problem)).to.equal('succeeded');
    expect(tournamentParts(body.input)!.length).to.be.greaterThan(1);
    expect(body.result.observations).to.include({ kind: 'period', overlap: 3 });
    expect(body.result.ranks.series).to.equal(2);
    const replay = await assay(live(), 'replay', body.uid, '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
  });

  it('201 reports a tie for a constant series, and disqualifies a method that fails at an origin', async () => {
    const flat = await post({
      ...about('FLAT'),
      entries: [{ statistical: 'naive' }, { statistical: 'croston' }],
    });
    expect(flat.status, JSON.stringify(flat.body)).to.equal(201);
    expect(flat.body['result']).to.include({ winner: null, verdict: 'tie', baseline: 'seasonal_naive' });
    const [failed] = flat.body['result'].disqualified;
    expect(failed).to.include({ entry: 'croston', metric: 'economics.FLAT', reason: 'not_applicable' });
    expect(flat.body['result'].leaders).to.deep.equal(['naive', 'seasonal_naive']);
  });

  it('201 with the verdict void if only the baseline is left, and 201 with one baseline if the request also enters it', async () => {
    const lone = await post({ ...about('SEASON'), entries: [{ statistical: 'croston' }] });
    expect(lone.status, JSON.stringify(lone.body)).to.equal(201);
    expect(lone.body['result']).to.include({ state: 'void', verdict: 'void', winner: null });
    const twice = await post({
      ...about('SEASON'),
      entries: [{ statistical: 'seasonal_naive' }, ...entries],
    });
    expect(twice.body['result'].entries).to.have.length(4);
    expect(twice.body['result'].baseline).to.equal('seasonal_naive');
  });

  it('422 with fewer than 20 origins, and for series in several units', async () => {
    const late = await post({ ...about('ROUND'), entries, origins: { first: 20 } });
    expect([late.status, late.body['code'], late.body['observed']]).to.deep.equal([
      422,
      'origins_insufficient',
      19,
    ]);
    const enough = await post({ ...about('ROUND'), entries, origins: { first: 19 } });
    expect(enough.status, JSON.stringify(enough.body)).to.equal(201);
    const short = await post({ ...about('SHORT'), entries });
    expect([short.status, short.body['code']]).to.deep.equal([422, 'origins_insufficient']);
  });

  it('422 points to the entry, metric or bound that is not valid', async () => {
    const pointers = async (body: object) => {
      const answer = await post({ ...about('SEASON'), entries, ...body });
      expect([answer.status, answer.body['code']]).to.deep.equal([422, 'validation_failed']);
      return answer.body['errors'].map((each: { pointer: string }) => each.pointer) as string[];
    };
    expect(await pointers({ entries: [...entries, { statistical: 'theta', name: 'again' }] })).to.deep.equal([
      '/entries/3',
    ]);
    expect(await pointers({ entries: [...entries, { statistical: 'ets', name: 'theta' }] })).to.deep.equal([
      '/entries/3/name',
    ]);
    expect(await pointers(about('SEASON', 'SEASON'))).to.deep.equal(['/task/metrics/1']);
    const absent = await post({ ...about('SEASON', 'ABSENT'), entries });
    expect([absent.status, absent.body['code'], absent.body['errors'][0].pointer]).to.deep.equal([
      422,
      'unknown_metric',
      '/task/metrics/1/metric',
    ]);
    const many = Array.from({ length: 60 }, (_, at) => `M${at}`);
    const large = { ...about(...many), origins: { most: 500 }, entries: [{ combination: true }] };
    expect(await pointers(large)).to.deep.equal(['/origins/most']);
    for (const loss of [{ pinball: { p: 1 } }, { interval: {} }, 'sharpe'])
      expect((await post({ ...about('SEASON'), entries, loss })).status).to.equal(422);
  });

  it('201 refits models on a dataset and reads predictions from another dataset; refuses entries that saw later data', async () => {
    const days = Array.from({ length: 130 }, (_, at) => addDays('2020-01-01', at));
    const x = days.map((_, at) => ((at * 37) % 23) / 23);
    const y = days.map((_, at) => (at === 0 ? 0 : 3 * x[at - 1]! + ((at * 7) % 5) / 50));
    const id = await importNumericDataset(live(), tenancy, {
      name: 'rows',
      lines: ['date,x,y', ...days.map((day, at) => `${day},${x[at]},${y[at]}`)],
      units: 'x=ratio,y=ratio',
    });
    const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000;
    const predicted = (late: number) =>
      days
        .slice(0, -1)
        .map((day, at) => `${day},${y[at + 1]! * 1.01},${seconds(day) + (at === late ? 86_400 : 60)}`);
    const import2 = (name: string, late: number) =>
      importNumericDataset(live(), tenancy, {
        name,
        lines: ['date,prediction,known_at', ...predicted(late)],
      });
    const [desk, tardy] = [await import2('desk', -1), await import2('tardy', 100)];
    const of = (more: object[]) => ({
      task: { kind: 'dataset', id, target: 'y' },
      entries: [{ fit: { family: 'ridge' } }, { fit: { family: 'var' } }, ...more],
      origins: { first: 80 },
      refit_every: 5,
      horizon: 1,
    });
    const { status, body } = await post(of([{ predictions: desk, name: 'desk' }, { statistical: 'theta' }]));
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['result']).to.include({ state: 'resolved', baseline: 'last_value' });
    expect(body['result'].observations.count).to.equal(50);
    expect(body['result'].disqualified).to.deep.equal([]);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    const late = await post(of([{ predictions: tardy }]));
    expect([late.status, late.body['code'], late.body['origin']]).to.deep.equal([
      422,
      'prediction_late',
      days[100],
    ]);
    const bad = await post({ ...of([{ model: 'absent' }, { predictions: 999_999 }]), baseline: 'naive' });
    expect(bad.status).to.equal(422);
    const unknown = await post(of([{ model: 'absent' }, { predictions: 999_999 }]));
    expect(unknown.body['errors'].map((each: { pointer: string }) => each.pointer)).to.deep.equal([
      '/entries/2/model',
      '/entries/3/predictions',
    ]);
    const elsewhere = await post({ ...about('SEASON'), entries: [{ fit: { family: 'ridge' } }] });
    expect(elsewhere.body['errors'][0].pointer).to.equal('/entries/0/fit');
  });

  it('can be run, shown and listed on the command line, with a leaderboard', () =>
    withFile([tenancy.key], (keyFile) =>
      withFile([JSON.stringify({ ...about('SEASON'), entries: two, name: 'Shell' })], async (file) => {
        const service = ['--url', live().url, '--key-file', keyFile];
        const { stdout, stderr } = await assay(live(), 'tournament', 'run', file, ...service);
        expect(stderr).to.equal('');
        expect(stdout).to.match(/^Shell, 1 ahead, absolute loss, 72 origins of 1 series/);
        expect(stdout)
          .to.match(/theta/)
          .and.to.match(/seasonal_naive \*/)
          .and.to.match(/verdict {6}theta: alone/);
        const uid = /tmt_\w+/.exec(stdout)![0];
        expect((await assay(live(), 'tournament', 'show', uid, ...service)).stdout).to.equal(stdout);
        const { json } = await assay(
          live(),
          ...['tournament', 'list', '--workspace', tenancy.workspace, '--environment', tenancy.environment],
          '--json',
        );
        expect(JSON.stringify(json)).to.include(uid);
        const refused = await assay(live(), 'tournament', 'run', keyFile, ...service);
        expect([refused.status, refused.stderr]).to.satisfy(
          ([status, text]: [number, string]) => status === 1 && text.startsWith('file_invalid: '),
        );
      }),
    ));
});
