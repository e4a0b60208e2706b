import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { harvestModelOf } from '#lib/investment/tax/harvest-models.ts';
import { returnVariance } from '#lib/investment/tax/return-variance.ts';
import type { TaxHarvestResult } from '#lib/investment/tax/tax-harvest-result.schema.ts';
import type { TaxHarvestInput } from '#lib/investment/tax/tax-harvest.schema.ts';
import { taxHarvest, type TaxHarvestData } from '#lib/investment/tax/tax-harvest.ts';
import { asOf, closes, harvestData, harvestInput, returnsOf } from './harvest-case.ts';

function resultOf(
  given: Partial<TaxHarvestInput> = {},
  data: Partial<TaxHarvestData> = {},
): TaxHarvestResult {
  const outcome = taxHarvest(harvestInput(given), {
    ...harvestData(),
    model: 'svc_tax_harvest_us_v2',
    sectors: {},
    hasTooManyCandidates: false,
    ...data,
  });
  if (!outcome.ok) throw new Error(outcome.refusal.code);
  return outcome.result as TaxHarvestResult;
}

const pairs = ({ replacements }: TaxHarvestResult) =>
  replacements.map((each) => [each.replaces, each.symbol, each.distance_from]);

describe('taxHarvest', () => {
  it('gives the bytes that version 1 of the model sealed for its input', () => {
    const outcome = taxHarvest(harvestInput({ replacements: 3 }), {
      ...harvestData(),
      model: 'svc_tax_harvest_us_v1',
      sectors: {},
      hasTooManyCandidates: false,
    });
    expect(canonicalHash(outcome)).to.equal(
      'f175f463f62783a9862f9edb217d805927ff9f1a0440e3ebb85a32be89e4f993',
    );
  });

  it('throws on a model that does not exist', () => {
    expect(() => harvestModelOf('svc_tax_harvest_us_v0')).to.throw(RangeError);
  });

  it('states losses, savings and carried losses by term', () => {
    expect(resultOf()).to.deep.include({
      why: { 'R-3': 'gain' },
      lost_for_ever_minor: 45_148,
      recognised_short_minor: -105_347,
      recognised_long_minor: -48_750,
      saving_now_minor: 57_016,
      net_now_minor: 56_215,
      carried_short_minor: 0,
      carried_long_minor: 0,
      repurchase_not_before: { AAA: '2024-07-29', BBB: '2024-07-29' },
    });
  });

  it('proposes no replacement that is sold or identical to any sold security', () => {
    expect(pairs(resultOf())).to.deep.equal([
      ['AAA', 'CCC', 'factor_run'],
      ['AAA', 'EEE', 'factor_run'],
      ['BBB', 'CCC', 'factor_run'],
      ['BBB', 'EEE', 'factor_run'],
    ]);
  });

  it('ranks the instruments of the same sector by the returns if there is no factor run', () => {
    const returns = Object.fromEntries(['AAA', 'P', 'Q', 'R'].map((symbol, at) => [symbol, returnsOf(at)]));
    returns['P'] = returns['AAA']!.map((each) => each + 0.001);
    const found = resultOf(
      { replacements: { from: 'sector', most: 2 }, factor_run_uid: null },
      {
        factorRun: undefined,
        returns: { ...returns, R: returnsOf(9, 11) },
        sectors: { AAA: 'IT', P: 'IT', Q: 'IT', R: 'IT', BBB: 'Energy' },
      },
    );
    expect(pairs(found)).to.deep.equal([
      ['AAA', 'P', 'returns'],
      ['AAA', 'Q', 'returns'],
    ]);
    expect(found.replacements[0]).to.deep.include({ months: 36, shared_themes: [] });
    expect(found.replacements[0]!.distance).to.be.below(1e-30);
    expect(found.replacements[0]!.correlation_36m).to.be.closeTo(1, 1e-12);
  });

  it('lists securities without enough returns last, without a distance', () => {
    const found = resultOf(
      { replacements: { from: 'list', most: 10, symbols: ['CCC', 'ZZZ'] } },
      { returns: { ZZZ: returnsOf(9, 11) } },
    );
    expect(pairs(found)).to.deep.equal([
      ['AAA', 'CCC', 'factor_run'],
      ['AAA', 'ZZZ', null],
      ['BBB', 'CCC', 'factor_run'],
      ['BBB', 'ZZZ', null],
    ]);
  });

  it('does not sell a lot whose closes are in another currency', () => {
    const [first, ...rest] = closes.map((close) => ({ ...close, currency: 'USD' }));
    const found = resultOf({}, { closes: [{ ...first!, currency: 'EUR' }, ...rest] });
    expect(found.why).to.deep.equal({ 'R-1': 'price_currency', 'R-3': 'gain' });
    expect(found.sales.map(({ lot }) => lot)).to.deep.equal(['R-2']);
  });

  it('assumes the base currency for closes whose currency is unknown', () => {
    const unknown = closes.map((close) => ({ ...close, currency: null }));
    expect(resultOf({}, { closes: unknown })).to.deep.equal(resultOf());
  });

  it('refuses more candidates than a run may read', () => {
    const outcome = taxHarvest(harvestInput({ as_of: asOf }), {
      ...harvestData(),
      model: 'svc_tax_harvest_us_v2',
      sectors: {},
      hasTooManyCandidates: true,
    });
    expect(outcome).to.deep.include({
      ok: false,
      refusal: { code: 'too_large', of: 'candidates', most: 2_000 },
    });
  });
});

describe('returnVariance', () => {
  it('is the variance of the difference of two series, and null below 12 common months', () => {
    const [a, b] = [returnsOf(1, 12), returnsOf(2, 12)];
    const weights = new Map([
      ['A', 1],
      ['B', -1],
    ]);
    const differences = a.map((each, at) => each - b[at]!);
    const mean = differences.reduce((sum, each) => sum + each, 0) / 12;
    const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 11;
    expect(returnVariance(weights, { A: a, B: b })).to.be.closeTo(variance, 1e-15);
    expect(returnVariance(weights, { A: [null, ...a.slice(1)], B: b })).to.equal(null);
    expect(returnVariance(weights, { A: a })).to.equal(null);
    expect(returnVariance(new Map(), {})).to.equal(0);
  });
});
