import { expect } from 'chai';
import { createQuota } from '#api/console/quota.ts';

describe('the quota of a person in the console', () => {
  it('accepts a number of requests a minute for each person, and refills steadily', () => {
    let nowMs = 1_000_000;
    const quota = createQuota({ now: () => new Date(nowMs) });
    const many = (person: string, times: number) =>
      Array.from({ length: times }, () => quota(person, 60)).filter((wait) => wait === undefined).length;
    expect(many('anna', 100)).to.equal(60);
    expect(quota('anna', 60)).to.equal(1);
    expect(many('bert', 1)).to.equal(1);
    nowMs += 10_000;
    expect(many('anna', 100)).to.equal(10);
    nowMs += 3_600_000;
    expect(many('anna', 100)).to.equal(60);
  });
});
