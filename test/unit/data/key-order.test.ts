import { expect } from 'chai';
import fc from 'fast-check';
import { KeyOrder } from '#lib/data/import/key-order.ts';

const key = fc.tuple(
  fc.constantFrom('A', 'A-', 'AB', 'B', 'a'),
  fc.constantFrom('2020-01-30', '2020-01-31', '2020-02-28'),
);

describe('the order of keys', () => {
  it('is ascending exactly when the keys are sorted and none stands twice', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 8 }), fc.boolean(), (keys, sorted) => {
        const texts = keys.map((each) => each.join('\u0000'));
        const order = sorted ? [...new Set(texts)].sort() : texts;
        const watch = new KeyOrder();
        for (const text of order) watch.see(...(text.split('\u0000') as [string, string]));
        const ascending = order.every((text, at) => at === 0 || text > order[at - 1]!);
        expect(watch.isAscending).to.equal(ascending);
      }),
    );
  });

  it('shows two days of one month where they are next to each other', () => {
    const watch = new KeyOrder();
    watch.see('A', '2020-01-30');
    watch.see('A', '2020-02-28');
    watch.see('B', '2020-02-29');
    watch.see('B', '2020-02-29');
    expect(watch.hasDaysOfOneMonth).to.equal(false);
    watch.see('B', '2020-02-28');
    expect(watch.hasDaysOfOneMonth).to.equal(true);
  });
});
