import { expect } from 'chai';
import fc from 'fast-check';
import { evaluate } from '#lib/data/feature-expression/evaluate.ts';
import { parseExpression } from '#lib/data/feature-expression/parse.ts';
import { acrossRules } from '#lib/data/feature/across-entities.ts';
import { computeAlongTime } from '#lib/data/feature/along-time.ts';
import type { Counting } from '#lib/data/feature/grid.ts';
import { valueKnownAt, type Observation, type Step, type FeatureHistory } from '#lib/data/feature/history.ts';
import { lackingRows, type Stored } from '#lib/data/feature/merge.ts';
import { firstDayOfPeriod, lastDayOfPeriod, periodOf } from '#lib/data/feature/period.ts';
import { computeFeature } from '#lib/data/feature/compute-feature.ts';
import type { FeatureFrequency } from '#lib/data/feature/kind.ts';
import { repetitions } from '../../../support/repetitions.ts';

const DAY = 86_400_000_000;
const parse = (text: string) => parseExpression(text, { columns: ['close'], keyed: [] });

/**
 * An observation for one of the days 0 to 11. The time at which it becomes known is a multiple of a third of
 * a day, up to day 20.
 */
const observation = fc.record({
  column: fc.constant('close'),
  period: fc.integer({ min: 0, max: 11 }),
  rank: fc.integer({ min: 0, max: 1 }),
  knownAt: fc.integer({ min: 0, max: 60 }).map((third) => (third * DAY) / 3),
  value: fc.option(fc.constantFrom(1, 2, 3, 5, Number.NaN)),
});
const history = fc.uniqueArray(observation, {
  maxLength: 25,
  selector: ({ period, rank, knownAt }) => `${period} ${rank} ${knownAt}`,
});
const NOW = 15 * DAY;

/** Computes a feature as known at one moment, directly from all data known at that moment. */
function naive(text: string, entities: Map<string, Observation[]>, isDaily: boolean, at: number) {
  const columns = new Map(
    [...entities].map(([entity, observations]) => [entity, snapshot(observations, at)]),
  );
  const across = /^zscore\((.*)\)$/.exec(text);
  const values = new Map(
    [...columns].map(([entity, known]) => [entity, along(across?.[1] ?? text, known, isDaily)]),
  );
  if (!across) return values;
  const names = [...values.keys()].sort();
  const results = new Map(names.map((name) => [name, new Map<number, number>()]));
  for (let period = 0; period < 12; period += 1) {
    const scores = acrossRules.zscore(
      Float64Array.from(names, (name) => values.get(name)!.get(period) ?? NaN),
    );
    for (const [place, name] of names.entries()) results.get(name)!.set(period, scores[place]!);
  }
  return results;
}

function snapshot(observations: readonly Observation[], at: number): Map<number, number> {
  const known = new Map<number, number>();
  for (let period = 0; period < 12; period += 1) {
    for (const rank of [0, 1]) {
      const last = observations
        .filter((each) => each.period === period && each.rank === rank && each.knownAt <= at)
        .sort((one, other) => one.knownAt - other.knownAt)
        .at(-1);
      if (last && last.value !== null) known.set(period, last.value);
    }
  }
  return known;
}

function along(text: string, known: Map<number, number>, isDaily: boolean): Map<number, number> {
  const observed = [...known]
    .filter(([, value]) => !Number.isNaN(value))
    .map(([period]) => period)
    .sort((one, other) => one - other);
  const places = isDaily ? observed : Array.from({ length: 12 }, (_, period) => period);
  const read = (_: string, place: number) => known.get(places[place] ?? -1) ?? Number.NaN;
  return new Map(
    observed.map((period) => {
      const place = places.indexOf(period);
      return [period, evaluate(parse(text), read, place, place)[0]!];
    }),
  );
}

