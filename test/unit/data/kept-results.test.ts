import { expect } from 'chai';
import type { Em } from '#lib/database/base.ts';
import { keptResults } from '#lib/data/kept-results.ts';

describe('kept texts', () => {
  /** Two results of this size are kept, three are not. */
  const HALF = 8_300_000;
  const databaseOf = () => {
    const driver = {};
    const em = { getDriver: () => driver } as unknown as Em;
    const reads: string[] = [];
    const ask = (key: string, characters = 1) =>
      keptResults(em, key, async () => {
        reads.push(key);
        return { made: [key], characters };
      });
    return { ask, reads };
  };

  it('are read once for each key', async () => {
    const { ask, reads } = databaseOf();
    expect(await ask('a')).to.deep.equal(['a']);
    expect(await ask('b')).to.deep.equal(['b']);
    expect(await ask('a')).to.deep.equal(['a']);
    expect(reads).to.deep.equal(['a', 'b']);
  });

  it('are not shared between databases', async () => {
    const [one, other] = [databaseOf(), databaseOf()];
    await one.ask('a');
    await other.ask('a');
    expect([one.reads, other.reads]).to.deep.equal([['a'], ['a']]);
  });

  it('drop the least recently used one when they are together too large', async () => {
    const { ask, reads } = databaseOf();
    await ask('a', HALF);
    await ask('b', HALF);
    await ask('a', HALF);
    await ask('c', HALF);
    await ask('a', HALF);
    expect(reads, 'with b dropped').to.deep.equal(['a', 'b', 'c']);
    await ask('b', HALF);
    expect(reads).to.deep.equal(['a', 'b', 'c', 'b']);
  });

  it('count an empty result too, so that their number is limited', async () => {
    const { ask, reads } = databaseOf();
    const many = 16_384;
    for (let at = 0; at <= many; at += 1) await ask(`${at}`, 0);
    await ask(`${many}`, 0);
    expect(reads).to.have.lengthOf(many + 1);
    await ask('0', 0);
    expect(reads).to.have.lengthOf(many + 2);
  });

  it('are not kept if the key no longer holds for them', async () => {
    const em = { getDriver: () => em } as unknown as Em;
    let reads = 0;
    const ask = () =>
      keptResults(em, 'a', async () => ({ made: [++reads], characters: 1, isKept: reads > 1 }));
    expect([await ask(), await ask(), await ask()]).to.deep.equal([[1], [2], [2]]);
  });

  it('are not kept if one alone is too large, or if reading fails', async () => {
    const { ask, reads } = databaseOf();
    await ask('a', 16_777_217);
    await ask('a', 16_777_217);
    expect(reads).to.deep.equal(['a', 'a']);
    const driver = {};
    const em = { getDriver: () => driver } as unknown as Em;
    const failed = keptResults(em, 'b', () => Promise.reject(new Error('lost'))).catch(
      (error: Error) => error.message,
    );
    expect(await failed).to.equal('lost');
    expect(await keptResults(em, 'b', async () => ({ made: [1], characters: 1 }))).to.deep.equal([1]);
  });
});
