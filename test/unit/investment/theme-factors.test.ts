import { expect } from 'chai';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { canonicalHash } from '#lib/core/seal.ts';
import { selectTaxonomyVersion, taxonomyHash } from '#lib/data/taxonomy.ts';
import {
  ThemeFactorsResult,
  ThemeFactorsWarning,
} from '#lib/investment/theme-factors/theme-factors.result.ts';
import { themeFactors } from '#lib/investment/theme-factors/theme-factors.ts';
import {
  exposuresOf,
  goldenSmall,
  marketOf,
  requestOf,
  succeed,
  symbolsOf,
  taxonomyOf,
} from './synthetic-market.ts';

describe('themeFactors on the small golden case', () => {
  const { golden, request, prices, versions } = goldenSmall();
  const taxonomy = selectTaxonomyVersion(versions, request.as_of_date)!;
  const outcome = succeed(request, { taxonomy, prices });
  const { result, specificReturns, warnings } = outcome;

  it('returns the golden result, its hash and the golden specific returns', () => {
    expect(result).to.deep.equal(golden.result);
    expect(canonicalHash(result)).to.equal(golden.canonical_sha256);
    expect(specificReturns).to.deep.equal(golden.specific_returns);
    expect(outcome.exposureMode).to.equal('static_as_of');
  });

  it('returns the golden result for missing prices, a late listing and a stale month end', () => {
    expect(result.taxonomy.version).to.equal('2018.1');
    expect(result.symbols).to.include.members(['AAPL', 'ACN', 'AFL']).and.not.include('ADI');
    expect(result.excluded_factors).to.deep.equal(['housing']);
    const returnsOf = (symbol: string) => specificReturns[symbol]!.filter((value) => value !== null).length;
    expect(returnsOf('AAPL'), 'two months without a price cost three returns').to.equal(17);
    expect(returnsOf('ACN'), 'listed late').to.equal(14);
    expect(returnsOf('AFL'), 'a stale month end costs two returns').to.equal(18);
    const stale = result.months.findIndex((month) => month?.month === '2018-05');
    expect(specificReturns['AFL']!.slice(stale, stale + 2)).to.deep.equal([null, null]);
  });

  it('returns a result and warnings that are valid by their schemas', () => {
    expect(Value.Check(ThemeFactorsResult, result)).to.equal(true);
    expect(warnings.every((warning) => Value.Check(ThemeFactorsWarning, warning))).to.equal(true);
  });

  it('warns of omitted symbols and of months with fewer than 30 symbols', () => {
    expect(warnings[0]).to.deep.equal({ code: 'symbols_left_out', history_short: 1, above_maximum: 0 });
    expect(warnings.slice(1)).to.have.length(20);
    expect(warnings[1]).to.deep.equal({
      code: 'few_observations',
      month: '2017-05',
      symbols: 28,
      minimum: 30,
    });
  });

  it('divides every return into a market part, a part of each factor and a specific part', () => {
    const exposures = new Map(
      taxonomy.exposures.map(({ theme, symbol, micro }) => [`${theme} ${symbol}`, micro / 1e6]),
    );
    const priceOf = new Map(
      prices.map(({ symbol, observations }) => [
        symbol,
        new Map(observations.map((o) => [o.date.slice(0, 7), Number(o.price)])),
      ]),
    );
    let checked = 0;
    result.months.forEach((month, t) => {
      const before = t === 0 ? result.market_data.first_month : result.months[t - 1]!.month;
      for (const symbol of result.symbols) {
        const e = specificReturns[symbol]![t]!;
        if (e === null) continue;
        const own = priceOf.get(symbol)!;
        const r = own.get(month!.month)! / own.get(before)! - 1;
        const explained = result.factors.reduce(
          (total, { theme, returns }) => total + (exposures.get(`${theme} ${symbol}`) ?? 0) * returns[t]!,
          month!.intercept,
        );
        expect(explained + e).to.be.closeTo(r, 1e-15);
        checked += 1;
      }
    });
    expect(checked).to.equal(
      Object.values(specificReturns)
        .flat()
        .filter((e) => e !== null).length,
    );
  });

  it('does not depend on the order of symbols, prices and exposures', () => {
    const shuffled = fc.record({
      prices: fc.shuffledSubarray(prices, { minLength: prices.length }),
      exposures: fc.shuffledSubarray([...taxonomy.exposures], { minLength: taxonomy.exposures.length }),
      order: fc.shuffledSubarray([...Array(27).keys()], { minLength: 27 }),
    });
    fc.assert(
      fc.property(shuffled, ({ prices: series, exposures, order }) => {
        const mixed = series.map(({ symbol, observations }) => ({
          symbol,
          observations: order.flatMap((i) => observations[i] ?? []),
        }));
        const again = succeed(request, { taxonomy: { ...taxonomy, exposures }, prices: mixed });
        expect(canonicalHash(again.result)).to.equal(golden.canonical_sha256);
        expect(again.specificReturns).to.deep.equal(specificReturns);
      }),
      { numRuns: 20 },
    );
  });

  it('does not depend on prices outside the window, later taxonomies or symbols without exposure', () => {
    const more = prices.map(({ symbol, observations }) => ({
      symbol,
      observations: [
        { date: '2001-01-31', price: '1' },
        ...observations,
        { date: '2019-12-31', price: 'whatever it will be' },
      ],
    }));
    const later = [...versions, { version: '2030.1', publishedAt: '2019-01-01T00:00:00Z', exposures: [] }];
    const data = {
      taxonomy: selectTaxonomyVersion(later, request.as_of_date)!,
      prices: [...more, ...marketOf(['UNEXPOSED'])],
    };
    expect(canonicalHash(succeed(request, data).result)).to.equal(golden.canonical_sha256);
  });

  it('returns the same result for an as-of date in the middle of the next month, except for the echoed request', () => {
    const midMonth = succeed({ ...request, as_of_date: '2019-01-14' }, { taxonomy, prices }).result;
    expect({ ...midMonth, request }).to.deep.equal(result);
    const next = succeed({ ...request, as_of_date: '2019-01-31' }, { taxonomy, prices }).result;
    expect(next.market_data.last_month).to.equal('2019-01');
  });

  it('returns other hashes if one digit is added to a price or one millionth to an exposure', () => {
    const changedPrices = prices.map((series, i) =>
      i > 0
        ? series
        : {
            ...series,
            observations: series.observations.map((o) =>
              o.date === '2018-12-31' ? { ...o, price: `${o.price}0` } : o,
            ),
          },
    );
    const market = succeed(request, { taxonomy, prices: changedPrices }).result;
    expect(market.market_data.sha256).to.not.equal(result.market_data.sha256);
    expect(market.factors).to.deep.equal(result.factors);
    const exposures = taxonomy.exposures.map((exposure, i) =>
      i > 0 ? exposure : { ...exposure, micro: exposure.micro + 1 },
    );
    const themes = succeed(request, { taxonomy: { ...taxonomy, exposures }, prices }).result;
    expect(themes.taxonomy.sha256).to.equal(taxonomyHash(exposures)).and.not.equal(result.taxonomy.sha256);
    expect(themes.factors).to.not.deep.equal(result.factors);
  });

  it('returns smaller factor returns, and the same index levels, for a larger lambda', () => {
    const heavy = succeed({ ...request, ridge_lambda: 100 }, { taxonomy, prices }).result;
    heavy.factors.forEach((factor, k) => {
      expect(factor.index_levels).to.deep.equal(result.factors[k]!.index_levels);
      factor.returns.forEach((value, t) => {
        expect(Math.abs(value!)).to.be.below(
          0.05 * Math.max(...result.factors[k]!.returns.map((f) => Math.abs(f!))),
        );
        expect(heavy.months[t]!.effective_parameters).to.be.within(1, 1.1);
      });
    });
    expect(heavy.market_data).to.deep.equal(result.market_data);
  });

  it('does not change its input', () => {
    const frozen = JSON.stringify({ taxonomy, prices });
    themeFactors(request, { taxonomy, prices });
    expect(JSON.stringify({ taxonomy, prices })).to.equal(frozen);
  });

  it('reports progress after each month, and ends after the current month if it is cancelled', () => {
    const fractions: number[] = [];
    themeFactors(request, { taxonomy, prices }, { progress: (fraction) => fractions.push(fraction) });
    expect(fractions).to.deep.equal(Array.from({ length: 20 }, (_, t) => (t + 1) / 20));
    let done = 0;
    const control = { progress: () => (done += 1), cancelled: () => done === 7 };
    expect(() => themeFactors(request, { taxonomy, prices }, control))
      .to.throw(DOMException)
      .with.property('name', 'AbortError');
    expect(done).to.equal(7);
  });
});

