import { expect } from 'chai';
import { referencedFirst } from '#lib/database/backup/tables.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('the order in which tables are loaded', () => {
  it('puts referenced tables first, and otherwise follows the names', () => {
    const references = [
      { from: 'a', to: 'c' },
      { from: 'c', to: 'd' },
      { from: 'b', to: 'b' },
    ];
    const order = referencedFirst(named('a', 'c', 'b', 'd'), references).map(({ name }) => name);
    expect(order).to.deep.equal(['b', 'd', 'c', 'a']);
  });

  it('does not depend on the order of the given tables', () => {
    const references = [{ from: 'a', to: 'b' }];
    const one = referencedFirst(named('a', 'b', 'c'), references);
    expect(referencedFirst(named('c', 'b', 'a'), references)).to.deep.equal(one);
  });

  it('is rejected if tables refer to each other in a cycle', () => {
    const references = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(() => referencedFirst(named('a', 'b', 'c'), references)).to.throw('a, b');
  });
});
