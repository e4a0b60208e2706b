import { expect } from 'chai';
import { StatementCache } from '#lib/database/statement-cache.ts';

describe('the statements that a connection keeps', () => {
  const evicted: string[] = [];
  const evict = ({ name }: { name: string }) => evicted.push(name);
  beforeEach(() => evicted.splice(0));

  it('are those that came often enough, each under one name', () => {
    const cache = new StatementCache({ after: 2, most: 10 });
    expect([1, 2, 3, 4].map(() => cache.use('select 1', evict)?.name)).to.deep.equal([
      undefined,
      undefined,
      's1',
      's1',
    ]);
    expect(cache.use('select 2', evict)).to.equal(undefined);
  });

  it('make room for others when they were not used for longest', () => {
    const cache = new StatementCache({ after: 0, most: 2 });
    for (const text of ['a', 'b', 'a', 'c']) cache.use(text, evict);
    expect(evicted).to.deep.equal(['s2']);
    expect(cache.use('a', evict)?.name).to.equal('s1');
    expect(cache.use('b', evict)?.name).to.equal('s4');
  });

  it('are none of those that are made for one occasion', () => {
    const cache = new StatementCache({ after: 0, most: 2 });
    expect(cache.use('x'.repeat(8_001), evict)).to.equal(undefined);
    expect(cache.use('x'.repeat(8_000), evict)?.name).to.equal('s1');
  });
});
