import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import { marketHash } from '#lib/investment/theme-factors/market-hash.ts';
import { monthWindow } from '#lib/investment/theme-factors/month-end-prices.ts';
import { selectUniverse } from '#lib/investment/theme-factors/theme-universe.ts';
import { LAST_MONTH, exposuresOf, marketOf } from './synthetic-market.ts';

describe('marketHash', () => {
  const window = monthWindow(`${LAST_MONTH}-30`, 20);

  it('is the hash of the UTF-8 lines of the selected prices, sorted by symbol and month', () => {
    const names = ['Ü1', 'B', '株'];
    const prices = marketOf(names, { months: 24, gaps: { B: [10] } });
    const stale = { date: '2020-08-31', price: '7.0' };
    const longest = prices[1]!.observations.filter(({ date }) => date !== stale.date);
    prices[1] = { symbol: 'B', observations: [stale, ...longest] };
    const exposures = exposuresOf({ x: Object.fromEntries(names.map((name) => [name, '1'])) });
    const universe = selectUniverse(exposures, prices, { window, maxSymbols: 10 }).symbols;
    const lines = ['B', 'Ü1', '株'].flatMap((symbol) => {
      const observations = [...prices.find((series) => series.symbol === symbol)!.observations];
      return observations
        .sort((a, b) => (a.date < b.date ? -1 : 1))
        .filter(({ date }) => date >= '2019-01')
        .map(({ date, price }) => `${symbol},${date.slice(0, 7)},${date},${price}\n`);
    });
    expect(lines).to.have.length(3 * 21 - 1);
    expect(marketHash(universe)).to.equal(sha256(lines.join('')));
  });

  it('is the hash of the empty text if there are no symbols', () => {
    expect(marketHash([])).to.equal(sha256(''));
  });
});
