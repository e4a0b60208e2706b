import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { changePolicy, policyInForce } from '../../support/policy-record.ts';
import { anyScope, policyBody } from '../../support/policy.ts';

onOneBackend('GET /actions/policies', function (live) {
  let tenancy: Tenancy;
  const list = async (query = '', key = tenancy.key) =>
    (await clientOf(live(), key).get(`/actions/policies${query}`)).body;
  const setHash = (...hashes: string[]) =>
    canonicalHash({ schema: 'policy_set/1', policies: hashes.toSorted() });

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
  });

  it('200 returns no policy in a new workspace, with the hash of the empty set', async () => {
    const body = await list();
    expect(body).to.deep.include({ data: [], policy_set_hash: setHash() });
  });

  it('200 shows who activated a policy, and shows hashes that anyone can recompute', async () => {
    const { uid } = await policyInForce(live(), tenancy, { key: 'payments' });
    const { data, policy_set_hash } = await list();
    const [policy] = data;
    expect(policy).to.deep.include({
      uid,
      key: 'payments',
      version: 1,
      status: 'active',
      mode: 'enforce',
      scope: { ...anyScope, currencies: ['EUR'] },
      rules: policyBody().rules,
    });
    expect(policy.activated_by).to.have.length(2);
    expect(policy.activated_by[0].uid).to.equal(tenancy.person);
    const { name, mode, scope, version, key } = policy;
    const rules = policy.rules.toSorted((one: any, other: any) => (one.key < other.key ? -1 : 1));
    expect(policy.policy_hash).to.equal(
      canonicalHash({ schema: 'policy/1', uid, key, version, name, mode, scope, rules }),
    );
    expect(policy_set_hash).to.equal(setHash(policy.policy_hash));
  });

  it('200 filters by status, key and action', async () => {
    const about = (actions: string[]) => policyBody({ scope: { ...anyScope, currencies: ['EUR'], actions } });
    const all = await policyInForce(live(), tenancy, { key: 'all' });
    const some = await policyInForce(live(), tenancy, { key: 'some', body: onlyAbout(about(['a', 'b'])) });
    await changePolicy(live(), some.uid, 'suspend', tenancy.person);
    const uids = async (query: string) => (await list(query)).data.map(({ uid }: { uid: string }) => uid);
    expect(await uids('')).to.deep.equal([some.uid, all.uid]);
    expect(await uids('?status=suspended')).to.deep.equal([some.uid]);
    expect(await uids('?policy_key=all')).to.deep.equal([all.uid]);
    expect(await uids('?action=a')).to.deep.equal([some.uid, all.uid]);
    expect(await uids('?action=c')).to.deep.equal([all.uid]);
    expect(await uids('?action=a&policy_key=some&status=active')).to.deep.equal([]);
  });

  it('200 returns each page of filtered policies with the hash of all policies in force', async () => {
    for (const key of ['one', 'two', 'three']) await policyInForce(live(), tenancy, { key });
    const first = await list('?limit=2&status=active');
    const second = await list(`?limit=2&status=active&cursor=${first.page.next_cursor}`);
    expect([first.data.length, second.data.length, second.page.has_more]).to.deep.equal([2, 1, false]);
    expect(second.policy_set_hash).to.equal(first.policy_set_hash);
  });

  it('200 leaves shadow policies out of the hash, but includes partly suspended policies', async () => {
    const { uid } = await policyInForce(live(), tenancy, { key: 'payments' });
    const before = await list();
    await policyInForce(live(), tenancy, { key: 'tried', body: policyBody({ mode: 'shadow' }) });
    expect((await list()).policy_set_hash).to.equal(before.policy_set_hash);
    await changePolicy(live(), uid, 'suspend', tenancy.person);
    const after = await list();
    expect([before.policy_set_hash, setHash()]).to.not.include(after.policy_set_hash);
  });

  it('200 shows no policy of another workspace', async () => {
    await policyInForce(live(), tenancy);
    const other = await buildTenancy(live());
    expect(await list('', other.key)).to.deep.include({ data: [], policy_set_hash: setHash() });
  });
});

/** Returns a policy body whose test cases use the first action of the policy's scope. */
function onlyAbout(body: ReturnType<typeof policyBody>) {
  const cases = body.cases.map((each) => ({
    ...each,
    input: { ...each.input, action: body.scope.actions[0]! },
  }));
  return { ...body, cases };
}
