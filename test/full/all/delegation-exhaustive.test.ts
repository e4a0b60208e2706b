import { expect } from 'chai';
import { rules } from '../../support/delegation/rules.ts';
import { smallWorld } from '../../support/delegation/small-world.ts';
import { search } from '../../support/search.ts';

describe('the delegation rules in the exhaustive model with at most two open reservations', () => {
  it('I-058 I-070 I-075 satisfy every invariant in every reachable state', () => {
    const { violation, states } = search(smallWorld(rules, { openMax: 2 }));
    expect(violation).to.equal(undefined);
    expect(states.length).to.be.greaterThan(400_000);
  });
});
