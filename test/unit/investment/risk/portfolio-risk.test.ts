import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import Value from 'typebox/value';
import { factorModelOf } from '#lib/investment/risk/factor-model.ts';
import { portfolioRisk } from '#lib/investment/risk/portfolio-risk.ts';
import { writeReturns } from '#lib/investment/risk/price-history.ts';
import type { RiskInput } from '#lib/investment/risk/risk-input.ts';
import { riskOptions } from '#lib/investment/risk/risk-request.schema.ts';
import { RiskResult, RiskSummaryRow } from '#lib/investment/risk/risk-result.schema.ts';
import { riskContentHash } from '#lib/investment/risk/risk-content-hash.ts';
import { riskSummary } from '#lib/investment/risk/risk-summary.ts';
import { selectTaxonomyVersion } from '#lib/data/taxonomy.ts';
import { standardDeviation } from '#lib/numerics/descriptive.ts';
import { goldenSmall, succeed } from '../synthetic-market.ts';
import { everything, pathOf, position, pricesOf, riskCase, smallModel } from './risk-case.ts';

const golden = JSON.parse(
  readFileSync(new URL('../../../golden/portfolio_sp25.json', import.meta.url), 'utf8'),
).risk;

function resultOf(input: RiskInput): RiskResult {
  const outcome = portfolioRisk(input);
  if (!outcome.ok) throw new Error(outcome.refusal.detail);
  expect([...Value.Errors(RiskResult, outcome.result)]).to.deep.equal([]);
  return outcome.result;
}

function refusalOf(input: RiskInput) {
  const outcome = portfolioRisk(input);
  if (outcome.ok) throw new Error('the portfolio is not refused');
  return outcome.refusal;
}

const near = (actual: number | null, expected: number) => expect(actual! / expected).to.be.closeTo(1, 1e-9);

