import { expect } from 'chai';
import { decisionSessions } from '#lib/quant/strategies/schedule.ts';
import { weekdaysFrom, MONDAY } from './strategy-fixture.ts';

const days = weekdaysFrom(MONDAY, 70).filter((day) => day !== '2020-01-31');
type Schedule = Parameters<typeof decisionSessions>[2];
const daysOf = (schedule: Partial<Schedule>, first = 0, sessions: readonly string[] = days) => {
  const decides = decisionSessions(sessions, first, { every: 'month', n: 21, on: 'last', ...schedule });
  return sessions.filter((_, t) => decides[t] === 1);
};

describe('the schedule of decisions', () => {
  it('has a decision in the first session, and in the last session of each month', () => {
    // 31 January is not a session, and the last of all sessions is 10 April.
    expect(daysOf({})).to.deep.equal(['2020-01-06', '2020-01-30', '2020-02-28', '2020-03-31']);
    expect(days.at(-1)).to.equal('2020-04-10');
  });

  it('has a decision in the first session of each month', () => {
    expect(daysOf({ on: 'first' }, 3)).to.deep.equal([
      '2020-01-09',
      '2020-02-03',
      '2020-03-02',
      '2020-04-01',
    ]);
  });

  it('has a single decision', () => {
    expect(daysOf({ every: 'once' }, 2)).to.deep.equal(['2020-01-08']);
  });

  it('has a decision in every session or in every n-th session', () => {
    expect(daysOf({ every: 'session' })).to.deep.equal(days);
    expect(daysOf({ every: 'n_sessions', n: 30 }, 1)).to.deep.equal([days[1], days[31], days[61]]);
  });

  it('has a decision in the first session, and in the last session of each quarter or year', () => {
    expect(daysOf({ every: 'quarter' })).to.deep.equal(['2020-01-06', '2020-03-31']);
    expect(daysOf({ every: 'year' })).to.deep.equal(['2020-01-06']);
  });

  it('has a decision on a weekday, or in the next session of the week', () => {
    const week = daysOf({ every: 'week', on: 'friday' }, 0, days.slice(0, 20));
    // Friday 31 January is not a session, so the decision is in the last session of its week.
    expect(week).to.deep.equal(['2020-01-06', '2020-01-10', '2020-01-17', '2020-01-24', '2020-01-30']);
    const holiday = days.filter((day) => day !== '2020-01-15');
    expect(daysOf({ every: 'week', on: 'wednesday' }, 0, holiday.slice(0, 10))).to.deep.equal([
      '2020-01-06',
      '2020-01-08',
      '2020-01-16',
    ]);
  });

  it('treats the newest session as the last of its month only if no weekday follows in the month', () => {
    expect(daysOf({}, 0, ['2020-02-03', '2020-02-27'])).to.deep.equal(['2020-02-03']);
    expect(daysOf({}, 0, ['2020-02-03', '2020-02-28'])).to.deep.equal(['2020-02-03', '2020-02-28']);
  });

  it('stays the same for earlier sessions if later sessions are added', () => {
    for (const every of ['week', 'month', 'quarter', 'year'] as const) {
      for (let count = 2; count < days.length; count += 7) {
        const some = daysOf({ every }, 0, days.slice(0, count));
        const all = daysOf({ every }).filter((day) => day < days[count - 1]!);
        expect(some.filter((day) => day < days[count - 1]!)).to.deep.equal(all);
      }
    }
  });
});
