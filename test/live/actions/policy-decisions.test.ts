import { expect } from 'chai';
import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { PolicyDecision } from '#lib/governance/policy/policy-decision.entity.ts';
import { replayDecision } from '#lib/governance/policy/policy-decision.write.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { onOneBackend } from '../../support/live.ts';
import { askAs, changePolicy, policyInForce } from '../../support/policy-record.ts';
import { policyBody, ruleOf } from '../../support/policy.ts';
import { asSuperuser } from '../../support/rows.ts';

const small: PolicyInput = { currency: 'EUR', amount_minor: 500_000 };
const large: PolicyInput = { currency: 'EUR', amount_minor: 500_001 };
const disputed: PolicyInput = { ...small, 'obligation.governance_state': 'disputed' };

onOneBackend('Policy decisions', function (live) {
  let tenancy: Tenancy;

  const inside = <T>(work: (em: Em) => Promise<T>, role: 'api' | 'worker' = 'api') =>
    inTenant(live().orm(role), { workspace: tenancy.workspace, environment: 'sandbox' }, work);
  const ask = (input: PolicyInput) => askAs(live(), tenancy, input);
  const kept = (uid: string) => inside((em) => em.findOneOrFail(PolicyDecision, { uid }));
  const replay = (uid: string) => inside((em) => replayDecision(em, uid));
  /** Executes a write that no role is permitted to make. Bypasses privileges and triggers. */
  const tamper = (statement: string, uid: string) =>
    asSuperuser(live(), async (client) => {
      await client.query('begin');
      await client.query(`set local session_replication_role = 'replica'`);
      await client.query(statement, [uid]);
      await client.query('commit');
    });

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
  });

  it('I-087 deny by default in a new workspace and are stored with their explanation', async () => {
    const { uid, effect, decision } = await ask(small);
    expect([effect, decision.default]).to.deep.equal(['deny', true]);
    expect((await kept(uid)).explanation).to.deep.equal(decision);
  });

  it('follow the policies in force from the next decision on', async () => {
    const { uid } = await policyInForce(live(), tenancy, { key: 'payments' });
    expect((await ask(small)).effect).to.equal('allow');
    expect((await ask(disputed)).effect).to.equal('deny');
    const body = policyBody({
      rules: [ruleOf('none', 'deny')] as never,
      cases: [{ name: 'none', input: small as never, expect: { effect: 'deny' } }],
    });
    await policyInForce(live(), tenancy, { key: 'payments', body });
    expect((await ask(small)).effect).to.equal('deny');
    expect(await changePolicy(live(), uid, 'suspend', tenancy.person)).to.equal('transition_not_allowed');
  });

  it('I-164 stay at least as strict if one person suspends a policy', async () => {
    const { uid } = await policyInForce(live(), tenancy, { key: 'payments' });
    expect(await changePolicy(live(), uid, 'end', tenancy.person)).to.equal('successor_required');
    expect(await changePolicy(live(), uid, 'suspend', tenancy.person)).to.equal('suspended');
    const [passed, held] = [await ask(small), await ask(disputed)];
    expect([passed.effect, passed.decision.default]).to.deep.equal(['deny', true]);
    expect(held.decision.determining.map(({ rule_key }) => rule_key)).to.deep.equal(['disputed']);
    expect((await replay(held.uid))!.differences).to.deep.equal([]);
  });

  it('I-093 record shadow policies without applying them', async () => {
    await policyInForce(live(), tenancy, { key: 'payments' });
    const before = await ask(small);
    const body = policyBody({
      mode: 'shadow',
      rules: [ruleOf('none', 'deny')] as never,
      cases: [{ name: 'none', input: small as never, expect: { effect: 'deny' } }],
    });
    const { uid } = await policyInForce(live(), tenancy, { key: 'tried', body });
    const after = await ask(small);
    expect(after.decision).to.deep.equal(before.decision);
    const { shadow } = await kept(after.uid);
    expect(shadow).to.deep.include({ policy_uids: [uid], would_change: true });
    expect(shadow!.decision.effect).to.equal('deny');
    expect((await replay(after.uid))!.differences).to.deep.equal([]);
  });

  it('I-090 can be reproduced exactly after all policies in force have changed', async () => {
    const { uid } = await policyInForce(live(), tenancy, { key: 'payments' });
    const decisions = [
      await ask(small),
      await ask(large),
      await ask(disputed),
      await ask({ currency: 'EUR' }),
    ];
    await changePolicy(live(), uid, 'suspend', tenancy.person);
    for (const { uid: decision } of decisions) {
      expect(await replay(decision)).to.deep.include({ intact: true, differences: [] });
    }
    expect(await replay('dec_none')).to.equal(undefined);
  });

  it('I-090 reveal changes made directly in the database', async () => {
    await policyInForce(live(), tenancy, { key: 'payments' });
    const changes: [string, string[]][] = [
      [
        `update policy_decision set effect = 'deny', explanation = jsonb_set(explanation, '{effect}', '"deny"') where uid = $1`,
        ['effect', 'explanation'],
      ],
      [
        `update policy_decision set input = jsonb_set(input, '{amount_minor}', '1') where uid = $1`,
        ['explanation', 'input_hash'],
      ],
    ];
    for (const [statement, differences] of changes) {
      const { uid } = await ask(small);
      await tamper(statement, uid);
      expect((await replay(uid))!.differences).to.deep.equal(differences);
    }
    const { uid, decision } = await ask(small);
    await tamper(
      `update policy_set s set policies = jsonb_set(policies, '{0,rules,0,effect}', '"allow"')
       from policy_decision d where d.uid = $1 and s.hash = d.policy_set_hash and s.workspace_uid = d.workspace_uid`,
      uid,
    );
    expect((await replay(uid))!.differences).to.include(`policy_set ${decision.policy_set_hash}`);
  });

  it('are inserted by the API and the workers, which can neither change nor delete them', async () => {
    const { uid } = await ask(small);
    for (const role of ['api', 'worker'] as const) {
      for (const table of ['policy_decision', 'policy_set']) {
        for (const statement of [
          `update ${table} set workspace_uid = workspace_uid`,
          `delete from ${table}`,
        ]) {
          const change = inside((em) => sql.raw(statement).execute(em.getKysely()), role);
          await change.then(
            () => expect.fail(`${role} could ${statement}`),
            (error: Error) => expect(error.message).to.match(/permission denied/),
          );
        }
      }
    }
    await asSuperuser(live(), (client) =>
      client.query('delete from policy_decision where uid = $1', [uid]).then(
        () => expect.fail('a decision could be deleted'),
        (error: Error) => expect(error.message).to.match(/append-only/),
      ),
    );
  });

  it('store each set of policies once for repeated and concurrent evaluations', async () => {
    await policyInForce(live(), tenancy, { key: 'payments' });
    await Promise.all(Array.from({ length: 8 }, (_, at) => ask({ ...small, counterparty_id: at + 1 })));
    const sets = await inside((em) =>
      sql<{ hash: string }>`select hash from policy_set`.execute(em.getKysely()),
    );
    expect(sets.rows).to.have.length(1);
  });
});
