import { expect } from 'chai';
import { themeFactors } from '#lib/investment/theme-factors/theme-factors.ts';
import { exposuresOf, marketOf, refusalOf, requestOf, symbolsOf, taxonomyOf } from './synthetic-market.ts';

const symbols = symbolsOf(6);
const rising = Object.fromEntries(symbols.map((symbol, i) => [symbol, `0.${i + 1}`]));
const taxonomy = taxonomyOf(exposuresOf({ a: rising }));

/**
 * Returns a market in which every symbol lacks the first `count` prices, so that `count` months have no valid
 * return.
 */
function marketFrom(count: number) {
  const missing = Array.from({ length: count }, (_, position) => position);
  return marketOf(symbols, { gaps: Object.fromEntries(symbols.map((symbol) => [symbol, missing])) });
}

describe('themeFactors', () => {
  it('returns taxonomy_unavailable if no taxonomy was published by the as-of date', () => {
    const outcome = themeFactors(requestOf(), { taxonomy: undefined, prices: marketOf(symbols) });
    expect(refusalOf(outcome)).to.deep.equal({
      code: 'taxonomy_unavailable',
      detail: 'No taxonomy version was published on or before 2020-09-30.',
      observed: 0,
      needed: 1,
    });
  });

  it('returns market_history_insufficient if no symbol has enough returns', () => {
    const refusal = refusalOf(
      themeFactors(requestOf(), { taxonomy, prices: marketOf(symbols, { months: 12 }) }),
    );
    expect(refusal).to.include({ code: 'market_history_insufficient', observed: 11, needed: 12 });
    expect(refusal.detail)
      .to.include('12 of the 20 monthly returns')
      .and.include('2020-09-30')
      .and.include('11');
    const longer = refusalOf(
      themeFactors(requestOf({ history_months: 240 }), { taxonomy, prices: marketOf(symbols) }),
    );
    expect(longer).to.include({ code: 'market_history_insufficient', observed: 20, needed: 144 });
  });

  it('returns market_history_insufficient if no symbol has both prices and an exposure above 0', () => {
    for (const data of [
      { taxonomy, prices: [] },
      { taxonomy: taxonomyOf([]), prices: marketOf(symbols) },
      { taxonomy, prices: marketOf(['OTHER']) },
      { taxonomy: taxonomyOf(exposuresOf({ a: { S00: '0' } })), prices: marketOf(symbols) },
    ]) {
      const refusal = refusalOf(themeFactors(requestOf(), data));
      expect(refusal).to.include({ code: 'market_history_insufficient', observed: 0, needed: 12 });
    }
  });

  it('returns market_history_insufficient if fewer than 80 % of the months are valid', () => {
    const within = themeFactors(requestOf(), { taxonomy, prices: marketFrom(4) });
    expect(within.ok && within.result.months.filter((month) => month === null)).to.have.length(4);
    const refusal = refusalOf(themeFactors(requestOf(), { taxonomy, prices: marketFrom(5) }));
    expect(refusal).to.include({ code: 'market_history_insufficient', observed: 15, needed: 16 });
    expect(refusal.detail).to.include('15 of the 20 months').and.include('16 are needed');
  });

  it('returns market_history_insufficient if fewer than 12 months are valid, even if that is above 80 %', () => {
    const request = requestOf({ history_months: 13, minimum_symbols_per_factor: 6 });
    const marketWith = (gaps: Record<string, readonly number[]>) => marketOf(symbols, { months: 14, gaps });
    expect(themeFactors(request, { taxonomy, prices: marketWith({ S00: [0] }) }).ok).to.equal(true);
    const refusal = refusalOf(
      themeFactors(request, { taxonomy, prices: marketWith({ S00: [0], S01: [13] }) }),
    );
    expect(refusal).to.include({ code: 'market_history_insufficient', observed: 11, needed: 12 });
  });

  it('returns market_history_insufficient if all symbols have the same exposure, so that no month is valid', () => {
    const flat = taxonomyOf(exposuresOf({ a: Object.fromEntries(symbols.map((symbol) => [symbol, '0.5'])) }));
    const refusal = refusalOf(themeFactors(requestOf(), { taxonomy: flat, prices: marketOf(symbols) }));
    expect(refusal).to.include({ code: 'market_history_insufficient', observed: 0, needed: 16 });
  });

  it('returns taxonomy_exposure_insufficient if no theme has enough symbols or only one symbol exists', () => {
    const minimum = { minimum_symbols_per_factor: 7 };
    const refusal = refusalOf(themeFactors(requestOf(minimum), { taxonomy, prices: marketOf(symbols) }));
    expect(refusal).to.include({ code: 'taxonomy_exposure_insufficient', observed: 6, needed: 7 });
    expect(refusal.detail).to.include('7 symbols').and.include('6');
    const one = taxonomyOf(exposuresOf({ a: { S00: '1' }, b: { S00: '0.5' } }));
    const single = themeFactors(requestOf({ minimum_symbols_per_factor: 2 }), {
      taxonomy: one,
      prices: marketOf(symbols),
    });
    expect(refusalOf(single)).to.include({ code: 'taxonomy_exposure_insufficient', observed: 1, needed: 2 });
  });

  it('returns not_identifiable if two themes are identical and the penalty is negligible', () => {
    const twins = taxonomyOf(exposuresOf({ a: rising, b: rising }));
    const data = { taxonomy: twins, prices: marketOf(symbols) };
    const refusal = refusalOf(themeFactors(requestOf({ ridge_lambda: 1e-14 }), data));
    expect(refusal).to.include({ code: 'not_identifiable', needed: 1e-12 });
    expect(refusal.observed).to.be.within(0, 1e-12);
    expect(refusal.detail).to.include('2019-02').and.include('ridge_lambda 1e-14');
    expect(themeFactors(requestOf({ ridge_lambda: 1e-6 }), data).ok).to.equal(true);
  });
});

describe('themeFactors with invalid data', () => {
  it('throws a RangeError instead of returning a refusal', () => {
    const prices = marketOf(symbols);
    const broken = (price: string) =>
      prices.map((series, i) =>
        i > 0 ? series : { ...series, observations: series.observations.map((o) => ({ ...o, price })) },
      );
    for (const price of ['NaN', '', 'n/a', '1,000.00']) {
      expect(() => themeFactors(requestOf(), { taxonomy, prices: broken(price) }), price).to.throw(
        RangeError,
      );
    }
    const later = { ...taxonomy, publishedAt: '2020-10-01T00:00:00Z' };
    expect(() => themeFactors(requestOf(), { taxonomy: later, prices })).to.throw(
      RangeError,
      'was not published',
    );
    expect(() => themeFactors(requestOf(), { taxonomy: { ...taxonomy, publishedAt: '' }, prices })).to.throw(
      RangeError,
    );
    expect(() => themeFactors(requestOf({ as_of_date: '2020-09-31' }), { taxonomy, prices })).to.throw(
      RangeError,
    );
    expect(() => themeFactors(requestOf(), { taxonomy, prices: [...prices, ...prices] })).to.throw(
      RangeError,
    );
  });
});
