import { expect } from 'chai';
import fc from 'fast-check';
import { dueBy, firstAfter, isCron, isTimeZone, readEvery } from '#lib/workflows/recurrence.ts';
import { nextScheduleState, scheduleStates } from '#lib/workflows/schedule-states.ts';
import { repetitions } from '../../support/repetitions.ts';

const at = (text: string) => new Date(text);
const weekly = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };

describe('the recurrence of a scheduled workflow', () => {
  it('is read from a whole number of minutes, hours, days or weeks, up to 366 days', () => {
    expect(['1m', '15m', '6h', '1d', '2w'].map(readEvery)).to.deep.equal([
      60, 900, 21_600, 86_400, 1_209_600,
    ]);
    for (const text of [
      '',
      '0m',
      '59s',
      '1',
      'm',
      '1.5h',
      '-1h',
      '01h',
      '367d',
      '1h ',
      '9999999w',
      '1h30m',
    ]) {
      expect(readEvery(text), text).to.equal(undefined);
    }
  });

  it('is accepted as a cron expression of five fields that matches at least one time', () => {
    for (const text of ['0 6 * * 1', '*/15 * * * *', '0 0 1,15 * *', '0 0 29 2 *'])
      expect(isCron(text), text).to.equal(true);
    const none = [
      '',
      '* * * *',
      '* * * * * *',
      '@daily',
      'H * * * *',
      '61 * * * *',
      '0 0 31 2 *',
      '0 6 * * 1 ',
      '? * * * *',
    ];
    for (const text of [...none, '0 0 L * *', '1'.repeat(101)]) expect(isCron(text), text).to.equal(false);
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus'), isTimeZone('')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('occurs at the local time of its time zone, and once on the days on which the clock changes', () => {
    const times = (from: string) => {
      const first = firstAfter(weekly, at(from));
      return [first, firstAfter(weekly, first)].map((each) => each.toISOString());
    };
    expect(times('2026-03-28T12:00:00Z')).to.deep.equal([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(times('2026-10-24T12:00:00Z')).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('gives the latest due time, the number of missed times and the next time in the future', () => {
    const due = at('2026-11-02T01:30:00Z');
    expect(dueBy(weekly, due, due)).to.deep.equal({
      latest: due,
      missed: 0,
      next: at('2026-11-03T01:30:00Z'),
    });
    expect(dueBy(weekly, due, at('2026-11-05T01:29:59Z'))).to.deep.equal({
      latest: at('2026-11-04T01:30:00Z'),
      missed: 2,
      next: at('2026-11-05T01:30:00Z'),
    });
    const minutely = { cron: '* * * * *', timeZone: 'UTC' };
    expect(dueBy(minutely, due, at('2026-11-12T00:00:30Z'))).to.deep.equal({
      latest: at('2026-11-12T00:00:00Z'),
      missed: 1_000,
      next: at('2026-11-12T00:01:00Z'),
    });
  });

  it('has no time between the latest past time and the next future time', () => {
    const recurrences = fc.oneof(
      fc.record({ every: fc.integer({ min: 60, max: 31_622_400 }) }),
      fc.constantFrom(weekly, { cron: '*/20 * * * *', timeZone: 'Asia/Kathmandu' }),
    );
    fc.assert(
      fc.property(
        recurrences,
        fc.integer({ min: 1_577_836_800, max: 1_900_000_000 }),
        fc.integer({ min: 0, max: 20_000_000 }),
        (recurrence, from, later) => {
          const due = firstAfter(recurrence, new Date(from * 1_000));
          const now = new Date(due.getTime() + later * 1_000);
          const { latest, next } = dueBy(recurrence, due, now);
          expect(latest >= due && latest <= now && next > now).to.equal(true);
          expect(firstAfter(recurrence, latest).getTime()).to.equal(next.getTime());
        },
      ),
      { numRuns: repetitions.recurrences },
    );
  });
});

describe('a schedule', () => {
  for (const state of scheduleStates) {
    it(`in the state ${state} can be suspended only if active, resumed only if suspended, and removed unless removed`, () => {
      expect(nextScheduleState(state, 'suspend')).to.equal(state === 'active' ? 'suspended' : undefined);
      expect(nextScheduleState(state, 'resume')).to.equal(state === 'suspended' ? 'active' : undefined);
      expect(nextScheduleState(state, 'remove')).to.equal(state === 'removed' ? undefined : 'removed');
    });
  }
});
