import { expect } from 'chai';
import { budgetRefusal, outcomeRefusal, windowsAt } from '#lib/actions/delegations/windows.ts';
import { inItsWindow, withinBudgets } from '../../../support/delegation/properties-of-bounds.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { repetitions } from '../../../support/repetitions.ts';

const none = { reserved: 0n, settled: 0n };
const budgets = { per_action_minor: 300, per_day_minor: 500, per_month_minor: 900 };

describe('the day and the month of a budget', () => {
  /**
   * Each row: description, time zone, last instant of a local day in UTC, that local day, the next local day.
   */
  const edges: [string, string, string, string, string][] = [
    ['a plain day', 'UTC', '2026-06-14T23:59:59.999Z', '2026-06-14', '2026-06-15'],
    ['the end of a month', 'UTC', '2026-01-31T23:59:59.999Z', '2026-01-31', '2026-02-01'],
    ['the end of February', 'UTC', '2026-02-28T23:59:59.999Z', '2026-02-28', '2026-03-01'],
    ['the day before a leap day', 'UTC', '2028-02-28T23:59:59.999Z', '2028-02-28', '2028-02-29'],
    ['a leap day', 'UTC', '2028-02-29T23:59:59.999Z', '2028-02-29', '2028-03-01'],
    ['the end of a year', 'UTC', '2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01'],
    ['the end of a month in Berlin', 'Europe/Berlin', '2026-10-31T22:59:59.999Z', '2026-10-31', '2026-11-01'],
    [
      'the day before a day of 23 hours in Berlin',
      'Europe/Berlin',
      '2026-03-28T22:59:59.999Z',
      '2026-03-28',
      '2026-03-29',
    ],
    ['a day of 23 hours in Berlin', 'Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29', '2026-03-30'],
    [
      'the day before a day of 25 hours in Berlin',
      'Europe/Berlin',
      '2026-10-24T21:59:59.999Z',
      '2026-10-24',
      '2026-10-25',
    ],
    ['a day of 25 hours in Berlin', 'Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25', '2026-10-26'],
    [
      'a day of 23 hours in New York',
      'America/New_York',
      '2026-03-09T03:59:59.999Z',
      '2026-03-08',
      '2026-03-09',
    ],
    [
      'a day of 25 hours in New York',
      'America/New_York',
      '2026-11-02T04:59:59.999Z',
      '2026-11-01',
      '2026-11-02',
    ],
    [
      'a day of 24.5 hours on Lord Howe Island',
      'Australia/Lord_Howe',
      '2026-04-05T13:29:59.999Z',
      '2026-04-05',
      '2026-04-06',
    ],
    [
      'the day before a day that begins at 1:00 in Cairo',
      'Africa/Cairo',
      '2026-04-23T21:59:59.999Z',
      '2026-04-23',
      '2026-04-24',
    ],
    [
      'the day before 30 December 2011, which Apia skipped',
      'Pacific/Apia',
      '2011-12-30T09:59:59.999Z',
      '2011-12-29',
      '2011-12-31',
    ],
    [
      'the end of a year in Kiritimati',
      'Pacific/Kiritimati',
      '2026-12-31T09:59:59.999Z',
      '2026-12-31',
      '2027-01-01',
    ],
    [
      'the end of a year in Kathmandu',
      'Asia/Kathmandu',
      '2026-12-31T18:14:59.999Z',
      '2026-12-31',
      '2027-01-01',
    ],
    [
      'the end of a month in Pago Pago',
      'Pacific/Pago_Pago',
      '2026-05-01T10:59:59.999Z',
      '2026-04-30',
      '2026-05-01',
    ],
  ];
  for (const [title, zone, last, day, next] of edges) {
    it(`I-078 change at local midnight: ${title}`, () => {
      const instant = new Date(last);
      expect(windowsAt(instant, zone)).to.deep.equal({ day, month: day.slice(0, 7) });
      expect(windowsAt(new Date(instant.getTime() + 1), zone)).to.deep.equal({
        day: next,
        month: next.slice(0, 7),
      });
    });
  }

  it('I-078 are the same for both occurrences of the hour that repeats at the end of daylight saving time', () => {
    const hours = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((each) =>
      windowsAt(new Date(each), 'Europe/Berlin'),
    );
    expect(hours).to.deep.equal([
      { day: '2026-10-25', month: '2026-10' },
      { day: '2026-10-25', month: '2026-10' },
    ]);
  });

  it('I-078 equal the date in the local calendar in every time zone, at and around any midnight', () => {
    inItsWindow(rules, { numRuns: repetitions.delegationRules });
  });

  it('are rejected for an unknown zone or instant', () => {
    expect(() => windowsAt(new Date(0), 'Mars/Olympus')).to.throw(RangeError);
    expect(() => windowsAt(new Date(Number.NaN), 'UTC')).to.throw(RangeError);
  });
});

