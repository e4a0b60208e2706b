import { expect } from 'chai';
import fc from 'fast-check';
import { monthWindow } from '#lib/investment/theme-factors/month-end-prices.ts';
import { selectThemes, selectUniverse } from '#lib/investment/theme-factors/theme-universe.ts';
import { LAST_MONTH, exposuresOf, marketOf, symbolsOf } from './synthetic-market.ts';

function universeOf(
  exposures: ReturnType<typeof exposuresOf>,
  prices: ReturnType<typeof marketOf>,
  { historyMonths = 20, maxSymbols = 500 } = {},
) {
  const window = monthWindow(`${LAST_MONTH}-30`, historyMonths);
  return selectUniverse(exposures, prices, { window, maxSymbols });
}

function symbols(universe: ReturnType<typeof selectUniverse>): string[] {
  return universe.symbols.map(({ symbol }) => symbol);
}

describe('selectUniverse', () => {
  it('requires at least 12 returns if 12 exceeds 60 % of the months', () => {
    const prices = [...marketOf(['ENOUGH'], { months: 13 }), ...marketOf(['SHORT'], { months: 12 })];
    const universe = universeOf(exposuresOf({ a: { ENOUGH: '1', SHORT: '1' } }), prices);
    expect(symbols(universe)).to.deep.equal(['ENOUGH']);
    expect(universe).to.include({ returnsNeeded: 12, returnsMax: 12, historyShort: 1, aboveMaximum: 0 });
  });

  it('requires returns for 60 % of the months, rounded up, if that number exceeds 12', () => {
    const prices = [...marketOf(['ENOUGH'], { months: 14 }), ...marketOf(['SHORT'], { months: 13 })];
    const universe = universeOf(exposuresOf({ a: { ENOUGH: '1', SHORT: '1' } }), prices, {
      historyMonths: 21,
    });
    expect(symbols(universe)).to.deep.equal(['ENOUGH']);
    expect(universe.returnsNeeded).to.equal(13);
    expect(universeOf([], [], { historyMonths: 240 }).returnsNeeded).to.equal(144);
    expect(universeOf([], [], { historyMonths: 22 }).returnsNeeded).to.equal(14);
  });

  it('counts returns instead of prices, so that a missing price removes two returns', () => {
    const prices = marketOf(['GAP', 'WHOLE'], { months: 15, gaps: { GAP: [7] } });
    const universe = universeOf(exposuresOf({ a: { GAP: '1', WHOLE: '1' } }), prices);
    expect(universe.symbols.map(({ returns }) => returns)).to.deep.equal([12, 14]);
    const again = marketOf(['GAP'], { months: 15, gaps: { GAP: [3, 7] } });
    expect(universeOf(exposuresOf({ a: { GAP: '1' } }), again).symbols).to.deep.equal([]);
  });

  it('omits symbols without an exposure above 0 or without prices', () => {
    const prices = marketOf(['A', 'NOTHING', 'ZERO']);
    const universe = universeOf(exposuresOf({ a: { A: '1', ZERO: '0', UNPRICED: '1' } }), prices);
    expect(symbols(universe)).to.deep.equal(['A']);
    expect(universe.historyShort).to.equal(1);
  });

  it('keeps the symbols with the longest histories, then the greatest exposures, then the first names', () => {
    const prices = [
      ...marketOf(['LONG']),
      ...marketOf(['Z'], { months: 15 }),
      ...marketOf(['M', 'B', 'C', 'a'], { months: 14 }),
    ];
    const exposures = exposuresOf({
      x: { LONG: '0.1', Z: '0.1', M: '0.4', B: '0.2', C: '0.2', a: '0.2' },
      y: { M: '0.1' },
    });
    const order = ['LONG', 'Z', 'M', 'B', 'C', 'a'];
    for (let maximum = 1; maximum <= order.length; maximum += 1) {
      const universe = universeOf(exposures, prices, { maxSymbols: maximum });
      expect(symbols(universe)).to.deep.equal(order.slice(0, maximum).sort());
      expect(universe.aboveMaximum).to.equal(order.length - maximum);
    }
  });

  it('sorts symbols by UTF-16 code unit, independent of the locale', () => {
    const names = ['a', 'B', 'Z', 'Ä', 'é', '１'];
    const universe = universeOf(
      exposuresOf({ x: Object.fromEntries(names.map((name) => [name, '1'])) }),
      marketOf(names),
    );
    expect(symbols(universe)).to.deep.equal(['B', 'Z', 'a', 'Ä', 'é', '１']);
  });

  it('throws on exposures out of range, repeated exposures and repeated price series', () => {
    for (const micro of [-1, 1_000_001, 0.5, Number.NaN]) {
      expect(() => universeOf([{ theme: 'a', symbol: 'A', micro }], []), String(micro)).to.throw(RangeError);
    }
    const twice = [...exposuresOf({ a: { A: '1' } }), ...exposuresOf({ a: { A: '0.5' } })];
    expect(() => universeOf(twice, [])).to.throw(RangeError, 'A has two exposures to a');
    const prices = [...marketOf(['A']), ...marketOf(['A'])];
    expect(() => universeOf([], prices)).to.throw(RangeError, 'two price series of A');
  });
});

describe('selectThemes', () => {
  const names = symbolsOf(6);
  const all = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, '0.5']));
  const exposures = exposuresOf({ six: all(6), b4: all(4), a4: all(4), three: all(3), none: { S00: '0' } });
  const universe = universeOf(exposures, marketOf(names)).symbols;

  it('keeps themes with enough symbols of the universe and names the omitted themes', () => {
    expect(selectThemes(exposures, universe, { minimumSymbols: 4, maxFactors: 24 })).to.deep.equal({
      kept: ['a4', 'b4', 'six'],
      excluded: ['three'],
      symbolsMax: 6,
    });
  });

  it('keeps the themes with the most symbols, then the themes with the first keys', () => {
    const kept = (maxFactors: number) =>
      selectThemes(exposures, universe, { minimumSymbols: 1, maxFactors }).kept;
    expect(kept(1)).to.deep.equal(['six']);
    expect(kept(2)).to.deep.equal(['a4', 'six']);
    expect(kept(3)).to.deep.equal(['a4', 'b4', 'six']);
  });

  it('keeps no theme if every theme has too few symbols', () => {
    const selection = selectThemes(exposures, universe, { minimumSymbols: 7, maxFactors: 24 });
    expect(selection).to.deep.equal({ kept: [], excluded: ['a4', 'b4', 'six', 'three'], symbolsMax: 6 });
    expect(selectThemes([], [], { minimumSymbols: 1, maxFactors: 1 }).symbolsMax).to.equal(0);
  });

  it('does not depend on the order of the exposures', () => {
    const expected = selectThemes(exposures, universe, { minimumSymbols: 3, maxFactors: 2 });
    fc.assert(
      fc.property(fc.shuffledSubarray(exposures, { minLength: exposures.length }), (shuffled) => {
        expect(selectThemes(shuffled, universe, { minimumSymbols: 3, maxFactors: 2 })).to.deep.equal(
          expected,
        );
      }),
    );
  });
});
