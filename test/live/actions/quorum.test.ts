import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant, openOrm } from '#lib/database/orm.ts';
import { databaseName, roleName } from '#lib/database/roles.ts';
import { assay } from '../../support/cli.ts';
import { operatorsOf, type Voter } from '../../support/control.ts';
import { clientOf } from '../../support/client.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';

onOneBackend('A graph whose first node needs two votes and whose second node needs one vote', (live) => {
  let sample: Sample;
  let operators: ReturnType<typeof operatorsOf>;
  let [anna, bert, chef]: Voter[] = [];
  let graph: string;
  before(async () => {
    sample = await governedSample(live());
    operators = operatorsOf(live(), sample);
    await operators.role('payments');
    await operators.role('treasurer');
    anna = await operators.voter('payments');
    bert = await operators.voter('payments');
    chef = await operators.voter('treasurer');
    graph = await operators.graph('two-nodes', 'obligation.pay', [
      { quorum: 2, roles: ['payments'] },
      { quorum: 1, roles: ['treasurer'] },
    ]);
  });
  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live(), sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  const vote = async ({ api_key }: { api_key: string }, uid: string) => {
    const { status, body } = await approve(live(), api_key, uid);
    return [status, body.code ?? body.state];
  };
  const read = async (uid: string) =>
    (await clientOf(live(), chef!.api_key).get(`/actions/agentic/delegations/${uid}`)).body;
  const end = (uid: string) =>
    operators.inside((em) =>
      sql`update delegation set state = 'revoked' where uid = ${uid} and state in ('activated', 'suspended')`.execute(
        em.getKysely(),
      ),
    );

  it('I-059, I-058 answers 202 until different persons have completed each node, then 200', async () => {
    const uid = await drafted();
    expect(await vote(anna!, uid)).to.deep.equal([202, 'draft']);
    expect(await vote(bert!, uid)).to.deep.equal([202, 'draft']);
    const { approval } = await read(uid);
    expect([approval.open_node, approval.progress[0].met]).to.deep.equal([2, 2]);
    expect(await vote(chef!, uid)).to.deep.equal([200, 'activated']);
    await end(uid);
  });

  it('I-057 rejects a vote for a later node without storing it', async () => {
    const uid = await drafted();
    expect(await vote(chef!, uid)).to.deep.equal([409, 'approval_node_not_open']);
    expect((await read(uid)).approval.approvals).to.deep.equal([]);
  });

  it('I-056 counts a person once across applications', async () => {
    const uid = await drafted();
    const second = await operators.application(anna!.person);
    await operators.bind(second.uid, anna!.person);
    expect(await vote(anna!, uid)).to.deep.equal([202, 'draft']);
    expect(await vote(second, uid)).to.deep.equal([409, 'approval_already_recorded']);
    expect(await vote(anna!, uid)).to.deep.equal([409, 'approval_already_recorded']);
  });

  it('I-055a activates the delegation once if two concurrent votes complete the graph', async () => {
    const first = await drafted();
    expect(await vote(anna!, first)).to.deep.equal([202, 'draft']);
    const mixed = await atOnce(
      live(),
      (em) => sql`select uid from delegation where uid = ${first} for update`.execute(em.getKysely()),
      [() => vote(bert!, first), () => vote(chef!, first)],
    );
    expect(mixed[0]).to.deep.equal([202, 'draft']);
    expect([
      [200, 'activated'],
      [409, 'approval_node_not_open'],
    ]).to.deep.include(mixed[1]!);
    await end(first);
    await operators.graph('pair', 'collateral.transfer', [{ quorum: 2, roles: ['payments'] }]);
    for (let round = 0; round < 5; round += 1) {
      const uid = await drafted({ action: 'collateral.transfer' });
      const answers = await atOnce(
        live(),
        (em) => sql`select uid from delegation where uid = ${uid} for update`.execute(em.getKysely()),
        [() => vote(anna!, uid), () => vote(bert!, uid)],
      );
      expect(answers.map(([status]) => status).sort()).to.deep.equal([200, 202]);
      expect((await read(uid)).state).to.equal('activated');
      await end(uid);
    }
  });

  it('I-092 approves nothing while the decision of the policies cannot be recorded', async () => {
    const uid = await drafted();
    const role = roleName(databaseName(live().ownerUrl), 'api');
    const owner = openOrm(live().ownerUrl, 1);
    const run = (statement: string) => owner.em.getConnection().execute(statement);
    try {
      await run(`revoke insert on policy_decision from "${role}"`);
      const { status, body, headers } = await approve(live(), anna!.api_key, uid);
      expect([status, body.code, headers.get('retry-after')]).to.deep.equal([503, 'policy_unavailable', '1']);
    } finally {
      await run(`grant insert on policy_decision to "${role}"`);
      await owner.close();
    }
    expect((await read(uid)).approval.approvals).to.deep.equal([]);
    expect(await vote(anna!, uid)).to.deep.equal([202, 'draft']);
  });

  it('I-058a voids a vote whose authority has ended and all votes of later nodes', async () => {
    const uid = await drafted();
    const mona = await operators.voter('payments');
    expect(await vote(mona, uid)).to.deep.equal([202, 'draft']);
    expect(await vote(bert!, uid)).to.deep.equal([202, 'draft']);
    await operators.change('authority', mona.authority!, 'end');
    expect(await vote(chef!, uid)).to.deep.equal([409, 'approval_node_not_open']);
    const { approval } = await read(uid);
    expect(approval.approvals[0]).to.deep.include({ state: 'voided', void_reason: 'authority_ended' });
    expect(approval.progress[0].met).to.equal(1);
    expect(await vote(anna!, uid)).to.deep.equal([202, 'draft']);
    expect(await vote(chef!, uid)).to.deep.equal([200, 'activated']);
    await end(uid);
  });

  it('I-058a voids a vote if the binding or the role of the voter has ended', async () => {
    for (const kind of ['binding', 'membership'] as const) {
      const uid = await drafted();
      const mona = await operators.voter('payments');
      expect(await vote(mona, uid)).to.deep.equal([202, 'draft']);
      const membership = mona.membership!;
      const [binding] = await operators.inside((em) =>
        em.find('GovernedRecord' as never, { kind: 'binding', key: mona.uid } as never, { filters: false }),
      );
      await operators.change(
        kind,
        kind === 'membership' ? membership : (binding as { uid: string }).uid,
        'end',
      );
      await vote(bert!, uid);
      const { approval } = await read(uid);
      expect(approval.approvals[0].void_reason).to.equal(
        kind === 'membership' ? 'role_lost' : 'binding_ended',
      );
    }
  });

  it('I-051, I-052, I-054 rejects a voter who is inactive or shares a person, issuer or owner with the draft', async () => {
    const uid = await drafted();
    const { drafter } = sample.persons;
    const own = await operators.application(drafter.uid);
    const mona = await operators.person();
    await operators.join('payments', mona);
    await operators.authorize(mona);
    await operators.bind(own.uid, mona);
    expect(await vote(own, uid)).to.deep.equal([403, 'sod_same_principal']);
    const bound = await operators.application(mona);
    await operators.bind(bound.uid, drafter.uid);
    expect(await vote(bound, uid)).to.deep.equal([403, 'sod_same_person']);
    const issued = await operators.voter('payments');
    await operators.inside(async (em) => {
      await sql`update credential set issued_by_uid = ${drafter.uid} where application_uid = ${issued.uid}`.execute(
        em.getKysely(),
      );
    });
    expect(await vote(issued, uid)).to.deep.equal([403, 'sod_issuer_overlap']);
    const gone = await operators.voter('payments');
    await operators.inside((em) =>
      sql`update person set state = 'suspended' where uid = ${gone.person}`.execute(em.getKysely()),
    );
    expect(await vote(gone, uid)).to.deep.equal([403, 'approver_not_a_person']);
    expect((await read(uid)).approval.approvals).to.deep.equal([]);
  });

  it('I-063 accepts an intent once and requires a new intent after a vote was voided', async () => {
    const uid = await drafted({ risk_tier: 'T2' });
    const voter = await operators.voter('payments');
    const intend = async () => {
      const words = ['--application', voter.uid, '--as', voter.person];
      const declared = await assay(live(), 'delegation', 'intent', uid, ...words);
      expect(declared.status, declared.stderr).to.equal(0);
    };
    await intend();
    expect(await vote(voter, uid)).to.deep.equal([202, 'draft']);
    await operators.change('authority', voter.authority!, 'end');
    await operators.authorize(voter.person);
    expect(await vote(voter, uid)).to.deep.equal([409, 'approval_intent_required']);
    expect((await read(uid)).approval.approvals[0].void_reason).to.equal('authority_ended');
    await intend();
    expect(await vote(voter, uid)).to.deep.equal([202, 'draft']);
  });

  it('I-052 rejects an application whose secret was rotated by the drafter', async () => {
    const uid = await drafted();
    const voter = await operators.voter('payments');
    const run = async (...words: string[]) => (await assay(live(), 'oauth', ...words, '--json')).json;
    const client = (await run('issue', '--app', voter.uid)).client_id;
    await run('rotate', client, '--as', sample.persons.drafter.uid);
    expect(await vote(voter, uid)).to.deep.equal([403, 'sod_issuer_overlap']);
    await run('rotate', client);
    expect(await vote(voter, uid), 'the drafter knows no secret of it now').to.deep.equal([202, 'draft']);
  });

  it('names the terms that exceed the authority of the voter', async () => {
    const uid = await drafted();
    const who = await operators.person();
    const app = await operators.application(who);
    await operators.bind(app.uid, who);
    await operators.join('payments', who);
    expect(await vote(app, uid)).to.deep.equal([403, 'authority_missing']);
    const limits = [
      { currency: sample.currency, per_action_minor: 99, per_day_minor: 300, per_month_minor: 500 },
    ];
    await operators.authorize(who, { limits });
    const { status, body } = await approve(live(), app.api_key, uid);
    expect([status, body.code]).to.deep.equal([403, 'authority_insufficient']);
    expect(body.failed).to.deep.equal([
      { path: 'budgets.per_action_minor', op: 'lte', expected: 99, actual: 100 },
    ]);
    const exact = [
      { currency: sample.currency, per_action_minor: 100, per_day_minor: 300, per_month_minor: 500 },
    ];
    await operators.authorize(who, { limits: exact });
    expect(await vote(app, uid)).to.deep.equal([202, 'draft']);
  });

  it('I-065 applies the graph version of the draft until that graph ends', async () => {
    const uid = await drafted();
    const next = await operators.graph('two-nodes', 'obligation.pay', [
      { quorum: 2, roles: ['payments'] },
      { quorum: 1, roles: ['treasurer'] },
    ]);
    const { approval } = await read(uid);
    expect(approval.graph).to.deep.include({ uid: graph, version: 1 });
    expect(await vote(anna!, uid)).to.deep.equal([409, 'approval_graph_missing']);
    expect((await read(await drafted())).approval.graph).to.deep.include({ uid: next, version: 2 });
  });

  it('I-164 cannot be weakened by one person', async () => {
    const { body } = await draft(live(), sample);
    const { uid } = (await read(body.uid)).approval.graph;
    expect(await operators.change('graph', uid, 'end')).to.deep.include({ code: 'successor_required' });
    expect((await operators.change('graph', uid, 'suspend')).ok).to.equal(true);
    const refused = await draft(live(), sample);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'approval_graph_missing']);
    expect(await operators.change('graph', uid, 'end')).to.deep.include({ code: 'successor_required' });
    const next = await operators.graph('two-nodes', 'obligation.pay', [
      { quorum: 2, roles: ['payments'] },
      { quorum: 1, roles: ['treasurer'] },
    ]);
    expect((await read(await drafted())).approval.graph).to.deep.include({ uid: next });
  });

  it('I-005, I-006 lets the API role write no authority, graph, policy, binding, intent or action', async () => {
    for (const statement of [
      sql`update governed_record set state = 'active'`,
      sql`insert into governed_record (uid) values ('x')`,
      sql`insert into approval_intent (uid) values ('x')`,
      sql`update approval_intent set expires_at = now()`,
      sql`update person set state = 'active'`,
      sql`update application set owner_uid = 'x'`,
      sql`update reservation set amount = 1`,
      sql`update delegation_window set reserved = 0`,
      sql`update policy_set set hash = 'x'`,
    ]) {
      const code = await inTenant(live().orm('api'), operators.tenant, (em) =>
        statement.execute(em.getKysely()),
      ).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
      expect(code).to.equal('42501');
    }
  });
});
