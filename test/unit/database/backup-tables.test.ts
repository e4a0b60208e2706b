import { expect } from 'chai';
import { referencedFirst } from '#lib/database/backup/tables.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('the order in which a backup loads tables', () => {
  it('puts a referenced table before the tables that refer to it, and otherwise follows the names', () => {
    const references = [
      { from: 'a', to: 'c' },
      { from: 'c', to: 'd' },
      { from: 'b', to: 'b' },
    ];
    const order = referencedFirst(named('a', 'c', 'b', 'd'), references).map(({ name }) => name);
    expect(order).to.deep.equal(['b', 'd', 'c', 'a']);
  });

  it('does not depend on the order in which the tables are given', () => {
    const references = [{ from: 'a', to: 'b' }];
    const one = referencedFirst(named('a', 'b', 'c'), references);
    expect(referencedFirst(named('c', 'b', 'a'), references)).to.deep.equal(one);
  });

  it('cannot be determined if tables refer to each other in a cycle, and the error lists these tables', () => {
    const references = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(() => referencedFirst(named('a', 'b', 'c'), references)).to.throw('a, b');
  });
});
