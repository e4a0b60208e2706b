import { expect } from 'chai';
import { StatementCache } from '#lib/database/statement-cache.ts';

describe('the prepared statements of a connection', () => {
  it('are the statements used more often than the threshold, each with one fixed name', () => {
    const cache = new StatementCache({ after: 2, max: 10 });
    expect([1, 2, 3, 4].map(() => cache.use('select 1'))).to.deep.equal([undefined, undefined, 's1', 's1']);
    expect(cache.use('select 2')).to.equal(undefined);
  });

  it('are limited to the maximum number', () => {
    const cache = new StatementCache({ after: 0, max: 2 });
    expect(['a', 'b', 'c', 'c', 'a'].map((text) => cache.use(text))).to.deep.equal([
      's1',
      's2',
      undefined,
      undefined,
      's1',
    ]);
  });

  it('are chosen by counting only the uses of recently used texts', () => {
    const cache = new StatementCache({ after: 1, max: 2 });
    for (const text of ['a', 'b', 'c']) cache.use(text);
    expect(cache.use('a')).to.equal(undefined);
    expect(cache.use('c')).to.equal('s1');
  });

  it('get another name after they are forgotten', () => {
    const cache = new StatementCache({ after: 0, max: 1 });
    expect(cache.use('a')).to.equal('s1');
    cache.forget('a');
    expect(cache.use('a')).to.equal('s2');
  });

  it('exclude texts of more than 8,000 characters', () => {
    const cache = new StatementCache({ after: 0, max: 2 });
    expect(cache.use('x'.repeat(8_001))).to.equal(undefined);
    expect(cache.use('x'.repeat(8_000))).to.equal('s1');
  });
});
