import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { onOneBackend } from '../../support/live.ts';
import { addPerson, askAs, policyInForce } from '../../support/policy-record.ts';
import { policyBody } from '../../support/policy.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('assay policy', function (live) {
  let tenancy: Tenancy;
  let folder: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    folder = await mkdtemp(path.join(tmpdir(), 'policy-'));
  });
  after(() => rm(folder, { recursive: true }));

  const file = async (name: string, content: unknown) => {
    const at = path.join(folder, name);
    await writeFile(at, JSON.stringify(content));
    return at;
  };
  const policy = (...words: string[]) => assay(live(), 'policy', ...words, '--json');
  const draft = async (name: string, content: unknown) =>
    policy(
      ...['draft', '--workspace', tenancy.workspace, '--key', 'payments', '--name', 'Payments'],
      ...['--file', await file(name, content)],
    );

  it('activates a policy that passed its cases after two persons have approved it', async () => {
    const second = await addPerson(live(), tenancy.workspace);
    const failing = policyBody();
    failing.cases[0]!.expect.effect = 'deny';
    const refused = await draft('failing.json', failing);
    expect([refused.status, refused.stderr]).to.deep.equal([
      1,
      'case_failed: /cases/0 "a small payment passes" expects deny but gets allow by small\n',
    ]);
    const { json } = await draft('good.json', policyBody());
    expect((await policy('submit', json.uid)).json.state).to.equal('submitted');
    const own = await policy('approve', json.uid);
    expect([own.status, own.stderr.split(':')[0]]).to.deep.equal([1, 'second_person_required']);
    expect((await policy('approve', json.uid, '--as', second)).json.state).to.equal('active');
    const ended = await policy('end', json.uid, '--reason', 'not needed');
    expect([ended.status, ended.stderr.split(':')[0]]).to.deep.equal([1, 'successor_required']);
  });

  it('tests a version or a draft on its own cases or on cases of a file, and exits with 1 if a case fails', async () => {
    const { uid } = await policyInForce(live(), tenancy);
    const own = await policy('test', uid);
    expect([own.status, own.json.data.map(({ ok }: { ok: boolean }) => ok)]).to.deep.equal([0, [true, true]]);
    const cases = await file('cases.json', [
      { name: 'disputed', input: { currency: 'EUR', amount_minor: 1 }, expect: { effect: 'deny' } },
    ]);
    const draftFile = await file('draft.json', policyBody());
    for (const what of [[uid], ['--file', draftFile]]) {
      const other = await policy('test', ...what, '--cases', cases);
      expect(other.status).to.equal(1);
      expect(other.json.data).to.deep.equal([
        { case: 'disputed', expected: 'deny', got: 'allow by small', ok: false },
      ]);
      expect(other.stderr).to.equal('case_failed: 1 of 1 cases failed\n');
    }
    const neither = await policy('test');
    expect([neither.status, neither.stderr.split(':')[0]]).to.deep.equal([1, 'one_policy']);
    const wrong = await file('wrong.json', { ...policyBody(), rules: [] });
    expect((await policy('test', '--file', wrong)).stderr).to.contain('/rules must NOT have fewer than 1');
  });

  it('lists the fields that conditions can use', async () => {
    const { json } = await policy('fields');
    const amount = json.data.find(({ field }: { field: string }) => field === 'amount_minor');
    expect(amount).to.include({ type: 'money', values: null });
    expect(amount.operators).to.include('between');
  });

  it('lists, explains and replays a decision, and reports a replay with another result', async () => {
    const fresh = await buildTenancy(live());
    await policyInForce(live(), fresh);
    const { uid, decision } = await askAs(live(), fresh, { currency: 'USD', amount_minor: 1 });
    const listed = await policy('decisions', '--workspace', fresh.workspace, '--subject', 'dlg_test');
    expect(listed.json.data).to.have.length(1);
    expect(listed.json.data[0]).to.include({ uid, effect: 'deny', default: true });
    const explained = await policy('explain', uid);
    expect(explained.json).to.deep.include({ ...decision, input: { currency: 'USD', amount_minor: 1 } });
    const replayed = await policy('replay', uid);
    expect([replayed.status, replayed.json.intact]).to.deep.equal([0, true]);
    await asSuperuser(live(), async (client) => {
      await client.query(`begin; set local session_replication_role = 'replica'`);
      await client.query(`update policy_decision set input = '{"currency": "EUR"}' where uid = $1`, [uid]);
      await client.query('commit');
    });
    const differing = await policy('replay', uid);
    expect([differing.status, differing.json.intact]).to.deep.equal([1, false]);
    expect(differing.json.differences).to.include('input_hash');
    const unknown = await policy('explain', 'dec_none');
    expect([unknown.status, unknown.stderr]).to.deep.equal([
      1,
      'decision_unknown: there is no decision dec_none\n',
    ]);
  });
});
