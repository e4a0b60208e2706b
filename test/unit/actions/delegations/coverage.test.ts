import { expect } from 'chai';
import { uncovered } from '#lib/actions/delegations/coverage.ts';
import { coveredToTheBound } from '../../../support/delegation/properties-of-bounds.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { authorityFor, plainTerms } from '../../../support/delegation/world.ts';

const authority = authorityFor('ann');
const limit = authority.limits[0]!;

describe('the coverage of a delegation by an authority', () => {
  it('I-058 holds up to and including every bound', () => {
    coveredToTheBound(rules, {});
  });

  it('I-058 reports every failure with the bound and the required value', () => {
    const wanted = {
      ...plainTerms,
      connector: 'swift',
      budgets: { ...plainTerms.budgets, per_day_minor: 501 },
    };
    expect(uncovered(authority, wanted)).to.deep.equal([
      { path: 'connector', op: 'in', expected: ['sepa_ct'], actual: 'swift' },
      { path: 'budgets.per_day_minor', op: 'lte', expected: 500, actual: 501 },
    ]);
  });

  it('has a bound per action, and daily or monthly bounds only if the authority has such bounds', () => {
    const open = { ...authority, limits: [{ ...limit, per_day_minor: null, per_month_minor: null }] };
    const budgets = {
      per_action_minor: 300,
      per_day_minor: Number.MAX_SAFE_INTEGER,
      per_month_minor: Number.MAX_SAFE_INTEGER,
    };
    expect(uncovered(open, { ...plainTerms, budgets })).to.deep.equal([]);
    expect(
      uncovered(open, { ...plainTerms, budgets: { ...budgets, per_action_minor: 301 } }).map(
        ({ path }) => path,
      ),
    ).to.deep.equal(['budgets.per_action_minor']);
  });

  it('includes all registered connectors and counterparties only if the authority says so', () => {
    const any = { ...authority, connectors: 'any_registered', counterparties: 'any_registered' } as const;
    expect(uncovered(any, { ...plainTerms, connector: 'x', counterparty_id: 99 })).to.deep.equal([]);
    const none = { ...authority, connectors: [], counterparties: [] };
    expect(uncovered(none, plainTerms).map(({ path }) => path)).to.deep.equal([
      'connector',
      'counterparty_id',
    ]);
  });

  it('includes lower tiers but no higher or unknown tier', () => {
    const covers = (max: string, tier: string) =>
      uncovered({ ...authority, max_risk_tier: max as 'T1' }, { ...plainTerms, risk_tier: tier as 'T1' })
        .length === 0;
    expect(['T1', 'T2', 'T3'].map((max) => ['T1', 'T2'].map((tier) => covers(max, tier)))).to.deep.equal([
      [true, false],
      [true, true],
      [true, true],
    ]);
    for (const tier of ['T0', 't1', '', '__proto__']) expect(covers('T3', tier)).to.equal(false);
    expect(covers('T9', 'T1')).to.equal(false);
  });

  it('applies the limit of each currency separately', () => {
    const both = {
      ...authority,
      limits: [
        { ...limit, currency: 'USD' },
        { ...limit, per_action_minor: 299 },
      ],
    };
    expect(uncovered(both, plainTerms).map(({ path }) => path)).to.deep.equal(['budgets.per_action_minor']);
    expect(uncovered({ ...authority, limits: [] }, plainTerms).map(({ path }) => path)).to.deep.equal([
      'currency',
    ]);
  });
});
