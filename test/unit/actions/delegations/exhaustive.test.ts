import { expect } from 'chai';
import { canBeCompleted, ended, smallWorld, type Defect } from '../../../support/delegation/small-world.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { reaching, search } from '../../../support/search.ts';
import { isExhaustive } from '../../../support/repetitions.ts';

/**
 * The amounts to spend, in minor units. One amount that reaches the daily and the monthly bound is enough to
 * visit every state and every transition.
 */
const amounts = isExhaustive ? [1, 2, 3] : [2];

describe('a small model of a delegation', function () {
  let found: ReturnType<typeof explore>;
  const explore = () => search(smallWorld(rules, { amounts }));
  before(() => {
    found = explore();
  });

  it('I-050 I-056 I-057 I-058 I-060 I-062 I-070 I-071 I-075 I-076 satisfies every invariant in every reachable state', () => {
    expect(found.violation).to.equal(undefined);
    expect(found.states.length).to.be.greaterThan(isExhaustive ? 100_000 : 10_000);
    expect(found.transitions.length).to.be.greaterThan(isExhaustive ? 500_000 : 50_000);
  });

  it('reaches the states draft, activated, suspended, rejected, revoked and expired by each expected transition', () => {
    const seen = new Set(found.states.map(({ state }) => state));
    expect(seen).to.include.all.keys('draft', 'activated', 'suspended', 'rejected', 'revoked', 'expired');
    const labels = new Set(
      found.transitions.map(
        ({ from, to, label }) =>
          `${found.states[from]!.state} ${label.split(' ')[0]} ${found.states[to]!.state}`,
      ),
    );
    for (const label of [
      'draft approve activated',
      'suspended approve activated',
      'activated lose suspended',
      'activated endConnector suspended',
      'suspended revoke revoked',
      'activated expire expired',
      'draft approve expired',
      'revoked settle revoked',
    ]) {
      expect([...labels]).to.include(label);
    }
  });

  it('has a path from every reachable state to a final state in which every reservation has ended', () => {
    const ending = reaching(
      found,
      ({ state, reserved }) => ended.has(state) && !reserved.length,
      (label) => /^(tick|expire|settle|release)/.test(label),
    );
    expect(ending.size).to.equal(found.states.length);
  });

  it('I-075 can activate the delegation by votes alone while enough voters have their authority', () => {
    const able = reaching(
      found,
      ({ state }) => state === 'activated',
      (label) => label.startsWith('approve'),
    );
    const completable = found.states.flatMap((state, number) => (canBeCompleted(state) ? [number] : []));
    expect(completable.length).to.be.greaterThan(100);
    expect(completable.filter((number) => !able.has(number))).to.deep.equal([]);
  });

  const defects: [Defect, string][] = [
    ['self-approval is allowed', 'Independent'],
    ['a person may vote twice', 'DistinctPersons'],
    ['votes are not voided when an authority ends', 'AuthorityLive'],
    ['an active delegation is not suspended when an authority ends', 'AuthorityLive'],
    ['an active delegation is not suspended when its connector ends', 'TermsStand'],
    ['the authority above the authority of a voter is not checked', 'AuthorityLive'],
    ['the role of a voter is not checked', 'AuthorityLive'],
    ['the budget is compared before the amount is added', 'WithinBudget'],
    ['a revoked delegation can still spend', 'SpendOnlyActive'],
  ];
  for (const [defect, invariant] of defects) {
    it(`violates the invariant ${invariant} within 6 steps if ${defect}`, () => {
      const { violation } = search(smallWorld(rules, { defect }));
      expect(violation).to.include({ invariant });
      expect(violation!.trace.length).to.be.within(1, 6);
    });
  }
});
