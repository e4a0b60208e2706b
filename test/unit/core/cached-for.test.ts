import { expect } from 'chai';
import { cachedFor } from '#lib/core/cached-for.ts';

describe('a value cached for a limited time', () => {
  it('is loaded once for concurrent callers and again after it expires', async () => {
    let requested = 0;
    const read = cachedFor(60_000, async () => (requested += 1));
    expect(await Promise.all([read(), read(), read()])).to.deep.equal([1, 1, 1]);
    const always = cachedFor(0, async () => (requested += 1));
    expect([await always(), await always()]).to.deep.equal([2, 3]);
  });

  it('is loaded again after a failure', async () => {
    let requested = 0;
    const read = cachedFor(60_000, async () => {
      requested += 1;
      if (requested === 1) throw new Error('away');
      return requested;
    });
    expect(await read().catch((error: Error) => error.message)).to.equal('away');
    expect(await read()).to.equal(2);
  });
});
