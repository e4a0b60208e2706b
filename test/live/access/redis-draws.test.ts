import { expect } from 'chai';
import { createRedisRates, type RedisRates } from '#lib/limits/redis-rates.ts';
import { eventually } from '../../support/runs.ts';
import { redisIsThere, startRedis, type RedisServer } from '../../support/redis.ts';

// A quota of 6 requests a minute refills by one request in ten seconds, which is longer than these tests take.
(redisIsThere() ? describe : describe.skip)('A draw from quotas in Redis', () => {
  let redis: RedisServer;
  let rates: RedisRates;

  before(async () => {
    redis = await startRedis();
    rates = createRedisRates(redis.url, () => undefined);
    // The client refuses commands until it is connected.
    await eventually(() =>
      draw('connected', 1).then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    rates?.close();
    await redis?.stop();
  });

  const draw = async (slot: string, wanted: number, names = ['application']) => {
    const quotas = names.map((name) => ({ name, key: name, quota: 6, wanted }));
    return rates.draw(slot, quotas);
  };

  it('gives the wanted requests, then single ones, and then none', async () => {
    const counts = [];
    for (let turn = 0; turn < 5; turn++) counts.push((await draw('one', 4))[0]!.count);
    expect(counts).to.deep.equal([4, 1, 1, 0, 0]);
  });

  it('states when the quota is full again', async () => {
    const [first] = await draw('two', 3);
    expect(first!.fullInS).to.be.within(29, 30);
    const [second] = await draw('two', 3);
    expect(second!.fullInS).to.be.within(50, 60);
  });

  it('draws from each quota of a slot by itself, and shares them with single requests', async () => {
    await draw('three', 6);
    const drawn = await draw('three', 2, ['application', 'workspace']);
    expect(drawn.map(({ count }) => count)).to.deep.equal([0, 2]);
    const { allowed } = await rates.take('three', [{ name: 'application', key: 'application', quota: 6 }]);
    expect(allowed).to.equal(false);
    expect(
      (await draw('four', 6)).map(({ count }) => count),
      'another slot',
    ).to.deep.equal([6]);
  });
});
