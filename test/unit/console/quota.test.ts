import { expect } from 'chai';
import { createQuota } from '#api/console/quota.ts';

describe('the quota of a person in the console', () => {
  it('accepts a number of requests a minute for each person, and refills steadily', async () => {
    let nowMs = 1_000_000;
    const quota = createQuota({ now: () => new Date(nowMs) });
    const many = async (person: string, times: number) => {
      const waits = await Promise.all(Array.from({ length: times }, () => quota(person, 60)));
      return waits.filter((wait) => wait === undefined).length;
    };
    expect(await many('anna', 100)).to.equal(60);
    expect(await quota('anna', 60)).to.equal(1);
    expect(await many('bert', 1)).to.equal(1);
    nowMs += 10_000;
    expect(await many('anna', 100)).to.equal(10);
    nowMs += 3_600_000;
    expect(await many('anna', 100)).to.equal(60);
  });
});
