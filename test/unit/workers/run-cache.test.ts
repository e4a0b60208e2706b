import { expect } from 'chai';
import { createRunCache } from '#workers/process/run-cache.ts';
import { noNumbers } from '#workers/process/round-numbers.ts';
import { shareData } from '#workers/process/share-data.ts';
import { sharedDoubles } from '#workers/process/shared-numbers.ts';

describe('the cache of a worker', () => {
  /** Loads an array of 100 doubles, which take 800 bytes, and counts the loads. */
  const counted = () => {
    const counts = { loads: 0 };
    const load = async () => {
      counts.loads += 1;
      return new Float64Array(100);
    };
    return { counts, load };
  };

  it('loads the data of a run once for parts that start together', async () => {
    const cache = createRunCache();
    const { counts, load } = counted();
    const [one, other] = await Promise.all([cache.data('a', load), cache.data('a', load)]);
    expect(one).to.equal(other);
    await cache.data('a', load);
    expect(counts.loads).to.equal(1);
  });

  it('drops the least recently used run when it exceeds its limit', async () => {
    const cache = createRunCache({ bytesMax: 1_700 });
    const { counts, load } = counted();
    for (const uid of ['a', 'b', 'a', 'c']) await cache.data(uid, load);
    expect(counts.loads).to.equal(3);
    await cache.data('a', load);
    expect(counts.loads, 'a was kept').to.equal(3);
    await cache.data('b', load);
    expect(counts.loads, 'b was dropped').to.equal(4);
  });

  it('drops data above the limit and keeps the other runs', async () => {
    const cache = createRunCache({ bytesMax: 1_700 });
    const { counts, load } = counted();
    await cache.data('a', load);
    const large = await cache.data('large', async () => new Float64Array(1_000));
    expect(large).to.have.length(1_000);
    await cache.data('a', load);
    expect(counts.loads).to.equal(1);
  });

  it('counts the numbers of a run towards the limit', async () => {
    const cache = createRunCache({ bytesMax: 1_700 });
    const { counts, load } = counted();
    await cache.data('a', load);
    cache.keepNumbers('b', { ...noNumbers, doubles: sharedDoubles(150) });
    expect(cache.numbers('b')!.doubles).to.have.length(150);
    await cache.data('a', load);
    expect(counts.loads).to.equal(2);
  });

  it('loads again after a failed load and after a run was forgotten', async () => {
    const cache = createRunCache();
    const { counts, load } = counted();
    const failed = await cache.data('a', () => Promise.reject(new Error('no database'))).catch(String);
    expect(failed).to.equal('Error: no database');
    await cache.data('a', load);
    cache.forget('a');
    await cache.data('a', load);
    expect(counts.loads).to.equal(2);
  });
});

describe('shareData', () => {
  it('moves typed arrays to shared memory and keeps all values', async () => {
    const values = Float64Array.of(1, Number.NaN, -0);
    const given = {
      prices: values,
      again: values,
      rows: [{ at: Int32Array.of(7) }],
      name: 'x',
      day: new Date(0),
    };
    const shared = (await shareData(given))!;
    const data = shared.data as typeof given;
    expect(data).to.deep.equal(given);
    expect(data.prices.buffer).to.be.instanceOf(SharedArrayBuffer);
    expect(data.rows[0]!.at.buffer).to.be.instanceOf(SharedArrayBuffer);
    expect(data.prices).to.equal(data.again);
    expect(data.day).to.equal(given.day);
    expect(given.prices.buffer).to.be.instanceOf(ArrayBuffer);
  });

  it('counts an array once', async () => {
    const values = new Float64Array(1_000);
    expect((await shareData([values, values]))!.bytes).to.equal(8_016);
  });

  it('keeps arrays that are in shared memory', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(8));
    const found = await shareData({ shared });
    expect((found!.data as { shared: Uint8Array }).shared).to.equal(shared);
    expect(found!.bytes).to.be.at.least(8);
  });

  it('copies only the viewed numbers of a larger buffer', async () => {
    const view = new Float64Array(1_000).subarray(10, 12);
    const { data, bytes } = (await shareData(view))!;
    expect([(data as Float64Array).buffer.byteLength, bytes]).to.deep.equal([16, 16]);
  });

  it('accepts objects that contain themselves', async () => {
    const given: { self?: unknown } = {};
    given.self = given;
    const data = (await shareData(given))!.data as typeof given;
    expect(data.self).to.equal(data);
  });

  it('shares no data of more than 20,000 objects', async () => {
    const rows = Array.from({ length: 20_001 }, () => ({}));
    expect(await shareData(rows)).to.equal(undefined);
    expect(await shareData(Array.from({ length: 20_001 }, (_, at) => at))).not.to.equal(undefined);
  });
});
