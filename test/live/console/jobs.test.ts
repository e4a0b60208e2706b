import { expect } from 'chai';
import { pino } from 'pino';
import { formToken } from '#api/console/session-cookie.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { openQueue } from '#lib/pipeline/queue.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, userOf } from '../../support/client.ts';
import { enrolled } from '../../support/enrol.ts';
import { fieldsOf, formOf, startConsole, type Console } from '../../support/console.ts';
import { importEconomics } from '../../support/forecast.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { markupFaults } from '../../support/markup.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

const PLACE = '/console/jobs';

onEachBackend('the jobs in the console', (live) => {
  let console: Console;
  let tenancy: Tenancy;
  let cookie: string;
  let byApplication: string;
  let byPerson: string;

  before(async () => {
    console = await startConsole(live());
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    await importEconomics(live(), tenancy.workspace);
    cookie = await console.signIn(tenancy.person);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    byApplication = (await userOf(live(), tenancy.key).submit('/investment/theme-watch/factors')).uid;
    const form = '/console/new/planning.forecasts';
    const fields = { ...fieldsOf((await get(form)).text, `${form}/submit`), '/metric': 'economics.GDPC1' };
    const sent = await console.ask(`${form}/submit`, formOf({ ...fields, '/horizon': '2' }, { cookie }));
    byPerson = sent.headers.get('location')!.split('/').at(-1)!;
  });
  after(async () => {
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
    await console.stop();
  });

  const get = async (path: string, headers: Record<string, string> = { cookie }) => {
    const answer = await console.ask(path, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const decide = async (name: string, fields: Record<string, string>) => {
    const token = formToken(cookie.split('=')[1]!, PLACE);
    const answer = await console.ask(`${PLACE}/${name}`, formOf({ token, ...fields }, { cookie }));
    const location = answer.headers.get('location');
    return { status: answer.status, location, text: await answer.text() };
  };
  /** Returns the row of a run in the table of open runs. */
  const rowOf = (text: string, uid: string) =>
    text.split('<tr>').find((row) => row.includes(`/console/runs/${uid}`)) ?? '';
  const stateOf = async (uid: string) =>
    (await clientOf(live(), tenancy.key).get(`/quant/compute/jobs/${uid}`)).body.state;

  it('lists open runs by queue and kind, each with its age, wait, attempts, progress and submitter', async () => {
    const { status, text } = await get(PLACE);
    expect(status).to.equal(200);
    expect(await markupFaults(text)).to.deep.equal([]);
    const name = await asSuperuser(live(), async (client) => {
      const { rows } = await client.query('select name from person where uid = $1', [tenancy.person]);
      return rows[0].name as string;
    });
    const [own, other] = [rowOf(text, byPerson), rowOf(text, byApplication)];
    expect(own).to.include('Forecasts').and.to.include('numerics').and.to.include('a worker');
    expect(own)
      .to.include(`>${name}</td>`)
      .and.to.match(/[\d.]+ s</)
      .and.to.include('0 %');
    expect(other).to.include('Theme factors').and.to.include('>Application');
    expect(text).to.match(/<dt>Queued<\/dt>\s*<dd>2</);
    expect(text).to.include('<noscript><a class="button" href="/console/jobs">Load again</a></noscript>');
  });

  it('sends the open runs as events, with a new list for a new run', async () => {
    const stop = new AbortController();
    const answer = await console.ask('/console/live?open=1', { headers: { cookie }, signal: stop.signal });
    let received = '';
    let added: string | undefined;
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      received += part;
      if (added === undefined && received.includes(`event: list\ndata: ["${byApplication}","${byPerson}"]`))
        added = (await userOf(live(), tenancy.key).submit('/investment/theme-watch/factors')).uid;
      if (added !== undefined && received.includes(`"${byPerson}","${added}"]`)) break;
    }
    stop.abort();
    expect(received).to.match(/"uid":"\w+","state":"queued","tone":"warn","percent":0,"isOver":false/);
    await decide('cancel', { uid: added! });
  });

  it('dispatches a run again if the queue lost its job, and records that the person requested it', async () => {
    expect((await decide('dispatch', { uid: byPerson })).location).to.equal(`${PLACE}?done=alive`);
    const target = { redisUrl: live().redis?.url, databaseUrl: roleUrl(live().ownerUrl, 'worker') };
    const queue = openQueue('numerics', { ...target, log: pino({ level: 'silent' }) });
    // The scheduler also dispatches the run again, and may be first.
    await eventually(async () => {
      await queue.remove(byPerson);
      return (await decide('dispatch', { uid: byPerson })).location === `${PLACE}?done=dispatched`;
    });
    expect(await queue.getJobState(byPerson)).to.be.oneOf(['waiting', 'prioritized']);
    await queue.close();
    const { json } = await assay(
      live(),
      ...['audit', 'list', '--workspace', tenancy.workspace, '--subject', byPerson, '--json'],
    );
    const entry = json.data.find(({ op }: { op: string }) => op === 'run.dispatched_again');
    expect(entry.actor).to.deep.include({ kind: 'person', uid: tenancy.person });
  });

  it('cancels the chosen run, and refuses a run that has ended, that is not named, and that is of another workspace', async () => {
    expect((await decide('cancel', { uid: byApplication })).location).to.equal(`${PLACE}?done=cancelled`);
    expect(await stateOf(byApplication)).to.equal('cancelled');
    expect((await get(PLACE)).text).to.not.include(byApplication);
    const ended = await decide('dispatch', { uid: byApplication });
    expect([ended.status, ended.text.includes('run_not_open')]).to.deep.equal([409, true]);
    expect((await decide('cancel', {})).status).to.equal(422);
    const other = await buildTenancy(live());
    const foreign = { cookie: await console.signIn(other.person) };
    const token = formToken(foreign.cookie.split('=')[1]!, PLACE);
    const answer = await console.ask(`${PLACE}/cancel`, formOf({ token, uid: byPerson }, foreign));
    expect([answer.status, await stateOf(byPerson)]).to.deep.equal([409, 'queued']);
    expect((await get(PLACE, foreign)).text)
      .to.include('No run is open')
      .and.to.not.include(byPerson);
  });

  it('shows the computed parts of an open run with their worker, waiting time and computing time', async () => {
    const place = `/console/runs/${byPerson}`;
    expect((await get(place)).text).to.not.include('Gantt chart of the parts');
    await asSuperuser(live(), (client) =>
      client.query(
        `insert into run_part (run_uid, workspace_uid, environment, first_sample, samples, content, queued_at, started_at,
           ended_at, worker)
         select run_uid, workspace_uid, environment, 0, 1000, '', now() - interval '9 s', now() - interval '7 s', now(), 'one 17'
         from dispatch where run_uid = $1`,
        [byPerson],
      ),
    );
    const { text } = await get(place);
    expect(text.replaceAll(/\s+/g, ' ')).to.include('the last computed parts: 1; workers: 1');
    // The page loads itself again for browsers without scripts, which the checker forbids.
    const faults = await markupFaults(text);
    expect(faults.filter((fault) => !fault.startsWith('meta-refresh'))).to.deep.equal([]);
    const row = text.split('<tr>').findLast((each) => each.includes('round 1, from 0'))!;
    expect([...row.matchAll(/>([^<>]+)<\/td>/g)].map(([, cell]) => cell!.trim())).to.include.members([
      '1,000',
      '2.0',
      '7.0',
      'one 17',
    ]);
  });

  it('after a refused cancellation, leads a browser without scripts to the page of the run', async () => {
    await enrolled(live(), tenancy.person);
    const place = `/console/runs/${byPerson}`;
    const token = formToken(cookie.split('=')[1]!, place);
    const refused = await console.ask(`${place}/cancel`, formOf({ token, code: '000000' }, { cookie }));
    const text = await refused.text();
    expect([refused.status, text.includes('code_invalid')]).to.deep.equal([403, true]);
    const [, next = ''] = /<noscript><meta http-equiv="refresh" content="\d+; url=([^"]+)"/.exec(text) ?? [];
    expect(next).to.equal(place);
    expect((await get(next)).status).to.equal(200);
  });

  it('shows what is missing to a workspace without runs, and nothing to strangers', async () => {
    const other = await buildTenancy(live());
    await assay(live(), 'workspace', 'set-entitlements', other.workspace, 'intelligence:read');
    const page = await get(PLACE, { cookie: await console.signIn(other.person) });
    expect([page.status, page.text.includes('Not included')]).to.deep.equal([403, true]);
    expect((await get(PLACE, {})).status).to.equal(401);
  });
});
