import { expect } from 'chai';
import Value from 'typebox/value';
import { eligibleRun } from '#lib/investment/portfolio-scenarios/eligible-run.ts';
import { portfolioScenarios } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.ts';
import { roundToTotal } from '#lib/investment/portfolio-scenarios/round-to-total.ts';
import type { PortfolioScenarioInput } from '#lib/investment/portfolio-scenarios/scenario-input.ts';
import { PortfolioScenarioRequestBody } from '#lib/investment/portfolio-scenarios/scenario-request.schema.ts';
import { PortfolioScenarioResult } from '#lib/investment/portfolio-scenarios/scenario-result.schema.ts';
import { exp } from '#lib/numerics/exponential.ts';
import fc from 'fast-check';
import { factorReturns, followerOf, holding, MONTHS, pathCase, scenarioCase } from './scenario-case.ts';

function resultOf(input: PortfolioScenarioInput): PortfolioScenarioResult {
  const outcome = portfolioScenarios(input);
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.detail}`);
  expect([...Value.Errors(PortfolioScenarioResult, outcome.result)]).to.deep.equal([]);
  return outcome.result;
}

function refusalOf(input: PortfolioScenarioInput) {
  const outcome = portfolioScenarios(input);
  if (outcome.ok) throw new Error('the run is not refused');
  return outcome.refusal;
}

const sumOf = (amounts: readonly (number | null)[]) =>
  amounts.reduce<number>((total, each) => total + each!, 0);

describe('portfolioScenarios', () => {
  it('returns figures computed from exp(log return) - 1 of each sample, for a position that is itself a factor', () => {
    const input = scenarioCase(
      { specific: 'none', worst: 3 },
      { holdings: [holding('B', { valueMinor: 12_345n })] },
    );
    const profits = Array.from({ length: 2_000 }, (_, s) => 12_345 * (exp(input.matrix[2 * s + 1]!) - 1));
    const ascending = profits.toSorted((one, other) => one - other);
    const { total, worst } = resultOf(input);
    expect(total.minimum_minor).to.equal(Math.round(ascending[0]!));
    expect(total.mean_minor).to.equal(Math.round(profits.reduce((sum, each) => sum + each, 0) / 2_000));
    expect(total.risk[0]).to.deep.equal({
      level: 0.95,
      value_at_risk_minor: Math.round(-ascending[100]!),
      expected_shortfall_minor: Math.round(
        -ascending.slice(0, 100).reduce((sum, each) => sum + each, 0) / 100,
      ),
    });
    expect(worst.map(({ sample }) => sample)).to.deep.equal(
      ascending.slice(0, 3).map((each) => profits.indexOf(each)),
    );
    expect(worst[0]!.factors[1]).to.deep.equal({
      factor: 'B',
      log_return: input.matrix[2 * worst[0]!.sample + 1]!,
    });
  });

  it('divides mean, value at risk and expected shortfall among positions and groups without a remainder', () => {
    for (const specific of ['none', 'normal', 'bootstrap'] as const) {
      const holdings = ['A', 'C', 'D', 'E', 'F'].map((symbol, at) =>
        holding(symbol, {
          valueMinor: BigInt(333_333 * (at + 1)) * (symbol === 'D' ? -1n : 1n),
          returns: followerOf(at / 3, 1 - at / 4, 1),
          group: at < 2 ? 'one' : at < 4 ? 'two' : null,
        }),
      );
      const { total, positions, groups } = resultOf(
        scenarioCase({ specific, groups: 'sector' }, { holdings }),
      );
      for (const rows of [positions, groups!]) {
        expect(sumOf(rows.map(({ mean_minor }) => mean_minor))).to.equal(total.mean_minor);
        for (const [at, { value_at_risk_minor, expected_shortfall_minor }] of total.risk.entries()) {
          expect(sumOf(rows.map(({ levels }) => levels[at]!.value_at_risk_minor))).to.equal(
            value_at_risk_minor,
          );
          expect(sumOf(rows.map(({ levels }) => levels[at]!.expected_shortfall_minor))).to.equal(
            expected_shortfall_minor,
          );
        }
      }
      expect(groups!.map(({ group }) => group)).to.deep.equal(['one', 'two', null]);
    }
  });

  for (const [about, input] of [
    ['scenarios', scenarioCase({})],
    ['paths', pathCase({})],
    ['resampled residuals', scenarioCase({ specific: 'bootstrap' })],
  ] as const)
    it(`divides value at risk and expected shortfall of ${about} among the factors and the specific returns`, () => {
      const { total, factors } = resultOf(input);
      expect(factors!.map(({ factor }) => factor)).to.deep.equal(['A', 'B', null]);
      for (const [at, { value_at_risk_minor, expected_shortfall_minor }] of total.risk.entries()) {
        const levels = factors!.map((each) => each.levels[at]!);
        expect(sumOf(levels.map((each) => each.value_at_risk_minor))).to.equal(value_at_risk_minor);
        expect(sumOf(levels.map((each) => each.expected_shortfall_minor))).to.equal(expected_shortfall_minor);
      }
    });

  it('assigns the whole tail of a position that is itself a factor to this factor', () => {
    const { total, factors } = resultOf(scenarioCase({}, { holdings: [holding('A')] }));
    const shares = factors!.map(({ levels }) => levels[0]!.expected_shortfall_minor);
    expect(shares).to.deep.equal([total.risk[0]!.expected_shortfall_minor, 0, 0]);
    expect(resultOf(scenarioCase({ by_factor: false }))).to.not.have.property('factors');
  });

  it('draws the same specific returns for a position if other positions are added', () => {
    const kept = holding('KO', { returns: followerOf(0.5, 0.3, 1), instrument: 77 });
    const other = holding('AAA', { returns: followerOf(1, 1, 1), valueMinor: 1n });
    const alone = resultOf(scenarioCase({}, { holdings: [kept] }));
    const together = resultOf(scenarioCase({}, { holdings: [other, kept] }));
    const meanOf = ({ positions }: PortfolioScenarioResult) =>
      positions.find(({ symbol }) => symbol === 'KO')!.mean_minor;
    expect(meanOf(together)).to.equal(meanOf(alone));
    const renumbered = resultOf(scenarioCase({}, { holdings: [{ ...kept, instrument: 78 }] }));
    expect(renumbered.hashes.profits_hash).to.not.equal(alone.hashes.profits_hash);
  });

  it('does not depend on the order of the positions, to the bit', () => {
    const input = scenarioCase({});
    expect(JSON.stringify(resultOf({ ...input, holdings: input.holdings.toReversed() }))).to.equal(
      JSON.stringify(resultOf(input)),
    );
  });

  it('estimates the betas of a position that is an exact combination of the factors', () => {
    const { mapped } = resultOf(
      scenarioCase({}, { holdings: [holding('KO', { returns: followerOf(0.5, -0.3) }), holding('A')] }),
    );
    expect(mapped[0]).to.deep.include({ symbol: 'A', mapping: 'identity', months: null, r_squared: null });
    const { betas, r_squared, months, specific_volatility } = mapped[1]!;
    expect(betas.map(({ factor }) => factor)).to.deep.equal(['A', 'B']);
    expect(betas[0]!.beta).to.be.closeTo(0.5, 1e-12);
    expect(betas[1]!.beta).to.be.closeTo(-0.3, 1e-12);
    expect([r_squared, months]).to.deep.equal([1, MONTHS]);
    expect(specific_volatility).to.be.closeTo(0, 1e-12);
  });

  it('has a larger standard deviation of profits with specific returns than without', () => {
    const holdings = [holding('KO', { returns: followerOf(0.5, 0.3, 1) })];
    const deviation = (specific: 'none' | 'normal' | 'bootstrap') =>
      resultOf(scenarioCase({ specific }, { holdings })).total.standard_deviation_minor!;
    const [none, normal, bootstrap] = [deviation('none'), deviation('normal'), deviation('bootstrap')];
    expect(normal).to.be.above(none);
    expect(bootstrap).to.be.above(none);
    expect(bootstrap / normal).to.be.within(0.9, 1.1);
  });

  it('uses the exposures of the request if the kind of the mapping is `given`', () => {
    const exposures = [{ symbol: 'KO', betas: [{ factor: 'B', beta: 1 }] }];
    const given = resultOf(
      scenarioCase({ mapping: { kind: 'given', exposures } }, { holdings: [holding('KO')] }),
    );
    const identity = resultOf(scenarioCase({}, { holdings: [holding('B')] }));
    expect(given.total).to.deep.equal(identity.total);
    expect(given.mapping.map(({ value_share }) => value_share)).to.deep.equal([0, 0, 1, 0]);
  });

  it('gives no profit to cash and to a small unmapped position', () => {
    const holdings = [holding('A'), holding('NEW', { valueMinor: 50_000n, returns: null })];
    const cash = [{ currency: 'USD', amountMinor: 7n }];
    const { total, mapping, value_minor, mapped } = resultOf(scenarioCase({}, { holdings, cash }));
    expect(total).to.deep.equal(resultOf(scenarioCase({}, { holdings: [holding('A')] })).total);
    expect(value_minor).to.equal(1_050_007);
    expect(mapped[1]).to.deep.include({ mapping: 'unmapped', why: 'history_short' });
    expect(mapping[3]!.value_share).to.be.closeTo(50_000 / 1_050_000, 1e-15);
    const idle = resultOf(scenarioCase({}, { holdings: [], cash }));
    expect(idle.total).to.deep.include({ mean_minor: 0, minimum_minor: 0, maximum_minor: 0 });
  });

  it('returns figures for each month of the paths; the figures of the first month equal one-month scenarios', () => {
    const path = pathCase({});
    const { months, maximum_drawdown, total, horizon } = resultOf(path);
    expect([months!.length, horizon]).to.deep.equal([6, 6]);
    expect(total).to.deep.equal((({ month: _month, ...rest }) => rest)(months![5]!));
    expect(maximum_drawdown!.deepest).to.be.within(-1, 0);
    expect(maximum_drawdown!.mean).to.be.above(maximum_drawdown!.deepest);
    const first = new Float64Array(800);
    for (let s = 0; s < 400; s += 1) first.set(path.matrix.subarray(12 * s, 12 * s + 2), 2 * s);
    const found = resultOf({
      ...path,
      matrix: first,
      run: { ...path.run, horizon: null, samples_hash: resultHash(first) },
    });
    expect(found.total).to.deep.equal((({ month: _month, ...rest }) => rest)(months![0]!));
    expect(
      resultOf(pathCase({}, { holdings: [holding('A', { valueMinor: -5n })] })).maximum_drawdown,
    ).to.equal(null);
  });

  it('returns null for an amount that exceeds the range of JSON integers', () => {
    const exposures = [
      { symbol: 'KO', betas: [{ factor: 'B', beta: 1e5 }] },
      { symbol: 'XO', betas: [{ factor: 'B', beta: 1e5 }] },
    ];
    const holdings = [holding('KO'), holding('XO', { valueMinor: -999_999n })];
    for (const build of [scenarioCase, pathCase]) {
      const { total, positions } = resultOf(build({ mapping: { kind: 'given', exposures } }, { holdings }));
      expect([total.maximum_minor, positions[0]!.mean_minor]).to.deep.equal([null, null]);
    }
  });

  it('is refused if the hash of the samples differs from the hash in the run', () => {
    const input = scenarioCase({});
    input.matrix[0]! += 1e-16;
    input.matrix[1]! += 1e-9;
    expect(refusalOf(input).code).to.equal('samples_altered');
  });

  it('is refused with a pointer to each missing, unexpected, repeated or unknown exposure', () => {
    const mapping = (kind: 'given' | 'beta', exposures?: object[]) =>
      scenarioCase({ mapping: { kind, ...(exposures && { exposures }) } as never });
    const pointersOf = (input: PortfolioScenarioInput) => {
      const refusal = refusalOf(input);
      expect(refusal.code).to.equal('exposure_invalid');
      return refusal.errors!.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(pointersOf(mapping('given'))).to.deep.equal(['/mapping/exposures required']);
    const own = { symbol: 'KO', betas: [{ factor: 'A', beta: 1 }] };
    expect(pointersOf(mapping('beta', [own]))).to.deep.equal(['/mapping/exposures not_allowed']);
    const twice = {
      symbol: 'KO',
      betas: [
        { factor: 'A', beta: 1 },
        { factor: 'A', beta: 2 },
        { factor: 'Z', beta: 2 },
      ],
    };
    expect(pointersOf(mapping('given', [own, twice]))).to.deep.equal([
      '/mapping/exposures/1/symbol duplicate',
      '/mapping/exposures/1/betas/1/factor duplicate',
      '/mapping/exposures/1/betas/2/factor unknown',
    ]);
  });

  it('is refused with the symbols if the unmapped share of the value exceeds the maximum', () => {
    const holdings = [holding('A'), holding('NEW', { returns: followerOf(1, 1).fill(Number.NaN, 0, 40) })];
    expect(refusalOf(scenarioCase({}, { holdings }))).to.deep.include({
      code: 'exposure_unmapped',
      members: { share: 0.5, symbols: ['NEW'] },
    });
    resultOf(scenarioCase({ unmapped_max: 0.5 }, { holdings }));
    expect(refusalOf(scenarioCase({ mapping: { kind: 'identity' } })).members).to.deep.include({
      symbols: ['KO'],
    });
    expect(refusalOf(scenarioCase({ mapping: { minimum_r2: 0.99 } })).members).to.deep.include({
      symbols: ['KO'],
    });
  });

  it('is refused for several currencies, missing prices, and factors with a history that is too short', () => {
    const euro = holding('B', { currency: 'EUR' });
    expect(refusalOf(scenarioCase({}, { holdings: [holding('A'), euro] })).members).to.deep.equal({
      currencies: ['EUR', 'USD'],
    });
    const priceless = [holding('A'), holding('B', { valueMinor: null })];
    expect(refusalOf(scenarioCase({}, { holdings: priceless }))).to.deep.include({
      code: 'market_history_insufficient',
    });
    const foreign = [holding('A'), holding('B', { valueMinor: null, otherCurrency: 'EUR' })];
    expect(refusalOf(scenarioCase({}, { holdings: foreign })).detail).to.include('in another currency');
    const short = factorReturns.map((each) => each.slice(0, 23));
    const holdings = [holding('KO', { returns: followerOf(1, 1).slice(0, 23) })];
    expect(refusalOf(scenarioCase({}, { factorReturns: short, holdings })).members).to.deep.include({
      observed: 23,
      needed: 24,
    });
    // A portfolio in which every position is a factor needs no history.
    resultOf(scenarioCase({}, { factorReturns: [], holdings: [holding('A')] }));
  });

  it('is refused for more than 1,000 positions', () => {
    const holdings = Array.from({ length: 1_001 }, (_, at) => holding(`S${at}`));
    expect(refusalOf(scenarioCase({}, { holdings })).code).to.equal('too_large');
  });

  it('throws on an instrument number out of range', () => {
    expect(() =>
      portfolioScenarios(scenarioCase({}, { holdings: [holding('A', { instrument: 2 ** 26 })] })),
    ).to.throw(RangeError);
  });

  it('has a body schema that requires only the scenario run', () => {
    const scenario_run = 'mls_01K8XQ5W3ZJ6T9R2M4N7P0QABC';
    expect(Value.Check(PortfolioScenarioRequestBody, { scenario_run })).to.equal(true);
    expect(Value.Check(PortfolioScenarioRequestBody, { scenario_run, mapping: { window: 12 } })).to.equal(
      false,
    );
    expect(
      Value.Check(PortfolioScenarioRequestBody, { scenario_run: 'bkt_01K8XQ5W3ZJ6T9R2M4N7P0QABC' }),
    ).to.equal(false);
  });
});

function resultHash(matrix: Float64Array): string {
  const refusal = refusalOf({ ...scenarioCase({}), matrix });
  return refusal.members['actual'] as string;
}

describe('eligibleRun', () => {
  const run = { kind: 'generative.paths', state: 'succeeded', workspace: 'w', environment: 'sandbox' };
  const place = { workspace: 'w', environment: 'sandbox' };

  it('accepts a succeeded scenario or path run of the same workspace and environment', () => {
    expect(eligibleRun(run, place)).to.deep.equal({ ok: true, samples: 'paths' });
    for (const kind of ['generative.scenarios', 'generative.model-scenarios'])
      expect(eligibleRun({ ...run, kind }, place)).to.deep.equal({ ok: true, samples: 'months' });
  });

  it('refuses an unknown run, and a run of another workspace, environment, kind or state, with the reason', () => {
    expect(eligibleRun(undefined, place)).to.deep.include({ code: 'not_found' });
    expect(eligibleRun({ ...run, workspace: 'v' }, place)).to.deep.include({ code: 'not_found' });
    expect(eligibleRun({ ...run, environment: 'production' }, place)).to.deep.include({
      reason: 'environment',
    });
    expect(eligibleRun({ ...run, kind: 'investment.theme-factors' }, place)).to.deep.include({
      reason: 'kind',
    });
    for (const state of ['queued', 'running', 'failed', 'cancelled'])
      expect(eligibleRun({ ...run, state }, place)).to.deep.include({
        code: 'scenario_run_ineligible',
        reason: 'state',
      });
  });
});

describe('roundToTotal', () => {
  it('adds the remaining units to the amounts with the largest remainders, and is null beyond the integer range', () => {
    expect(roundToTotal([1.5, 1.5, 1], 4)).to.deep.equal([2, 1, 1]);
    expect(roundToTotal([-0.4, 0.4], 0)).to.deep.equal([0, 0]);
    expect(roundToTotal([], 0)).to.deep.equal([]);
    expect(roundToTotal([2 ** 53], 2 ** 53)).to.equal(null);
    expect(roundToTotal([Number.NaN], 1)).to.equal(null);
  });

  it('returns amounts that sum to the rounded total and differ from the inputs by at most one unit', () => {
    const amounts = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(amounts, (each) => {
        const total = each.reduce((sum, amount) => sum + amount, 0);
        const rounded = roundToTotal(each, total)!;
        expect(rounded.reduce((sum, amount) => sum + amount, 0)).to.be.closeTo(total, 0.5 + 1e-6);
        rounded.forEach((amount, at) => expect(Math.abs(amount - each[at]!)).to.be.at.most(1));
      }),
    );
  });
});
