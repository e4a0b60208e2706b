import { expect } from 'chai';
import fc from 'fast-check';
import { KeyOrder } from '#lib/data/import/load/key-order.ts';

const key = fc.tuple(
  fc.constantFrom('A', 'A-', 'AB', 'B', 'a'),
  fc.constantFrom('2020-01-30', '2020-01-31', '2020-02-28'),
);

describe('the order of the keys in a file', () => {
  it('is ascending exactly when each key is greater than the previous key', () => {
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

  it('is ascending for rows with a second key if the rows are sorted by series or by day and no key is repeated', () => {
    const keyed = fc.tuple(key, fc.constantFrom('', '\teps', '\tpe'));
    fc.assert(
      fc.property(
        fc.array(keyed, { maxLength: 6 }),
        fc.constantFrom('none', 'series', 'day', 'group'),
        (rows, by) => {
          const each = rows.map(([[subject, day], further]) => ({ subject, day, further }));
          const bySeries = each.map((row) => [row.subject, row.further, row.day].join('\u0000'));
          const byDay = each.map((row) => [row.subject, row.day, row.further].join('\u0000'));
          const places = [...each.keys()];
          const text = {
            none: [],
            series: bySeries,
            day: byDay,
            group: each.map((row) => row.subject + row.day),
          }[by];
          if (text.length > 0)
            places.sort((one, other) => (text[one]! < text[other]! ? -1 : text[one]! > text[other]! ? 1 : 0));
          const watch = new KeyOrder();
          for (const at of places) watch.see(each[at]!.subject, each[at]!.day, each[at]!.further);
          const rises = (texts: string[]) =>
            places.every((at, place) => place === 0 || texts[at]! > texts[places[place - 1]!]!);
          const groups = places.map((at) => [each[at]!.subject, each[at]!.day].join('\u0000'));
          const isGrouped = groups.every((group, place) => place === 0 || group >= groups[place - 1]!);
          const areDistinct = new Set(byDay).size === each.length;
          expect(watch.isAscending).to.equal(rises(bySeries) || (isGrouped && areDistinct));
          if (watch.isAscending) expect(areDistinct).to.equal(true);
          const days = each.map(({ day }) => day).sort();
          expect([watch.first, watch.last]).to.deep.equal([days[0] ?? '', days.at(-1) ?? '']);
        },
      ),
    );
  });

  it('shows whether two adjacent rows of one subject are on different days of one month', () => {
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