describe('a budget', () => {
  it('I-070 I-072 I-075 admits an amount equal to each bound and refuses 1 minor unit more, for any used amount', () => {
    withinBudgets(rules, { numRuns: repetitions.delegationRules });
  });

  const cases: [
    string,
    bigint,
    { reserved: bigint; settled: bigint },
    { reserved: bigint; settled: bigint },
    unknown,
  ][] = [
    ['zero', 0n, none, none, { code: 'amount_not_positive' }],
    ['a negative amount', -1n, none, none, { code: 'amount_not_positive' }],
    ['the minimum of 1 minor unit', 1n, none, none, undefined],
    ['1 minor unit less than the bound per action', 299n, none, none, undefined],
    ['the bound per action', 300n, none, none, undefined],
    [
      '1 minor unit more than the bound per action',
      301n,
      none,
      none,
      { code: 'per_action_exceeded', bound_minor: 300 },
    ],
    [
      'the remaining amount of the day',
      200n,
      { reserved: 100n, settled: 200n },
      { reserved: 100n, settled: 200n },
      undefined,
    ],
    [
      '1 minor unit more than the remaining amount of the day',
      201n,
      { reserved: 100n, settled: 200n },
      { reserved: 100n, settled: 200n },
      { code: 'budget_exceeded', window: 'day', bound_minor: 500, remaining_minor: 200 },
    ],
    ['the remaining amount of the month', 100n, none, { reserved: 300n, settled: 500n }, undefined],
    [
      '1 minor unit more than the remaining amount of the month',
      101n,
      none,
      { reserved: 300n, settled: 500n },
      { code: 'budget_exceeded', window: 'month', bound_minor: 900, remaining_minor: 100 },
    ],
    [
      'any amount if the used amount of the day equals the daily bound',
      1n,
      { reserved: 0n, settled: 500n },
      { reserved: 0n, settled: 500n },
      { code: 'budget_exceeded', window: 'day', bound_minor: 500, remaining_minor: 0 },
    ],
    [
      'any amount if the used amount of the day exceeds the daily bound',
      1n,
      { reserved: 0n, settled: 600n },
      none,
      { code: 'budget_exceeded', window: 'day', bound_minor: 500, remaining_minor: 0 },
    ],
  ];
  for (const [title, amount, day, month, refusal] of cases) {
    it(`I-070 ${refusal ? 'refuses' : 'admits'} ${title}`, () => {
      expect(budgetRefusal(amount, budgets, { day, month })).to.deep.equal(refusal);
    });
  }

  it('I-070 compares amounts above 2^53 - 1 exactly', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const wide = { per_action_minor: max, per_day_minor: max, per_month_minor: max };
    const used = { reserved: BigInt(max) - 1n, settled: 0n };
    expect(budgetRefusal(1n, wide, { day: used, month: used })).to.equal(undefined);
    expect(budgetRefusal(2n, wide, { day: used, month: used })).to.include({ remaining_minor: 1 });
    expect(budgetRefusal(BigInt(max) + 1n, wide, { day: none, month: none })).to.include({
      code: 'per_action_exceeded',
    });
  });
});

describe('the outcome of a reservation', () => {
  const held = { state: 'reserved' as const, amount: 100n, offered: null };
  const stuck = { ...held, state: 'stuck' as const };
  const above = { ...stuck, offered: 150n };
  const shown = { evidence: 'statement' };
  const settle = (actual: bigint, more = {}) => ({ event: 'settle' as const, actual, ...more });
  const release = (more = {}) => ({ event: 'release' as const, ...more });

  it('I-080 is accepted for a stuck reservation only with evidence', () => {
    expect(
      [release(), settle(100n), release({ evidence: '' })].map((each) => outcomeRefusal(stuck, each)),
    ).to.deep.equal(['evidence_required', 'evidence_required', 'evidence_required']);
    expect(outcomeRefusal(stuck, release(shown))).to.equal(undefined);
    expect([release(), settle(1n), settle(100n)].map((each) => outcomeRefusal(held, each))).to.deep.equal(
      Array(3).fill(undefined),
    );
  });

  it('I-080 is accepted only as settlement of the full amount after a report of a higher amount', () => {
    for (const each of [release(shown), settle(99n, shown), settle(1n, shown)]) {
      expect(outcomeRefusal(above, each)).to.equal('full_settlement_required');
    }
    expect(outcomeRefusal(above, settle(101n, shown))).to.equal('settled_above_reservation');
    expect(outcomeRefusal(above, settle(100n))).to.equal('evidence_required');
    expect(outcomeRefusal(above, settle(100n, shown))).to.equal(undefined);
  });

  it('I-073 is accepted once, with a settled amount between 1 and the reserved amount', () => {
    for (const state of ['settled', 'released'] as const) {
      expect(outcomeRefusal({ ...held, state }, release(shown))).to.equal('reservation_ended');
      expect(outcomeRefusal({ ...held, state }, settle(1n, shown))).to.equal('reservation_ended');
    }
    expect(outcomeRefusal(held, settle(0n))).to.equal('amount_not_positive');
    expect(outcomeRefusal(held, settle(101n))).to.equal('settled_above_reservation');
  });
});