describe('portfolioRisk', () => {
  it('equals the golden figures of the equally weighted portfolio', () => {
    const { tail, volatility, ewma_volatility, performance, drawdowns, components } = resultOf(
      riskCase({ ...everything, window: 1_006 }),
    );
    const { equal_weight: expected } = golden;
    for (const [at, key] of ['0.95', '0.99'].entries()) {
      near(tail[at]!.var.historical_type7, golden[key].var_historical_type7);
      near(tail[at]!.var.historical_order, golden[key].var_historical_order_statistic);
      near(tail[at]!.es.rockafellar_uryasev, golden[key].cvar_rockafellar_uryasev);
    }
    near(volatility, expected.annual_volatility);
    near(ewma_volatility, golden['ewma_0.94_volatility_daily'] * Math.sqrt(252));
    near(performance.annual_return, expected.annual_return_geometric);
    near(performance.sharpe, expected.sharpe_rf0);
    near(drawdowns.maximum, expected.max_drawdown);
    near(drawdowns.ulcer_index, expected.ulcer_index);
    expect(drawdowns.table[0]!.trough).to.equal(expected.max_drawdown_date);
    for (const [at, symbol] of components!.symbols.entries()) {
      near(components!.volatility!.marginal[at]!, expected.marginal_risk[symbol]);
      near(components!.volatility!.component[at]!, expected.component_risk[symbol]);
    }
  });

  it('divides volatility, value at risk and expected shortfall into components that sum to the measure', () => {
    const positions = ['AAPL', 'KO', 'JPM'].map((symbol, at) =>
      position(symbol, BigInt(at * 700_000 + 100_000)),
    );
    positions[1]!.valueMinor = -50_000n;
    const result = resultOf(
      riskCase(everything, { positions, cash: [{ currency: 'USD', amountMinor: 99n }] }),
    );
    const { volatility, levels } = result.components!;
    const sums = [
      volatility!,
      ...levels.flatMap((each) => [
        each.var_historical_type7!,
        each.var_gaussian!,
        each.es_rockafellar_uryasev!,
      ]),
    ];
    for (const { total, component, percent } of sums) {
      expect(component.reduce((sum, each) => sum + each, 0)).to.be.closeTo(total, 1e-12);
      expect(percent!.reduce((sum, each) => sum + each, 0)).to.be.closeTo(1, 1e-9);
    }
    expect(volatility!.total).to.be.closeTo(result.volatility, 1e-12);
    for (const [at, { var: valueAtRisk, es }] of result.tail.entries()) {
      expect(levels[at]!.var_historical_type7!.total).to.be.closeTo(valueAtRisk.historical_type7, 1e-12);
      expect(levels[at]!.var_gaussian!.total).to.be.closeTo(valueAtRisk.gaussian, 1e-12);
      expect(levels[at]!.es_rockafellar_uryasev!.total).to.be.closeTo(es.rockafellar_uryasev, 1e-12);
    }
  });

  it('does not depend on the order of the positions, to the bit', () => {
    const input = riskCase(everything);
    const expected = JSON.stringify(resultOf(input));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(input.positions as never[], { minLength: 25, maxLength: 25 }),
        (positions) => {
          expect(JSON.stringify(resultOf({ ...input, positions }))).to.equal(expected);
        },
      ),
      { numRuns: 5 },
    );
  });

  it('backtests the value at risk on the last 250 days, and returns null with too few days', () => {
    const { backtest } = resultOf(riskCase(everything));
    expect(backtest!.map(({ periods, basel_zone }) => [periods, basel_zone !== null])).to.deep.equal([
      [250, false],
      [250, true],
    ]);
    expect(resultOf(riskCase({ ...everything, window: 1_000 })).backtest).to.equal(null);
    expect(resultOf(riskCase()).backtest).to.equal(null);
  });

  it('has a beta and capture ratios of 1 if the benchmark is the portfolio itself', () => {
    const aapl = { symbol: 'AAPL', prices: pricesOf('AAPL') };
    const { benchmark } = resultOf(riskCase({}, { positions: [position('AAPL')], benchmark: aapl }));
    expect(benchmark).to.deep.include({ symbol: 'AAPL', information_ratio: null });
    near(benchmark!.beta, 1);
    near(benchmark!.up_capture, 1);
    near(benchmark!.down_capture, 1);
    const empty = { symbol: 'AAPL', prices: new Float64Array(1_007).fill(Number.NaN) };
    expect(resultOf(riskCase({}, { benchmark: empty })).benchmark).to.equal(null);
  });

  it('treats cash as a position without risk', () => {
    const half = resultOf(
      riskCase({}, { positions: [position('AAPL')], cash: [{ currency: 'USD', amountMinor: 1_000_000n }] }),
    );
    const whole = resultOf(riskCase({}, { positions: [position('AAPL')] }));
    near(half.volatility, whole.volatility / 2);
    expect(half.value_minor).to.equal(2_000_000);
    const idle = resultOf(
      riskCase(everything, { positions: [], cash: [{ currency: 'USD', amountMinor: 1n }] }),
    );
    expect([idle.volatility, idle.concentration, idle.components!.symbols]).to.deep.equal([0, null, []]);
    expect(idle.tail[0]!.var).to.deep.include({ historical_type7: -0, cornish_fisher: null });
  });

  it('omits positions without a history if they have at most a fifth of the value, and is otherwise refused', () => {
    const late = { ...position('KO', 250_000n), symbol: 'NEW' };
    late.prices.fill(Number.NaN, 0, 900);
    const result = resultOf(riskCase({}, { positions: [position('AAPL'), late] }));
    expect(result.coverage).to.deep.equal({
      value_share_without_history: 0.2,
      symbols: ['NEW'],
      rows_filled: 0,
    });
    near(result.volatility, resultOf(riskCase({}, { positions: [position('AAPL')] })).volatility);
    late.valueMinor = 250_001n;
    const refusal = refusalOf(riskCase({}, { positions: [position('AAPL'), late] }));
    expect(refusal).to.deep.include({ code: 'market_history_insufficient' });
    expect(refusal.members).to.deep.include({ needed: 0.8, symbols: ['NEW'] });
  });

  it('names positions whose closes are in another currency, and refuses too many of them', () => {
    const others = Array.from({ length: 5 }, (_, at) => ({ ...position('AAPL'), symbol: `S${at}` }));
    const foreign = { ...position('KO', null), currency: 'USD', otherCurrency: 'EUR' };
    const { coverage } = resultOf(riskCase({}, { positions: [...others, foreign] }));
    expect(coverage).to.deep.include({
      symbols: ['KO'],
      other_currency: [{ symbol: 'KO', currency: 'USD', price_currency: 'EUR' }],
    });
    const refusal = refusalOf(riskCase({}, { positions: [position('AAPL'), foreign] }));
    expect(refusal.code).to.equal('market_history_insufficient');
  });

  it('is refused if a position has no price', () => {
    const refusal = refusalOf(riskCase({}, { positions: [position('AAPL'), position('KO', null)] }));
    expect(refusal.code).to.equal('market_history_insufficient');
  });

  it('is refused for several currencies unless the request selects one of the currencies', () => {
    const euro = { ...position('KO'), currency: 'EUR' };
    const given = { positions: [position('AAPL'), euro] };
    expect(refusalOf(riskCase({}, given))).to.deep.include({ code: 'currencies_mixed' });
    expect(refusalOf(riskCase({}, given)).members).to.deep.equal({ currencies: ['EUR', 'USD'] });
    expect(resultOf(riskCase({ currency: 'EUR' }, given))).to.deep.include({
      currency: 'EUR',
      value_minor: 1_000_000,
    });
  });

  it('is refused for more than 500 positions, and names the operation that has no such limit', () => {
    const positions = Array.from({ length: 501 }, (_, at) => ({ ...position('KO'), symbol: `S${at}` }));
    const refusal = refusalOf(riskCase({}, { positions }));
    expect(refusal).to.deep.include({ code: 'too_large' });
    expect(refusal.members).to.deep.include({
      positions: 501,
      positions_max: 500,
      run: 'POST /investment/risk-reports',
    });
  });

  it('is refused if the value is not above 0 or there are too few returns', () => {
    expect(refusalOf(riskCase({}, { positions: [] })).code).to.equal('not_identifiable');
    const short = { ...position('AAPL'), valueMinor: -1n };
    expect(refusalOf(riskCase({}, { positions: [short] })).code).to.equal('not_identifiable');
    const input = riskCase({}, { positions: [] });
    expect(refusalOf({ ...input, dates: input.dates.slice(-60) })).to.deep.include({
      code: 'market_history_insufficient',
    });
  });

  it('measures realised returns without the effect of cash flows', () => {
    const prices = pricesOf('AAPL');
    const flows = new Float64Array(prices.length);
    flows[900] = 5_000;
    const values = prices.slice();
    for (let t = 900; t < values.length; t += 1) values[t]! += (5_000 * prices[t]!) / prices[899]!;
    const realised = pathOf(values, flows);
    const found = resultOf(riskCase({ ...everything, basis: 'realised' }, { realised }));
    near(found.volatility, resultOf(riskCase({}, { positions: [position('AAPL')] })).volatility);
    expect(found.components).to.equal(null);
    const late = { ...position('KO'), prices: new Float64Array(prices.length).fill(Number.NaN) };
    expect(resultOf(riskCase({ basis: 'realised' }, { realised, positions: [late] }))).to.deep.include({
      volatility: found.volatility,
    });
    const deposits = new Float64Array(values.length);
    deposits[950] = 1_000;
    const opened = pathOf(values.fill(0, 0, 950), deposits);
    expect(refusalOf(riskCase({ basis: 'realised' }, { realised: opened })).members).to.deep.include({
      observed: 57,
    });
  });

  it('refuses realised returns without a deposit, with a value below 0, without prices, or in several currencies', () => {
    const values = Float64Array.from(pricesOf('AAPL'));
    const path = pathOf(values, new Float64Array(values.length));
    const refusal = (change: Partial<typeof path>) =>
      refusalOf(riskCase({ basis: 'realised' }, { realised: { ...path, ...change } }));
    expect(refusal({ isFunded: false })).to.deep.include({ code: 'not_identifiable', members: {} });
    const owed = values.with(900, -5);
    expect(refusal({ values: owed })).to.deep.include({
      code: 'not_identifiable',
      members: { date: riskCase().dates[901], value_minor: -5 },
    });
    const { observations } = resultOf(
      riskCase({ basis: 'realised', window: 100 }, { realised: { ...path, values: owed } }),
    );
    expect(observations).to.equal(100);
    const unpriced = new Float64Array(values.length).with(800, 0.21);
    expect(refusal({ unpriced, lastUnpriced: new Map([['KO', 800]]) }).members).to.deep.include({
      observed: 0.79,
      symbols: ['KO'],
    });
    expect(refusal({ currencies: ['EUR', 'USD'] })).to.deep.include({ code: 'currencies_mixed' });
    expect(refusal({ symbols: 501 })).to.deep.include({ code: 'too_large' });
  });

  it('compares with the realised returns of a benchmark portfolio, or has no benchmark if these returns do not cover the window', () => {
    const prices = pricesOf('AAPL');
    const path = pathOf(prices, new Float64Array(prices.length));
    const given = { positions: [position('AAPL')], benchmark: { portfolio: 'index', path } };
    const { benchmark } = resultOf(riskCase({}, given));
    near(benchmark!.beta, 1);
    expect([benchmark!.portfolio, benchmark!.symbol]).to.deep.equal(['index', undefined]);
    const late = pathOf(prices.slice().fill(0, 0, 800), new Float64Array(prices.length));
    expect(
      resultOf(riskCase({}, { ...given, benchmark: { portfolio: 'index', path: late } })).benchmark,
    ).to.equal(null);
    const hashOf = (each: typeof path) =>
      riskContentHash(riskCase({}, { ...given, benchmark: { portfolio: 'index', path: each } }));
    expect(hashOf(path)).to.not.equal(hashOf(late));
  });

  it('accepts a requested window of 20 returns, below the default minimum', () => {
    expect(resultOf(riskCase({ window: 20 })).observations).to.equal(20);
  });

  it('returns zero volatility and drawdown, and null for undefined ratios, for constant prices', () => {
    const positions = ['AAPL', 'KO'].map((symbol) => {
      const held = position(symbol);
      held.prices.fill(7);
      return held;
    });
    const benchmark = { symbol: 'KO', prices: positions[1]!.prices };
    const found = resultOf(riskCase(everything, { positions, benchmark }));
    expect([found.volatility, found.ewma_volatility, found.drawdowns.maximum]).to.deep.equal([0, 0, 0]);
    expect(found.components!.volatility).to.equal(null);
    expect(found.benchmark!.beta).to.equal(null);
    expect(found.backtest!.map(({ exceptions }) => exceptions)).to.deep.equal([0, 0]);
  });

  it('returns a result that is valid by its schema for any prices', () => {
    const price = fc.oneof(
      { weight: 20, arbitrary: fc.double({ min: 0.01, max: 1e6, noNaN: true }) },
      { weight: 1, arbitrary: fc.constantFrom(Number.NaN, 0, -1, Infinity) },
    );
    const series = fc.array(price, { minLength: 81, maxLength: 81 });
    fc.assert(
      fc.property(fc.array(fc.tuple(series, fc.bigInt(-10n, 1_000_000n)), { maxLength: 4 }), (given) => {
        const positions = given.map(([prices, valueMinor], at) => ({
          ...position('KO', valueMinor),
          symbol: `S${at}`,
          prices: Float64Array.from(prices),
        }));
        const { dates } = riskCase();
        const outcome = portfolioRisk(
          riskCase({ ...everything, window: 30 }, { positions, dates: dates.slice(0, 81) }),
        );
        if (outcome.ok) expect([...Value.Errors(RiskResult, outcome.result)]).to.deep.equal([]);
      }),
    );
  });

  it('throws if prices and dates have different lengths', () => {
    const input = riskCase();
    expect(() => portfolioRisk({ ...input, dates: input.dates.slice(1) })).to.throw(RangeError);
    const benchmark = { symbol: 'AAPL', prices: pricesOf('AAPL').slice(1) };
    expect(() => portfolioRisk({ ...input, benchmark })).to.throw(RangeError);
  });

  it('computes the figures of the window, and a backtest of null, if prices before the window are missing', () => {
    const positions = [position('AAPL')];
    positions[0]!.prices.fill(Number.NaN, 0, 700);
    const found = resultOf(riskCase(everything, { positions }));
    expect([found.observations, found.backtest]).to.deep.equal([252, null]);
  });

  it('gives the same JSON text for the same input', () => {
    expect(JSON.stringify(resultOf(riskCase(everything)))).to.equal(
      JSON.stringify(resultOf(riskCase(everything))),
    );
  });
});

