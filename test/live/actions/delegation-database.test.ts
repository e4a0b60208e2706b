import { expect } from 'chai';
import { systemClock } from '#lib/core/clock.ts';
import { sql, type RawBuilder } from 'kysely';
import { declareIntent } from '#lib/actions/delegations/declare-intent.command.ts';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { Application } from '#lib/access/application.entity.ts';
import { issueClient, rotateSecret } from '#lib/access/oauth-client.write.ts';
import { inDays, operatorsOf, type Voter } from '../../support/control.ts';
import { carryOutIn } from '../../support/governed.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';

type Vote = {
  node: number;
  person: string;
  application: string | null;
  role: string | null;
  authority: string;
  at: string;
  intent?: string;
};

onOneBackend('the database denies the role of the API', (live) => {
  let sample: Sample;
  let operators: ReturnType<typeof operatorsOf>;
  let [anna, bert, chef]: Voter[] = [];
  before(async () => {
    sample = await governedSample(live());
    operators = operatorsOf(live(), sample);
    await operators.role('payments');
    await operators.role('treasurer');
    anna = await operators.voter('payments');
    bert = await operators.voter('payments');
    chef = await operators.voter('treasurer');
    await operators.graph('two-nodes', 'obligation.pay', [
      { quorum: 2, roles: ['payments'] },
      { quorum: 1, roles: ['treasurer'] },
    ]);
  });
  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live(), sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  /** Executes a statement and returns its outcome. A successful statement is rolled back. */
  const attempt = (statement: RawBuilder<unknown>, first?: (em: Em) => Promise<unknown>) =>
    inTenant(live().orm('api'), operators.tenant, async (em) => {
      await first?.(em);
      await statement.execute(em.getKysely());
      throw new Error('taken');
    }).catch((error: { code?: string; message: string }) => error.code ?? error.message);
  const insertVote = (uid: string, vote: Vote) => sql`
    insert into delegation_approval (uid, workspace_uid, environment, delegation_uid, node, person_uid, role,
      application_uid, binding_uid, authority_uid, authority_version, authority_hash, independence, terms_hash, at,
      intent_uid)
    select 'apr_x', d.workspace_uid, d.environment, d.uid, ${vote.node}, ${vote.person}, ${vote.role},
      ${vote.application}, (select uid from governed_record
        where kind = 'binding' and key = ${vote.application} and state = 'active'),
      a.uid, a.version, a.body_hash, '{"intersections": []}', d.terms_hash, ${vote.at}, ${vote.intent ?? null}
    from delegation d, governed_record a where d.uid = ${uid} and a.uid = ${vote.authority}`;
  const voteOf = (voter: Voter, changes: Partial<Vote> = {}): Vote => ({
    node: 1,
    person: voter.person,
    application: voter.uid,
    role: 'payments',
    authority: voter.authority!,
    at: new Date().toISOString(),
    ...changes,
  });
  /** Returns a copy of a draft with some of its content changed. */
  const copy = (uid: string, changes: Record<string, unknown>) => sql`
    insert into delegation select (jsonb_populate_record(d, ${JSON.stringify({ uid: 'dlg_x', ...changes })}::jsonb)).*
    from delegation d where d.uid = ${uid}`;

  it('I-058 to insert a delegation that is in force or not pinned to a graph in force', async () => {
    const uid = await drafted();
    expect(await attempt(copy(uid, {}))).to.equal('taken');
    const nodes = [
      { position: 1, key: 'none', quorum: 0, roles: ['payments'], users: [], timeout_hours: null },
    ];
    const wrong: Record<string, unknown>[] = [
      { state: 'activated' },
      { state: 'suspended' },
      { activated_at: new Date().toISOString() },
      { nodes: [] },
      { nodes },
      { graph_version: 9 },
      { graph_hash: 'other' },
      { graph_uid: sample.policy.uid },
      { creator_persons: [] },
      { created_by_uid: anna!.uid },
      { replaces_uid: await drafted({ execution_mode: 'dry_run' }) },
    ];
    for (const change of wrong) {
      expect(await attempt(copy(uid, change)), JSON.stringify(change)).to.equal('23000');
    }
  });

  it('to activate a draft before its quorum is complete', async () => {
    const uid = await drafted();
    expect(await attempt(sql`update delegation set state = 'activated' where uid = ${uid}`)).to.equal(
      '42501',
    );
    expect(await attempt(sql`select activate_delegation(${uid}, now())`)).to.equal('23000');
  });

  it('I-058, I-068 to insert a vote unless an independent person has the role and the authority', async () => {
    const uid = await drafted();
    expect(await attempt(insertVote(uid, voteOf(anna!)))).to.equal('taken');
    const ida = await operators.voter();
    const late = await operators.voter('payments');
    await operators.change('authority', late.authority!, 'end');
    const kept = await operators.authorize(anna!.person, { capabilities: ['approve'] });
    const other = await operators.authorize(anna!.person, { actions: ['collateral.transfer'] });
    const over = await operators.authorize(anna!.person, { valid_until: inDays(50) });
    const enough = { per_action_minor: 100, per_day_minor: 300, per_month_minor: 500 };
    const limited = (bounds: Partial<typeof enough>, currency = sample.currency) =>
      operators.authorize(anna!.person, { limits: [{ currency, ...enough, ...bounds }] });
    const fits = await limited({});
    expect(await attempt(insertVote(uid, voteOf(anna!, { authority: fits })))).to.equal('taken');
    const narrow: Record<string, string> = {
      'less of an action': await limited({ per_action_minor: 99 }),
      'less of a day': await limited({ per_day_minor: 299 }),
      'less of a month': await limited({ per_month_minor: 499 }),
      'another currency': await limited({}, 'USD'),
      'other connectors': await operators.authorize(anna!.person, { connectors: [] }),
      'other counterparties': await operators.authorize(anna!.person, { counterparties: [] }),
      'an earlier end than the terms': await operators.authorize(anna!.person, { valid_until: inDays(29) }),
    };
    const named = { connectors: [sample.connector], counterparties: [sample.counterparty_id] };
    const exact = await operators.authorize(anna!.person, { ...named, max_risk_tier: 'T1' });
    expect(await attempt(insertVote(uid, voteOf(anna!, { authority: exact })))).to.equal('taken');
    const issued = await operators.voter('payments');
    await operators.inside((em) =>
      sql`update credential set issued_by_uid = ${sample.persons.drafter.uid} where application_uid = ${issued.uid}`.execute(
        em.getKysely(),
      ),
    );
    const rotated = await operators.voter('payments');
    await operators.inside(async (em) => {
      const application = await em.findOneOrFail(Application, { uid: rotated.uid }, { filters: false });
      const { client } = issueClient(em, application, rotated.person, new Date());
      rotateSecret(client, sample.persons.drafter.uid, new Date());
    });
    const wrong: Record<string, Vote> = {
      'a drafter': voteOf(anna!, { person: sample.persons.drafter.uid }),
      'a later node': voteOf(chef!, { node: 2, role: 'treasurer' }),
      'who is not bound': voteOf(bert!, { application: anna!.uid }),
      'no application': voteOf(anna!, { application: null }),
      'no role': voteOf(ida),
      'a role of another node': voteOf(chef!, { role: 'treasurer' }),
      'a role that others have': voteOf(chef!),
      'no place': voteOf(anna!, { role: null }),
      'the authority of another person': voteOf(anna!, { authority: bert!.authority! }),
      'an authority that has ended': voteOf(late),
      'another capability': voteOf(anna!, { authority: kept }),
      'another action': voteOf(anna!, { authority: other }),
      'an authority out of its time': voteOf(anna!, { authority: over, at: inDays(51) }),
      'a binding out of its time': voteOf(anna!, { at: inDays(61) }),
      'a credential that a drafter issued': voteOf(issued),
      'a secret that a drafter rotated': voteOf(rotated),
      ...Object.fromEntries(
        Object.entries(narrow).map(([title, authority]) => [title, voteOf(anna!, { authority })]),
      ),
    };
    for (const [title, vote] of Object.entries(wrong)) {
      expect(await attempt(insertVote(uid, vote)), title).to.equal('23000');
    }
  });

  it('I-063 to insert a vote in tier T2 without an intent of the person', async () => {
    const uid = await drafted({ risk_tier: 'T2' });
    expect(await attempt(insertVote(uid, voteOf(anna!)))).to.equal('23000');
    const application = anna!.uid;
    const actor = { kind: 'person' as const, uid: anna!.person };
    const declared = await operators.inside((em) =>
      carryOutIn(em, declareIntent, { uid, application }, { actor, clock: systemClock }),
    );
    const intent = declared.ok ? declared.result.uid : '';
    expect(await attempt(insertVote(uid, voteOf(anna!, { intent })))).to.equal('taken');
    const authority = await operators.authorize(anna!.person, { max_risk_tier: 'T1' });
    expect(await attempt(insertVote(uid, voteOf(anna!, { intent, authority })))).to.equal('23000');
  });

  it('I-058a to activate a draft if a vote or the terms have lost their authority', async () => {
    const uid = await drafted();
    for (const { api_key } of [anna!, bert!])
      expect((await approve(live(), api_key, uid)).status).to.equal(202);
    const activate = sql<{ done: boolean }>`select activate_delegation(${uid}, now()) as done`;
    const last = insertVote(uid, voteOf(chef!, { node: 2, role: 'treasurer' }));
    const suspended = (record: string) =>
      sql`update governed_record set state = 'suspended' where uid = ${record}`;
    const afterwards = (change: RawBuilder<unknown>) =>
      inTenant(live().orm('operator'), operators.tenant, async (em) => {
        await last.execute(em.getKysely());
        await change.execute(em.getKysely());
        const { rows } = await activate.execute(em.getKysely());
        throw new Error(rows[0]!.done ? 'taken' : 'not done');
      }).catch((error: { code?: string; message: string }) => error.code ?? error.message);
    expect(await afterwards(sql`select`)).to.equal('taken');
    const changes = {
      authority: suspended(anna!.authority!),
      membership: suspended(bert!.membership!),
      person: sql`update person set state = 'suspended' where uid = ${anna!.person}`,
      identity: suspended(sample.identity.uid),
      connector: sql`update governed_record set state = 'suspended' where kind = 'connector' and state = 'active'
        and workspace_uid = ${sample.workspace}`,
      ceiling: sql`update governed_record set state = 'suspended' where kind = 'ceiling' and state = 'active'
        and workspace_uid = ${sample.workspace}`,
      counterparty: sql`update counterparty set state = 'archived' where id = ${sample.counterparty_id}`,
    };
    for (const [what, change] of Object.entries(changes)) {
      expect(await afterwards(change), what).to.equal('23000');
    }
  });

  it("to insert an operator's vote on a suspended delegation", async () => {
    const uid = await drafted();
    for (const [{ api_key }, status] of [
      [anna!, 202],
      [bert!, 202],
      [chef!, 200],
    ] as const) {
      expect((await approve(live(), api_key, uid)).status).to.equal(status);
    }
    expect(await operators.decide(uid, 'suspend')).to.equal('ok');
    const vote = voteOf(anna!, { application: null });
    expect(await attempt(insertVote(uid, vote))).to.equal('23000');
    const byOperator = await operators
      .inside(async (em) => {
        await insertVote(uid, vote).execute(em.getKysely());
        throw new Error('taken');
      })
      .catch((error: Error) => error.message);
    expect(byOperator).to.equal('taken');
  });
});
