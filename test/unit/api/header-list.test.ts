import { expect } from 'chai';
import fc from 'fast-check';
import { headerList, unquoted } from '#api/http/header-list.ts';

describe('a list in a header', () => {
  const read: [header: string, elements: string[]][] = [
    ['', []],
    [' , ,', []],
    ['a, b ,c', ['a', 'b', 'c']],
    ['a="x,y", b', ['a="x,y"', 'b']],
    ['a="\\",", b', ['a="\\","', 'b']],
    ['W/"1", "2,3"', ['W/"1"', '"2,3"']],
    ['"open, b', ['"open, b']],
    ['"\\', ['"\\']],
  ];
  for (const [header, elements] of read) {
    it(`is read from ${JSON.stringify(header)} as ${JSON.stringify(elements)}`, () =>
      expect(headerList(header, ',')).to.deep.equal(elements));
  }

  it('is split at the commas between its elements but not inside quoted text', () => {
    const element = fc.string({ minLength: 1 }).map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`);
    fc.assert(
      fc.property(fc.array(element), (elements) => {
        expect(headerList(elements.join(','), ',')).to.deep.equal(elements);
      }),
    );
  });

  it('has elements from which enclosing quotes can be removed', () => {
    expect([unquoted('"a"'), unquoted('a'), unquoted('"'), unquoted('""')]).to.deep.equal([
      'a',
      'a',
      '"',
      '',
    ]);
  });
});
