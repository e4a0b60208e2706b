import { expect } from 'chai';
import { uncovered } from '#lib/actions/delegations/coverage.ts';
import { coveredToTheBound } from '../../../support/delegation/properties-of-bounds.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { authorityFor, plainTerms } from '../../../support/delegation/world.ts';

const authority = authorityFor('ann');
const limit = authority.limits[0]!;

describe('the coverage of a delegation by an authority', () => {
  it('I-058 includes amounts and times up to and including every bound', () => {
    coveredToTheBound(rules, {});
  });

  it('I-058 reports each term outside the authority with the bound of the authority and the value of the delegation', () => {
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

  it('limits the amount per action always, and per day or month only if the authority has such a limit', () => {
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

  it('includes any registered connector and counterparty if the authority allows any, and none if its lists are empty', () => {
    const any = { ...authority, connectors: 'any_registered', counterparties: 'any_registered' } as const;
    expect(uncovered(any, { ...plainTerms, connector: 'x', counterparty_id: 99 })).to.deep.equal([]);
    const none = { ...authority, connectors: [], counterparties: [] };
    expect(uncovered(none, plainTerms).map(({ path }) => path)).to.deep.equal([
      'connector',
      'counterparty_id',
    ]);
  });

  it('includes every risk tier up to the maximum of the authority, but no higher or unknown tier', () => {
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

  it('compares the budgets only with the limit in the currency of the delegation', () => {
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
