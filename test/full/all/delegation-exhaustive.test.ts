import { expect } from 'chai';
import { rules } from '../../support/delegation/rules.ts';
import { smallWorld } from '../../support/delegation/small-world.ts';
import { search } from '../../support/search.ts';

describe('every reachable state of a delegation in a small model with two open reservations', () => {
  it('I-058 I-070 I-075 satisfies every invariant', () => {
    const { violation, states } = search(smallWorld(rules, { openMax: 2 }));
    expect(violation).to.equal(undefined);
    expect(states.length).to.be.greaterThan(400_000);
  });
});
