import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { onOneBackend } from '../../support/live.ts';

type LoggedCall = [op: string, subject: string, actor: string, code: string | null];

onOneBackend('The audit log of a workspace and of its applications', (live) => {
  let tenancy: Tenancy;
  let second: string;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    second = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
  });

  const run = (...words: string[]) => assay(live(), ...words, '--json');
  const done = async (...words: string[]) => {
    const printed = await run(...words);
    expect(printed.status, printed.stderr).to.equal(0);
    return printed.json;
  };
  const list = async (environment: string, ...more: string[]): Promise<any[]> => {
    const { workspace } = tenancy;
    const words = ['--workspace', workspace, '--environment', environment, ...more];
    return (await done('audit', 'list', ...words)).data.toReversed();
  };
  const reported = async (environment: string, ...more: string[]): Promise<LoggedCall[]> =>
    (await list(environment, ...more)).map(({ op, subject, actor, outcome }) => [
      op,
      subject.uid,
      actor.uid ?? actor.kind,
      outcome.code,
    ]);

  it('contains, in each environment, the changes that affect the whole workspace', async () => {
    const { workspace, person } = tenancy;
    await done('workspace', 'set-entitlements', workspace, 'quant:compute:read');
    await done('workspace', 'set-class', workspace, 'enterprise');
    const company = await done('company', 'create', '--workspace', workspace, '--name', 'Acme Metals');
    const again = await run('company', 'create', '--workspace', workspace, '--name', 'Acme Metals');
    expect(again.stderr).to.equal('company_exists: The workspace already has a company named Acme Metals.\n');
    const expected: LoggedCall[] = [
      ['workspace.entitlements_set', workspace, 'system', null],
      ['workspace.class_set', workspace, 'system', null],
      ['company.created', String(company.id), person, null],
    ];
    expect(await reported('sandbox')).to.deep.equal(expected);
    expect(await reported('production')).to.deep.equal(expected);
    const [entitlements, serviceClass] = await list('production');
    expect(entitlements.details.after).to.deep.equal(['quant:compute:read']);
    expect(serviceClass.details).to.deep.equal({ before: 'standard', after: 'enterprise' });
  });

  it('contains the emergency stop and each refused attempt to end the stop', async () => {
    const { workspace, person } = tenancy;
    const change = (event: string, by: string) =>
      run('workspace', event, workspace, '--as', by, '--reason', `to ${event}`);
    expect((await change('freeze', person)).json).to.deep.equal({
      uid: workspace,
      financial_actions: 'frozen',
    });
    expect((await change('freeze', second)).stderr).to.match(/^already_frozen: /);
    expect((await change('thaw', person)).stderr).to.match(/^second_person_required: /);
    expect((await change('thaw', second)).json.financial_actions).to.equal('active');
    const expected: LoggedCall[] = [
      ['workspace.frozen', workspace, person, null],
      ['workspace.frozen', workspace, second, 'already_frozen'],
      ['workspace.thawed', workspace, person, 'second_person_required'],
      ['workspace.thawed', workspace, second, null],
    ];
    expect(await reported('sandbox')).to.deep.equal(expected);
    expect(await reported('production')).to.deep.equal(expected);
    expect((await list('sandbox')).map(({ details }) => details.reason)).to.deep.equal([
      'to freeze',
      'to freeze',
      'to thaw',
      'to thaw',
    ]);
  });

  it('contains a revocation of an application and a value snapshot only in their own environment', async () => {
    const { workspace, person, application } = tenancy;
    await done('app', 'revoke', application);
    await done('app', 'revoke', application);
    expect((await run('app', 'resume', application)).stderr).to.match(/^application_revoked: /);
    const refused = await run('app', 'production-access', 'request', application);
    expect(refused.stderr).to.match(/^not_production: /);
    const { uid } = await done('value', 'snapshot', '--workspace', workspace);
    expect(await reported('sandbox')).to.deep.equal([
      ['application.revoked', application, 'system', null],
      ['value.snapshot_sealed', uid, person, null],
    ]);
    expect(await reported('production')).to.deep.equal([]);
  });
});