describe('factorRisk', () => {
  it('equals systematic and specific variances computed by hand', () => {
    const { model } = smallModel();
    const input = riskCase(everything, { positions: [position('AAPL'), position('KO')], factorModel: model });
    const { factors } = resultOf(input);
    const market = [0.01, -0.02, 0.03];
    const cloud = [0.02, 0.01, -0.01];
    const cov = (a: number[], b: number[]) => {
      const [m, n] = [a, b].map((each) => each.reduce((sum, value) => sum + value, 0) / 3) as [
        number,
        number,
      ];
      return a.reduce((sum, value, t) => sum + (value - m) * (b[t]! - n), 0) / 2;
    };
    const systematic = cov(market, market) + 2 * 0.25 * cov(market, cloud) + 0.25 ** 2 * cov(cloud, cloud);
    const specific = 0.25 * (0.05 ** 2 + 0.03 ** 2);
    near(factors!.systematic.variance_monthly, systematic);
    near(factors!.specific.variance_monthly, specific);
    near(factors!.volatility, Math.sqrt(12 * (systematic + specific)));
    expect(factors!.factors.map(({ factor, exposure }) => [factor, exposure])).to.deep.equal([
      ['market', 1],
      ['cloud', 0.25],
    ]);
    expect(factors!.coverage).to.deep.equal({ value_share: 1, symbols_missing: [] });
  });

  it('lists positions that the factor run does not contain', () => {
    const input = riskCase(everything, {
      positions: [position('AAPL'), position('JPM')],
      factorModel: smallModel().model,
    });
    expect(resultOf(input).factors!.coverage).to.deep.equal({ value_share: 0.5, symbols_missing: ['JPM'] });
  });

  it('throws on exposures that do not have the taxonomy hash of the factor run', () => {
    const { result, model } = smallModel();
    expect(() => factorModelOf(model.run, { result, exposures: [] })).to.throw('taxonomy');
  });
});

