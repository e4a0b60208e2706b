import { expect } from 'chai';
import { pages } from '#api/console/pages.ts';
import { formToken } from '#api/console/session-cookie.ts';
import { hasDuty } from '#lib/access/console/duty.ts';
import { addPerson } from '#lib/access/add-person.command.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governBy } from '#api/cli/shell/govern.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { userOf } from '../../support/client.ts';
import { formOf, startConsole, type Console } from '../../support/console.ts';
import { handsOf } from '../../support/governed.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { createException } from '../../support/order-batch.ts';

const roles = ['owner', 'approver', 'analyst', 'operator', 'auditor', 'treasury'] as const;

onOneBackend('the roles of persons in the console', (live) => {
  let console: Console;
  let tenancy: Tenancy;
  let exception: string;
  let run: string;
  const persons = new Map<string, string>();
  const cookies = new Map<string, string>();

  before(async () => {
    console = await startConsole(live());
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    exception = await createException(live(), tenancy);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    run = (await userOf(live(), tenancy.key).submit('/investment/theme-watch/factors')).uid;
    for (const role of roles) {
      const email = `${role}.${process.pid}@roles.example`;
      const given = { workspace: tenancy.workspace, name: `The ${role}`, email, roles: [role] };
      const { result } = await governBy(handsOf(live().orm('operator')), addPerson, given, unnamed);
      persons.set(role, result.uid);
      cookies.set(role, await console.signIn(result.uid));
    }
  });
  after(async () => {
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
    await console.stop();
  });

  const get = async (path: string, role: string) => {
    const answer = await console.ask(path, { headers: { cookie: cookies.get(role)! } });
    return { status: answer.status, text: await answer.text() };
  };
  const post = async (path: string, name: string, role: string) => {
    const cookie = cookies.get(role)!;
    const token = formToken(cookie.split('=')[1]!, path);
    const answer = await console.ask(`${path}/${name}`, formOf({ token }, { cookie }));
    return { status: answer.status, text: await answer.text() };
  };

  for (const role of roles)
    it(`403 for the decisions of every page that the role ${role} does not allow, and for no others`, async () => {
      for (const page of pages)
        for (const { name, duty } of page.decisions ?? []) {
          const path = page.path.replace(/:\w+/, 'unknown');
          const { status, text } = await post(path, name, role);
          const isRefused = text.includes('<code>role_not_sufficient</code>');
          const challenge = await post(path, `${name}/challenge`, role);
          const title = `${role}: ${page.path} ${name}`;
          expect(isRefused, title).to.equal(!hasDuty([role], duty));
          expect(challenge.text.includes('role_not_sufficient'), `${title}, challenge`).to.equal(isRefused);
          if (isRefused) expect([status, challenge.status], title).to.deep.equal([403, 403]);
        }
    });

  it('show the forms and links of changes only to persons whose roles allow them', async () => {
    const places = ['/console', '/console/runs', '/console/jobs', `/console/runs/${run}`];
    for (const role of roles) {
      const seen = async (path: string, part: string) => (await get(path, role)).text.includes(part);
      const submits = hasDuty([role], 'submit_runs');
      const stops = hasDuty([role], 'stop_runs');
      for (const place of places)
        expect(await seen(place, 'href="/console/new"'), `${role} ${place}`).to.equal(submits);
      expect(await seen('/console/jobs', 'Cancel the run'), role).to.equal(stops);
      expect(await seen('/console/jobs', 'type="radio"'), role).to.equal(stops);
      expect(await seen(`/console/runs/${run}`, 'Cancel the run'), role).to.equal(stops);
      expect(await seen(`/console/exceptions/${exception}`, 'Your decision'), role).to.equal(
        hasDuty([role], 'decide'),
      );
      for (const form of ['/console/new', '/console/new/planning.forecasts'])
        expect((await get(form, role)).status, `${role} ${form}`).to.equal(submits ? 200 : 403);
    }
  });

  it('let an auditor read every page of the navigation', async () => {
    const { text } = await get('/console', 'auditor');
    const places = [...text.split('nav class="side"')[1]!.matchAll(/href="(\/console\/[^"]+)"/g)];
    expect(places.length).to.be.greaterThan(30);
    for (const [, place] of places) expect((await get(place!, 'auditor')).status, place).to.equal(200);
  });

  it('are replaced by another person on the command line, which an audit entry records, at once', async () => {
    const set = (person: string, own: string, by: string) =>
      assay(
        live(),
        ...['person', 'set-roles', person, '--workspace', tenancy.workspace, '--roles', own],
        ...['--as', by, '--reason', 'New duties', '--json'],
      );
    const [auditor, owner] = [persons.get('auditor')!, persons.get('owner')!];
    expect((await set(auditor, 'analyst', auditor)).stderr).to.include('cannot change their own roles');
    expect((await set(auditor, 'chef', owner)).stderr).to.include('the roles are owner, approver');
    expect((await set(auditor, 'analyst', owner)).json.to).to.deep.equal(['analyst']);
    expect((await get('/console/new', 'auditor')).status).to.equal(200);
    expect((await set(auditor, 'auditor', owner)).status).to.equal(0);
    expect((await get('/console/new', 'auditor')).status).to.equal(403);
    const { json } = await assay(
      live(),
      ...['audit', 'list', '--workspace', tenancy.workspace, '--subject', auditor, '--json'],
    );
    const changes = json.data.filter(({ op }: { op: string }) => op === 'person.roles_changed');
    // A change of a person is recorded in the logs of both environments.
    const recorded = changes.map(({ details }: any) => `${details.from} to ${details.to}`);
    expect(new Set(recorded)).to.deep.equal(new Set(['auditor to analyst', 'analyst to auditor']));
  });

  it('keep at least one active owner', async () => {
    const other = await buildTenancy(live());
    const given = { workspace: other.workspace, name: 'Ann', email: `ann.${process.pid}@roles.example` };
    const hands = handsOf(live().orm('operator'));
    const { result } = await governBy(hands, addPerson, { ...given, roles: ['analyst'] }, unnamed);
    const refused = await assay(
      live(),
      ...['person', 'set-roles', other.person, '--workspace', other.workspace, '--roles', 'analyst'],
      ...['--as', result.uid, '--reason', 'test'],
    );
    expect(refused.stderr).to.include('at least one active person with the role owner');
  });

  it('include owner only if an owner gave it, or anybody while the workspace had no owner; an owner takes it away', async () => {
    const workspace = (await assay(live(), 'workspace', 'create', '--name', 'Owners', '--json')).json.uid;
    const place = ['--workspace', workspace, '--json'];
    const create = (name: string, roles: string, ...by: string[]) => {
      const who = ['--name', name, '--email', `${name}.${process.pid}@owners.example`, '--roles', roles];
      return assay(live(), 'person', 'create', ...who, ...by, ...place);
    };
    const set = (person: string, roles: string, by: string) =>
      assay(
        live(),
        ...['person', 'set-roles', person, '--roles', roles, '--as', by, '--reason', 'test', ...place],
      );
    const change = (event: string, person: string, by: string) =>
      assay(live(), 'person', event, person, '--as', by, '--reason', 'test', ...place);
    const [ann, ben] = [(await create('ann', 'analyst')).json.uid, (await create('ben', 'analyst')).json.uid];
    expect((await set(ben, 'owner', ann)).json.to, 'the first owner').to.deep.equal(['owner']);

    const eve = (await create('eve', 'analyst', '--as', ann)).json.uid;
    const refused = [
      await set(eve, 'owner', ann),
      await create('joe', 'owner,analyst', '--as', ann),
      await assay(live(), 'govern', 'quickstart', '--as', ann, ...place),
    ];
    expect((await change('suspend', ben, ann)).status).to.equal(0);
    refused.push(await set(eve, 'owner', ann));
    for (const { stderr } of refused) expect(stderr).to.match(/^owner_required: Only an active owner/);
    expect((await change('depart', ben, ann)).stderr).to.match(/^last_owner: /);
    expect((await change('reinstate', ben, ann)).status).to.equal(0);

    expect((await set(eve, 'analyst,auditor', ann)).status, 'other roles').to.equal(0);
    expect((await set(eve, 'owner', ben)).status).to.equal(0);
    expect((await set(eve, 'analyst', ann)).stderr, 'taken').to.match(/^owner_required: /);
    expect((await create('joe', 'owner,analyst', '--as', eve)).status).to.equal(0);
    expect((await set(eve, 'analyst', ben)).status).to.equal(0);
  });
});
