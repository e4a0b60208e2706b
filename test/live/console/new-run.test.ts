import { expect } from 'chai';
import { sql, type RawBuilder } from 'kysely';
import { Application } from '#lib/access/application.entity.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { fieldsOf, formOf, startConsole, type Console } from '../../support/console.ts';
import { importEconomics } from '../../support/forecast.ts';
import { markupFaults } from '../../support/markup.ts';
import { onOneBackend } from '../../support/live.ts';

const PLACE = '/console/new/planning.forecasts';

onOneBackend('a new run in the console', (live) => {
  let console: Console;
  let tenancy: Tenancy;
  let cookie: string;

  before(async () => {
    console = await startConsole(live());
    tenancy = await buildTenancy(live());
    await importEconomics(live(), tenancy.workspace);
    cookie = await console.signIn(tenancy.person);
  });
  after(() => console.stop());

  const get = async (path: string) => (await console.ask(path, { headers: { cookie } })).text();
  const send = (fields: Record<string, string>, name = 'submit') =>
    console.ask(`${PLACE}/${name}`, formOf(fields, { cookie }));
  const form = async () => fieldsOf(await get(PLACE), `${PLACE}/submit`);

  it('submits the run that the form states, once for each form, and records the person', async () => {
    const filled = { ...(await form()), '/metric': 'economics.GDPC1', '/horizon': '4', '/reason': 'Budget' };
    const [first, second] = [await send(filled), await send(filled)];
    expect([first.status, second.status]).to.deep.equal([303, 303]);
    const place = first.headers.get('location')!;
    expect(second.headers.get('location')).to.equal(place);
    const uid = place.split('/').at(-1)!;
    const client = clientOf(live(), tenancy.key);
    const { body } = await client.get(`/planning/forecasts/${uid}?wait=20`);
    expect([body.state, body.input.metric, body.input.horizon]).to.deep.equal([
      'succeeded',
      'economics.GDPC1',
      4,
    ]);
    expect(await get(place)).to.include('Seal');
    const { json } = await assay(
      live(),
      'audit',
      'list',
      '--workspace',
      tenancy.workspace,
      '--subject',
      uid,
      '--json',
    );
    const entry = json.data.find(({ op }: { op: string }) => op === 'run.submitted');
    expect(entry.actor).to.deep.include({ uid: tenancy.person });
    const { application_uid: application } = entry.details;
    const refused = await assay(live(), 'key', 'issue', '--app', application, '--as', tenancy.person);
    expect(refused.status).to.not.equal(0);
    expect(refused.stderr).to.include('belongs to the console');
  });

  it('sends the states of runs as events until they have ended, only of its own workspace, only to sessions', async () => {
    const sent = await send({ ...(await form()), '/metric': 'economics.GDPC1', '/horizon': '3' });
    const uid = sent.headers.get('location')!.split('/').at(-1)!;
    const path = `/console/live?runs=${uid},dlg_forged,x`;
    const answer = await console.ask(path, { headers: { cookie } });
    expect(answer.headers.get('content-type')).to.include('text/event-stream');
    const events = await answer.text();
    expect(events).to.match(
      new RegExp(`"uid":"${uid}","state":"succeeded","tone":"ok","percent":100,"isOver":true`),
    );
    expect(events).to.match(/event: ended\ndata: \{\}\n\n$/);
    const other = await console.signIn((await buildTenancy(live())).person);
    expect(await (await console.ask(path, { headers: { cookie: other } })).text()).to.not.include(uid);
    expect((await console.ask(path)).status).to.equal(401);
    expect((await console.ask('/console/live?runs=x', { headers: { cookie } })).status).to.equal(422);
  });

  it('has a form with valid markup for each kind of run, with its example', async () => {
    const kinds = [...(await get('/console/new')).matchAll(/href="(\/console\/new\/[\w.-]+)"/g)];
    expect(kinds.length).to.be.greaterThan(20);
    for (const [, place] of kinds)
      expect(await markupFaults(await get(`${place}?example=1`)), place).to.deep.equal([]);
  });

  it('keeps credentials from the application of the console, and the application from other roles, in the database', async () => {
    await send({ ...(await form()), '/metric': 'economics.GDPC1', '/horizon': '2' });
    const within = (statement: (uid: string) => RawBuilder<unknown>) =>
      inTenant(
        live().orm('operator'),
        { workspace: tenancy.workspace, environment: 'sandbox' },
        async (em) => {
          const own = await em.findOneOrFail(Application, { builtIn: true });
          expect([own.scopes, own.ownerUid]).to.deep.equal([[], tenancy.person]);
          await statement(own.uid).execute(em.getKysely());
        },
      ).then(
        () => 'done',
        (error: Error) => error.message,
      );
    expect(
      await within(
        (uid) => sql`
          insert into credential (uid, workspace_uid, environment, application_uid, key_id, secret_hash, issued_by_uid, created_at)
          values ('key_forged', ${tenancy.workspace}, 'sandbox', ${uid}, 'forged', 'x', ${tenancy.person}, now())`,
      ),
    ).to.include('a built-in application has no credentials');
    expect(
      await within(() => sql`select console_application('app_forged', ${tenancy.person}, now())`),
    ).to.include('only the console submits runs');
  });

  it('has a form for each model that only its own form runs, and submits its run', async () => {
    const place = '/console/new/models/ets';
    expect(await get('/console/new')).to.include(`href="${place}"`);
    const page = await get(`${place}?example=1`);
    expect(await markupFaults(page)).to.deep.equal([]);
    const sent = async (fields: Record<string, string>, name = 'submit') => {
      const answer = await console.ask(
        `${place}/${name}`,
        formOf({ ...fieldsOf(page, `${place}/submit`), ...fields }, { cookie }),
      );
      return { location: answer.headers.get('location') ?? '', text: await answer.text() };
    };
    const given = {
      '/input/series': JSON.stringify({
        values: Array.from({ length: 36 }, (_, month) => 100 + month),
        frequency: 'monthly',
        start: '2022-01',
      }),
      '/input/horizon': '4',
    };
    const { location, text } = await sent(given);
    expect(location, text.split('<main')[1]?.slice(0, 1500)).to.include('/console/runs/');
    const uid = location.split('/').at(-1)!;
    const { body } = await clientOf(live(), tenancy.key).get(`/quant/model-runs/${uid}?wait=20`);
    expect([body.state, body.kind, body.input.model_key]).to.deep.equal([
      'succeeded',
      'quant.statistical-runs',
      'ets',
    ]);
    expect((await sent(given, 'curl')).text).to.include('$API/quant/models/ets/run');
    const faulty = (await sent({ ...given, '/input/horizon': 'many' })).text;
    expect(faulty).to.match(/id="f-input-horizon"[^>]*aria-invalid="true"/);
    const other = { ...given, key: 'another form', '/version': '9.9.9' };
    expect(/<code>(\w+)<\/code>/.exec((await sent(other)).text)?.[1]).to.equal('not_found');
    expect(await get('/console/new/models/nothing')).to.include('There is no such model.');
  });

  it('plans the live rounds of a tournament in its form, and shows the rounds on the page of the tournament', async () => {
    const place = '/console/new/quant.model-tournaments';
    const fields = {
      ...fieldsOf(await get(place), `${place}/submit`),
      '/task': JSON.stringify({ kind: 'series', metrics: [{ metric: 'economics.GDPC1' }] }),
      '/entries': JSON.stringify([{ statistical: 'naive' }, { statistical: 'drift' }]),
      '/baseline': 'naive',
      '/horizon': '1',
      '/live/rounds': '2',
      '/live/open_hours': '5',
    };
    const sent = await console.ask(`${place}/submit`, formOf(fields, { cookie }));
    const page = sent.headers.get('location')!;
    const uid = page.split('/').at(-1)!;
    const { body } = await clientOf(live(), tenancy.key).get(`/quant/model-tournaments/${uid}?wait=20`);
    expect([body.state, body.input.live]).to.deep.equal([
      'succeeded',
      { rounds: 2, every_days: 30, open_hours: 5 },
    ]);
    const text = await get(page);
    expect(await markupFaults(text)).to.deep.equal([]);
    expect(text).to.match(
      /Live rounds<\/h2>\s*<span class="pill warn">open<\/span>[\s\S]*Table: Live rounds/,
    );
  });

  it('refuses a sent form with other values, and names each fault at its field', async () => {
    const fields = await form();
    const changed = { ...fields, '/metric': 'economics.GDPC1', '/horizon': '4' };
    expect((await send(changed)).status).to.equal(303);
    expect((await send({ ...changed, '/horizon': '5' })).status).to.equal(409);
    const faulty = await send({ ...(await form()), '/metric': '<b>', '/horizon': 'many' });
    expect(faulty.status).to.equal(422);
    const page = await faulty.text();
    expect(page).to.match(/id="f-horizon"[^>]*aria-invalid="true"/);
    expect(page).to.include('value="&lt;b&gt;"');
    expect(await markupFaults(page)).to.deep.equal([]);
    const unknown = await send({ ...(await form()), '/metric': 'economics.NONE', '/horizon': '4' });
    expect(unknown.status).to.equal(422);
    expect(await unknown.text()).to.match(/id="f-metric"[^>]*aria-invalid="true"/);
  });

  it('shows the request as a curl command, and submits nothing', async () => {
    const jobs = async () =>
      (await clientOf(live(), tenancy.key).get('/quant/compute/jobs?kind=planning.forecasts')).body.data
        .length;
    const before = await jobs();
    const shown = await send({ ...(await form()), '/metric': 'economics.GDPC1', '/horizon': '4' }, 'curl');
    expect(shown.status).to.equal(200);
    expect(await shown.text()).to.include(
      '{&quot;metric&quot;:&quot;economics.GDPC1&quot;,&quot;horizon&quot;:4}',
    );
    expect(await jobs()).to.equal(before);
  });

  it('submits nothing for a product that the workspace is not entitled to', async () => {
    const other = await buildTenancy(live());
    const set = await assay(live(), 'workspace', 'set-entitlements', other.workspace, 'quant:compute:read');
    expect(set.status, set.stderr).to.equal(0);
    const own = await console.signIn(other.person);
    const page = await (await console.ask(PLACE, { headers: { cookie: own } })).text();
    const filled = { ...fieldsOf(page, `${PLACE}/submit`), '/metric': 'economics.GDPC1', '/horizon': '4' };
    expect((await console.ask(`${PLACE}/submit`, formOf(filled, { cookie: own }))).status).to.equal(403);
  });
});