describe('factorModelOf', () => {
  it('gives a systematic variance equal to the variance of the factor returns of the portfolio', () => {
    const { request, prices, versions } = goldenSmall();
    const taxonomy = selectTaxonomyVersion(versions, request.as_of_date)!;
    const { exposures } = taxonomy;
    const { result } = succeed(request, { prices, taxonomy });
    const model = factorModelOf({ uid: 'tfr_1', result_hash: 'a'.repeat(64) }, { result, exposures })!;
    const held = result.symbols.slice(0, 4).map((symbol) => ({ ...position('KO'), symbol }));
    const { factors } = resultOf(riskCase(everything, { positions: held, factorModel: model }));
    const months = result.months.flatMap((month, t) =>
      month && result.factors.every(({ returns }) => returns[t] !== null)
        ? [
            month.intercept +
              result.factors.reduce(
                (total, { returns }, k) => total + factors!.factors[k + 1]!.exposure * returns[t]!,
                0,
              ),
          ]
        : [],
    );
    near(factors!.systematic.variance_monthly, standardDeviation(months, { ddof: 1 }) ** 2);
  });
});

describe('riskContentHash', () => {
  it('changes with any change of the input except the order of the positions', () => {
    const input = riskCase();
    const hash = riskContentHash(input);
    expect(riskContentHash({ ...input, positions: input.positions.toReversed() })).to.equal(hash);
    const changed = riskCase();
    changed.positions[3]!.prices[500]! += 1e-12;
    const others = [
      changed,
      riskCase({ window: 251 }),
      riskCase({}, { cash: [{ currency: 'USD', amountMinor: 1n }] }),
      riskCase({}, { benchmark: { symbol: 'KO', prices: pricesOf('KO') } }),
      riskCase({}, { factorModel: smallModel().model }),
    ];
    expect(new Set([hash, ...others.map(riskContentHash)])).to.have.lengthOf(6);
  });
});