describe('themeFactors with invalid months and inactive factors', () => {
  const symbols = symbolsOf(8);
  const each = (...exposures: string[]) =>
    Object.fromEntries(exposures.map((exposure, i) => [symbols[i]!, exposure]));
  const half = each('0.9', '0.8', '0.7', '0.6');

  it('returns null for an invalid month in every series', () => {
    // Only two symbols have a price at index 5, so the returns at indices 4 and 5 are too few.
    const gaps = Object.fromEntries(symbols.slice(2).map((symbol) => [symbol, [5]]));
    const taxonomy = taxonomyOf(exposuresOf({ a: half, b: each('0.1', '0', '0.4', '0.3', '0.2') }));
    const { result, specificReturns, warnings } = succeed(requestOf(), {
      taxonomy,
      prices: marketOf(symbols, { gaps }),
    });
    const nulls = (series: readonly unknown[]) => [...series.keys()].filter((t) => series[t] === null);
    expect(nulls(result.months)).to.deep.equal([4, 5]);
    for (const { returns, index_returns, index_levels, stats } of result.factors) {
      expect(nulls(returns)).to.deep.equal([4, 5]);
      expect(nulls(index_returns)).to.deep.equal([4, 5]);
      expect(nulls(index_levels)).to.deep.equal([4, 5]);
      expect(index_levels[6]).to.equal(index_levels[3]! * (1 + index_returns[6]!));
      expect(stats.months).to.equal(18);
    }
    for (const symbol of symbols.slice(0, 5)) expect(nulls(specificReturns[symbol]!)).to.deep.equal([4, 5]);
    expect(warnings.filter(({ code }) => code === 'month_invalid')).to.deep.equal([
      { code: 'month_invalid', month: '2019-06', symbols: 2, minimum: 3, factors: 0 },
      { code: 'month_invalid', month: '2019-07', symbols: 2, minimum: 3, factors: 0 },
    ]);
    expect(warnings).to.deep.include({ code: 'index_gaps', theme: 'a', months: 2 });
    expect(warnings.some(({ code }) => code === 'factor_inactive')).to.equal(false);
    expect(Value.Check(ThemeFactorsResult, result)).to.equal(true);
  });

  it('returns null for the inactive months of a factor only in the series of this factor', () => {
    const taxonomy = taxonomyOf(exposuresOf({ a: half, b: { S04: '0.5', S05: '0.6', S06: '0.7' } }));
    const prices = marketOf(symbols, { gaps: { S06: [10] } });
    const { result, warnings } = succeed(requestOf(), { taxonomy, prices });
    const [a, b] = result.factors;
    expect(a!.returns).to.not.include(null);
    expect([...b!.returns.keys()].filter((t) => b!.returns[t] === null)).to.deep.equal([9, 10]);
    expect(b!.index_levels[9]).to.equal(null);
    expect(result.months.map((month) => month!.factors)).to.include.members([1, 2]);
    expect(warnings).to.deep.include({ code: 'factor_inactive', theme: 'b', months: 2 });
    expect(warnings).to.deep.include({ code: 'index_gaps', theme: 'b', months: 2 });
    const common = a!.returns.filter((_, t) => b!.returns[t] !== null) as number[];
    const centre = common.reduce((total, value) => total + value, 0) / 18;
    const variance = common.reduce((total, value) => total + (value - centre) * (value - centre), 0) / 17;
    expect(result.factor_covariance![0]![0]).to.be.closeTo(variance, 1e-16);
  });

  it('returns an index but no factor returns for a theme if all symbols have the same exposure', () => {
    const everywhere = Object.fromEntries(symbols.map((symbol) => [symbol, '0.5']));
    const taxonomy = taxonomyOf(exposuresOf({ a: half, everywhere }));
    const { result, warnings } = succeed(requestOf(), { taxonomy, prices: marketOf(symbols) });
    const same = result.factors[1]!;
    expect(same.returns.every((value) => value === null)).to.equal(true);
    expect(same.index_levels).to.not.include(null);
    expect(same.stats).to.include({ months: 0, mean: null, newey_west_t: null });
    expect(result.factor_covariance).to.equal(null);
    expect(warnings).to.deep.include({ code: 'factor_inactive', theme: 'everywhere', months: 20 });
    expect(Value.Check(ThemeFactorsResult, result)).to.equal(true);
  });

  it('keeps a symbol in the regression if all its themes are excluded', () => {
    const taxonomy = taxonomyOf(exposuresOf({ a: half, tiny: { S07: '1' } }));
    const { result, specificReturns } = succeed(requestOf(), { taxonomy, prices: marketOf(symbols) });
    expect(result.symbols).to.deep.equal(['S00', 'S01', 'S02', 'S03', 'S07']);
    expect(result.excluded_factors).to.deep.equal(['tiny']);
    expect(specificReturns['S07']).to.not.include(null);
  });

  it('returns no specific risk for a symbol with fewer than 12 specific returns', () => {
    const taxonomy = taxonomyOf(exposuresOf({ a: half, tiny: { S07: '1' } }));
    const gaps = { S07: [0, 1, 2, 3, 4, 5, 6, 7], S02: [9], S03: [9], S01: [9] };
    const { result, specificReturns } = succeed(requestOf(), {
      taxonomy,
      prices: marketOf(symbols, { gaps }),
    });
    expect(specificReturns['S07']!.filter((value) => value !== null)).to.have.length(10);
    expect(result.symbols).to.include('S07');
    expect(result.specific_risk.map(({ symbol }) => symbol)).to.deep.equal(['S00', 'S01', 'S02', 'S03']);
  });

  it('accepts themes and symbols with names such as __proto__ and constructor', () => {
    const names = ['__proto__', 'constructor', 'toString', '0', 'S07'];
    const exposures = names.map((symbol, i) => ({ theme: '__proto__', symbol, micro: 100_000 * (i + 1) }));
    const { result, specificReturns } = succeed(requestOf(), {
      taxonomy: taxonomyOf(exposures),
      prices: marketOf(names),
    });
    expect(result.factors[0]!.theme).to.equal('__proto__');
    expect(Object.keys(specificReturns)).to.have.members(names);
  });
});