describe('the values of a feature', () => {
  const along = ['close', 'return(close, 2)', 'mean(close, 3) - lag(close, 1)', 'ewma(close, alpha=0.5)'];
  const across = ['zscore(close)', 'zscore(return(close, 1))'];
  const eventTime = (period: number) => period * DAY;

  function compare(
    reported: Map<string, FeatureHistory>,
    expected: (moment: number) => Map<string, Map<number, number>>,
  ) {
    for (let third = 0; third <= 60; third += 1) {
      const moment = (third * DAY) / 3;
      const values = expected(Math.min(moment, NOW));
      for (const [entity, ofEntity] of reported) {
        for (let period = 0; period < 12; period += 1) {
          const value = eventTime(period) <= moment ? (values.get(entity)!.get(period) ?? NaN) : NaN;
          const place = `${entity} ${period} at ${third}/3`;
          expect(valueKnownAt(ofEntity.get(period), moment), place).to.deep.equal(value);
        }
      }
    }
  }

  it('as known at each moment equal a computation from the data known at that moment', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...along),
        fc.constantFrom<Counting>('calendar', 'observed'),
        history,
        (text, counting, observations) => {
          const rule = { expression: parse(text), presence: ['close'], counting, eventTime, now: NOW };
          const reported = new Map([['A', computeAlongTime(rule, observations)]]);
          const entities = new Map([['A', observations]]);
          compare(reported, (moment) => naive(text, entities, counting === 'observed', moment));
        },
      ),
      { numRuns: repetitions.toldFeatures },
    );
  });

  it('are compared across entities only with values known at the same moment', () => {
    fc.assert(
      fc.property(fc.constantFrom(...across), fc.tuple(history, history, history), (text, [A, B, C]) => {
        const entities = new Map(Object.entries({ B, A, C }));
        const reported = computeFeature({ expression: parse(text), frequency: 'daily' }, entities, NOW);
        compare(reported, (moment) => naive(text, entities, true, moment));
      }),
      { numRuns: repetitions.toldFeatures },
    );
  });

  it('are correct for a time series function of a cross-sectional function', () => {
    const observed = (values: number[]): Observation[] =>
      values.map((value, period) => ({ column: 'close', period, rank: 0, knownAt: period * DAY, value }));
    const entities = new Map([
      ['A', observed([1, 5])],
      ['B', observed([2, 3])],
    ]);
    const rule = { expression: parse('rank(close) - lag(rank(close), 1)'), frequency: 'daily' as const };
    const reported = computeFeature(rule, entities, NOW);
    expect(reported.get('A')).to.deep.equal(new Map([[1, [{ knownAt: DAY, value: 1 }]]]));
    expect(reported.get('B')).to.deep.equal(new Map([[1, [{ knownAt: DAY, value: -1 }]]]));
  });
});

describe('the missing rows of a feature table', () => {
  const steps = fc
    .uniqueArray(
      fc.record({ knownAt: fc.integer({ min: 0, max: 9 }), value: fc.constantFrom(1, 2, Number.NaN) }),
      {
        selector: ({ knownAt }) => knownAt,
        maxLength: 6,
      },
    )
    .map((rows) => rows.sort((one, other) => one.knownAt - other.knownAt));

  it('make the table give the computed value as known at every moment, after any earlier updates', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 5 }), (fillings) => {
        const table = new Map<number, Stored>();
        for (const filling of fillings) {
          for (const row of lackingRows(filling, [...table.values()])) {
            expect(row.revision).to.equal((table.get(row.knownAt)?.revision ?? 0) + 1);
            table.set(row.knownAt, row);
          }
          const stored = [...table.values()].sort((one, other) => one.knownAt - other.knownAt);
          for (let moment = 0; moment < 10; moment += 1) {
            expect(valueKnownAt(stored, moment)).to.deep.equal(valueKnownAt(filling, moment));
          }
          expect(lackingRows(filling, stored)).to.deep.equal([]);
        }
      }),
    );
  });

  it('contain each value that is not stored yet, and NaN for each stored value that was withdrawn', () => {
    const reported: Step[] = [{ knownAt: 1, value: 5 }];
    expect(lackingRows(reported, [])).to.deep.equal([{ knownAt: 1, revision: 1, value: 5 }]);
    expect(lackingRows(undefined, [{ knownAt: 1, revision: 2, value: 5 }])).to.deep.equal([
      { knownAt: 1, revision: 3, value: Number.NaN },
    ]);
  });
});

describe('the periods of a feature', () => {
  it('contain exactly the dates from their first to their last day', () => {
    const date = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((instant) => instant.toISOString().slice(0, 10));
    fc.assert(
      fc.property(
        date,
        fc.constantFrom<FeatureFrequency>('daily', 'weekly', 'monthly', 'quarterly', 'yearly'),
        (day, frequency) => {
          const period = periodOf(frequency, day);
          expect(
            day >= firstDayOfPeriod(frequency, period) && day <= lastDayOfPeriod(frequency, period),
          ).to.equal(true);
          expect(periodOf(frequency, firstDayOfPeriod(frequency, period + 1))).to.equal(period + 1);
        },
      ),
    );
  });

  it('end on Sundays and on the last days of months, quarters and years', () => {
    const last = (frequency: FeatureFrequency) =>
      lastDayOfPeriod(frequency, periodOf(frequency, '2020-02-10'));
    expect([last('weekly'), last('monthly'), last('quarterly'), last('yearly')]).to.deep.equal([
      '2020-02-16',
      '2020-02-29',
      '2020-03-31',
      '2020-12-31',
    ]);
  });
});