describe('riskSummary', () => {
  it('returns a row for any portfolio, with the reason if the portfolio is refused', () => {
    const row = riskSummary(riskCase(everything));
    expect([...Value.Errors(RiskSummaryRow, row)]).to.deep.equal([]);
    expect(row).to.deep.include({ why: null, value_minor: 25_000_000, observations: 252 });
    const refused = riskSummary(riskCase({}, { positions: [] }));
    expect([...Value.Errors(RiskSummaryRow, refused)]).to.deep.equal([]);
    expect(refused).to.deep.include({ why: 'not_identifiable', volatility: null });
  });
});

describe('writeReturns', () => {
  const of = (...prices: number[]) => {
    const out = new Float64Array(prices.length - 1);
    return { filled: writeReturns(Float64Array.from(prices), out), out: [...out] };
  };

  const missing = (length: number) => Array.from({ length }, () => Number.NaN);

  it('fills gaps of up to five missing prices with the neighbouring price, and rejects longer gaps', () => {
    expect(of(100, Number.NaN, 150)).to.deep.equal({ filled: 1, out: [0, 0.5] });
    expect(of(Number.NaN, 100, 150)).to.deep.equal({ filled: 1, out: [0, 0.5] });
    expect(of(100, Number.NaN)).to.deep.equal({ filled: 1, out: [0] });
    expect(of(1, ...missing(5), 2).filled).to.equal(5);
    expect(of(1, ...missing(6), 2).filled).to.equal(null);
    expect(of(...missing(6), 2).filled).to.equal(null);
  });

  it('rejects prices that are not finite and above 0', () => {
    for (const price of [0, -1, Infinity]) expect(of(1, price, 2).filled, String(price)).to.equal(null);
    expect(of(0, 1).filled).to.equal(null);
    expect(of(Infinity, 1).filled).to.equal(null);
    expect(of(Number.NaN, Number.NaN).filled).to.equal(null);
    expect(() => writeReturns(new Float64Array(3), new Float64Array(3))).to.throw(RangeError);
  });
});

describe('riskOptions', () => {
  it('adds the defaults, and sorts the levels without repetitions', () => {
    const found = riskOptions({
      level: '.99,.95,0.95',
      frequency: 'monthly',
      include: 'liquidity,components',
    });
    expect(found).to.deep.equal({
      ok: true,
      options: {
        frequency: 'monthly',
        window: 60,
        levels: [0.95, 0.99],
        basis: 'current_holdings',
        currency: null,
        include: ['components', 'liquidity'],
      },
    });
  });

  it('rejects a level below the minimum', () => {
    expect(riskOptions({ level: '.1' })).to.deep.include({ ok: false });
  });
});
