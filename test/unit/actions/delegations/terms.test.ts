import { expect } from 'chai';
import { neverDelegable } from '#lib/actions/authority/action.ts';
import {
  DELEGATION_DAYS,
  termsFaults,
  termsHash,
  type DelegationTerms,
} from '#lib/actions/delegations/terms.ts';
import { plainTerms } from '../../../support/delegation/world.ts';

const NOW = new Date('2026-12-01T00:00:00.000Z');
const after = (ms: number, from = NOW) => new Date(from.getTime() + ms).toISOString();
const DAY = 86_400_000;
const terms = (change: Partial<DelegationTerms>): DelegationTerms => ({
  ...plainTerms,
  valid_until: after(30 * DAY),
  ...change,
});
const codes = (change: Partial<DelegationTerms>) =>
  termsFaults(terms(change), NOW).map(({ pointer, code }) => `${pointer} ${code}`);

describe('the terms of a delegation', () => {
  const sizes = [0, 1, 2, 3];
  for (const action of sizes) {
    it(`I-041 with a budget of ${action} per action are rejected unless the budgets are positive and ordered`, () => {
      for (const day of sizes) {
        for (const month of sizes) {
          const budgets = { per_action_minor: action, per_day_minor: day, per_month_minor: month };
          const isOrdered = action >= 1 && day >= action && month >= day;
          expect(codes({ budgets }), JSON.stringify(budgets)).to.deep.equal(
            isOrdered ? [] : ['/budgets budget_order'],
          );
        }
      }
    });
  }

  it('I-041 accept only budgets that are integers up to 2^53 - 1', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const budgets = { per_action_minor: max, per_day_minor: max, per_month_minor: max };
    expect(codes({ budgets })).to.deep.equal([]);
    for (const bad of [Number.NaN, -1, -0, -Infinity, undefined]) {
      for (const bound of Object.keys(budgets)) {
        expect(codes({ budgets: { ...budgets, [bound]: bad } as typeof budgets })).to.deep.equal([
          '/budgets budget_order',
        ]);
      }
    }
  });

  it('I-042 have a hash that depends on the value of every member but not on the order of members', () => {
    const hash = termsHash(plainTerms);
    expect(hash).to.match(/^[0-9a-f]{64}$/);
    expect(termsHash(Object.fromEntries(Object.entries(plainTerms).reverse()) as DelegationTerms)).to.equal(
      hash,
    );
    const changes: Partial<DelegationTerms>[] = [
      { identity_uid: 'idt_2' },
      { action: 'collateral.transfer' },
      { counterparty_id: 8 },
      { connector: 'swift' },
      { currency: 'USD' },
      { amount_scale: 0 },
      { execution_mode: 'dry_run' },
      { risk_tier: 'T2' },
      { budgets: { ...plainTerms.budgets, per_month_minor: 901 } },
      { valid_from: '2026-03-27T12:00:00Z' },
      { valid_until: '2026-06-01T00:00:00.001Z' },
      { time_zone: 'UTC' },
    ];
    expect(changes.flatMap((each) => Object.keys(each)).sort()).to.deep.equal(Object.keys(plainTerms).sort());
    const hashes = changes.map((change) => termsHash({ ...plainTerms, ...change }));
    expect(new Set([hash, ...hashes]).size).to.equal(changes.length + 1);
  });

  it('I-044 are rejected for autonomous execution in tier T2 and accepted for every other mode and tier', () => {
    for (const risk_tier of ['T1', 'T2'] as const) {
      for (const execution_mode of ['dry_run', 'supervised', 'autonomous'] as const) {
        const isForbidden = risk_tier === 'T2' && execution_mode === 'autonomous';
        expect(codes({ risk_tier, execution_mode })).to.deep.equal(
          isForbidden ? ['/execution_mode mode_not_allowed_for_tier'] : [],
        );
      }
    }
  });

  it('I-045 reject an action on delegations, authorities, policies, credentials or approvals', () => {
    for (const family of ['delegation', 'authority', 'policy', 'credential', 'approval']) {
      expect(neverDelegable.test(`${family}.approve`)).to.equal(true);
      expect(neverDelegable.test(`x${family}.approve`)).to.equal(false);
      expect(neverDelegable.test(`pay.${family}.approve`)).to.equal(false);
    }
    expect(neverDelegable.test('obligation.pay')).to.equal(false);
  });

  it('I-046 must end at least 1 ms after they begin and at least 1 ms after the current time', () => {
    const late = '/valid_until validity_window';
    expect(codes({ valid_until: after(0) })).to.deep.equal([late]);
    expect(codes({ valid_until: after(1) })).to.deep.equal([]);
    expect(codes({ valid_from: after(DAY), valid_until: after(DAY) })).to.deep.equal([late]);
    expect(codes({ valid_from: after(DAY), valid_until: after(DAY + 1) })).to.deep.equal([]);
    expect(codes({ valid_from: after(-60_000), valid_until: after(-1) })).to.deep.equal([late]);
  });

  it('I-046 must end at most 366 days after they begin', () => {
    const year = DELEGATION_DAYS * DAY;
    expect(DELEGATION_DAYS).to.equal(366);
    expect(codes({ valid_until: after(year) })).to.deep.equal([]);
    expect(codes({ valid_until: after(year + 1) })).to.deep.equal(['/valid_until validity_window']);
    const from = after(10 * DAY);
    expect(codes({ valid_from: from, valid_until: after(year, new Date(from)) })).to.deep.equal([]);
    expect(codes({ valid_from: from, valid_until: after(year + 1, new Date(from)) })).to.deep.equal([
      '/valid_until validity_window',
    ]);
  });

  it('must begin at most 5 minutes before the current time', () => {
    expect(codes({ valid_from: after(-300_000) })).to.deep.equal([]);
    expect(codes({ valid_from: after(-300_001) })).to.deep.equal(['/valid_from validity_window']);
  });

  it('I-046 are rejected if a time cannot be parsed', () => {
    for (const bad of ['', 'tomorrow', '2026-12-31T23:59:60Z', '2027-01-01T00:00:00+24:00']) {
      expect(codes({ valid_until: bad }), bad).to.deep.equal(['/valid_until validity_window']);
      expect(codes({ valid_from: bad }), bad).to.include('/valid_until validity_window');
    }
  });

  it('report all their faults at once', () => {
    const budgets = { per_action_minor: 2, per_day_minor: 1, per_month_minor: 1 };
    const change = {
      budgets,
      risk_tier: 'T2',
      execution_mode: 'autonomous',
      valid_until: after(-1),
    } as const;
    expect(codes(change)).to.have.lengthOf(3);
  });
});
