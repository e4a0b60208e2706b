import { expect } from 'chai';
import fc from 'fast-check';
import { addDays } from '#lib/core/date.ts';
import { vintages, type Vintage } from '#lib/data/economic-observations.query.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';
import { repetitions } from '../../support/repetitions.ts';

type Row = { symbol: string; date: string; close: string; knownAt: string | undefined };
type File = { rows: Row[]; knownAtNow: boolean };
type Known = { symbol: string; date: string; close: string; knownAt: string; revision: number };

const DATES = ['2021-01-28', '2021-01-29', '2021-02-26', '2021-03-01'];
const AS_OF = ['2021-01-28', '2021-01-29', '2021-02-27', '2021-03-01', '2021-03-02', '2021-03-09'];

const row = fc.record({
  symbol: fc.constantFrom('A', 'B'),
  date: fc.constantFrom(...DATES),
  /** An empty text withdraws the observation. */
  close: fc.constantFrom('1', '2', '3', ''),
  knownAt: fc.option(fc.constantFrom('2021-01-29', '2021-02-26', '2021-03-01'), { nil: undefined }),
});
const file = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 6 }).map(withoutContradictions),
  knownAtNow: fc.boolean(),
});

/**
 * Implements the merge rules a second time, row by row in memory. The database must return the same values
 * for every day at every revision, including past revisions.
 */
describe('any sequence of imports', function () {
  const { database } = useImportDatabase();

  it('produces, for each revision and each day, the values known by that day', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
        const workspace = await database.workspace();
        const known: Known[] = [];
        for (const [at, { rows, knownAtNow }] of files.entries()) {
          const now = `2021-03-0${at + 1}T10:00:00`;
          const counts = learn(known, { rows, knownAtNow, now, revision: at + 1 });
          const lines = rows.map((each) =>
            [each.symbol, each.date, each.close, each.knownAt ?? '', each.close === ''].join(','),
          );
          const report = await database.import({
            kind: 'prices',
            workspace,
            path: await database.write('model.csv', [`symbol,date,close,known_at,withdrawn`, ...lines, '']),
            frequency: 'monthly',
            knownAt: knownAtNow ? 'now' : undefined,
            clock: clockAt(`${now}Z`),
          });
          // An import of an identical file changes nothing, so there is nothing to compare.
          if (report.alreadyImported) return;
          expect(report.rows).to.include(counts);
          await compare(workspace, known, report.dataset.id, at + 1);
        }
      }),
      { numRuns: repetitions.imports },
    );
  });

  it('produces, for economics and each day, the first, the last and all known vintages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
        const workspace = await database.workspace();
        const known: Known[] = [];
        for (const [at, { rows, knownAtNow }] of files.entries()) {
          const now = `2021-03-0${at + 1}T10:00:00`;
          const counts = learn(known, { rows, knownAtNow, now, revision: at + 1 });
          const lines = rows.map((each) =>
            [
              each.symbol,
              each.date,
              each.close && `-${each.close}`,
              each.knownAt ?? '',
              each.close === '',
            ].join(','),
          );
          const report = await database.import({
            kind: 'economics',
            workspace,
            path: await database.write('model.csv', ['series,date,value,known_at,withdrawn', ...lines]),
            knownAt: knownAtNow ? 'now' : undefined,
            clock: clockAt(`${now}Z`),
          });
          if (report.alreadyImported) return;
          expect(report.rows).to.include(counts);
          for (const series of ['A', 'B']) {
            for (const asOf of AS_OF) {
              const visible = known.filter(
                (each) => each.symbol === series && each.knownAt < addDays(asOf, 1),
              );
              for (const vintage of vintages) {
                expect(await database.observationsAsOf(workspace, { series, asOf, vintage })).to.deep.equal(
                  vintagesOf[vintage](visible),
                );
              }
            }
          }
        }
      }),
      { numRuns: repetitions.imports },
    );
  });

  async function compare(workspace: string, known: readonly Known[], dataset: number, revision: number) {
    for (const symbol of ['A', 'B']) {
      for (const asOfDate of AS_OF) {
        for (let pinned = 1; pinned <= revision; pinned++) {
          const question = { symbol, asOfDate, revisions: { [dataset]: pinned } };
          expect(await database.pricesAsOf(workspace, question)).to.deep.equal(
            expected(known, { symbol, asOfDate, pinned }),
          );
        }
      }
    }
  }
});

/**
 * Removes rows that repeat a key, and ensures that either all rows of a day state a knowledge time or no row
 * of the day does.
 */
function withoutContradictions(rows: readonly Row[]): Row[] {
  const kept: Row[] = [];
  for (const { knownAt, ...each } of rows) {
    const next = { ...each, knownAt: knownAt !== undefined && knownAt >= each.date ? knownAt : undefined };
    const same = kept.filter(({ symbol, date }) => symbol === next.symbol && date === next.date);
    const clashes = same.some((other) => other.knownAt === next.knownAt || !other.knownAt !== !next.knownAt);
    if (!clashes) kept.push(next);
  }
  return kept;
}

type Lesson = File & { now: string; revision: number };

function learn(known: Known[], { rows, knownAtNow, now, revision }: Lesson) {
  const counts = { read: rows.length, inserted: 0, corrected: 0, unchanged: 0, rejected: 0 };
  const moment = ({ date, knownAt }: Row) =>
    knownAt === undefined && knownAtNow ? now : `${knownAt ?? date}T23:59:59.999999`;
  for (const each of rows.toSorted((one, other) => (moment(one) < moment(other) ? -1 : 1))) {
    const prior = latest(
      known.filter(
        ({ symbol, date, knownAt }) =>
          symbol === each.symbol &&
          date === each.date &&
          (each.knownAt === undefined || knownAt <= moment(each)),
      ),
    );
    if (prior?.close === each.close) counts.unchanged += 1;
    else {
      counts[prior ? 'corrected' : 'inserted'] += 1;
      const isStated = each.knownAt !== undefined;
      const knownAt = isStated || !prior ? moment(each) : prior.knownAt > now ? prior.knownAt : now;
      known.push({ symbol: each.symbol, date: each.date, close: each.close, knownAt, revision });
    }
  }
  return counts;
}

function expected(
  known: readonly Known[],
  at: { symbol: string; asOfDate: string; pinned: number },
): string[] {
  const visible = known.filter(
    ({ symbol, date, knownAt, revision }) =>
      symbol === at.symbol &&
      date <= at.asOfDate &&
      knownAt < addDays(at.asOfDate, 1) &&
      revision <= at.pinned,
  );
  const closeOf = (day: string) => latest(visible.filter(({ date }) => date === day))!.close;
  const days = [...new Set(visible.map(({ date }) => date))].filter((day) => closeOf(day) !== '').sort();
  const lastOfMonth = days.filter((day, index) => days[index + 1]?.slice(0, 7) !== day.slice(0, 7));
  return lastOfMonth.map((day) => `${day} ${closeOf(day)}`);
}

const byKnowledge = (one: Known, other: Known) =>
  one.knownAt === other.knownAt ? one.revision - other.revision : one.knownAt < other.knownAt ? -1 : 1;

const ofDays = (known: readonly Known[], pick: (day: Known[]) => readonly Known[]) =>
  DATES.flatMap((day) => pick(known.filter(({ date }) => date === day).toSorted(byKnowledge))).map(
    ({ date, close }) => `${date} ${close === '' ? null : `-${close}`}`,
  );

/** The observations that each vintage is expected to have, computed from the known rows. */
const vintagesOf: Record<Vintage, (known: readonly Known[]) => string[]> = {
  all: (known) => ofDays(known, (day) => day),
  latest: (known) => ofDays(known, (day) => day.slice(-1).filter(({ close }) => close !== '')),
  first: (known) =>
    ofDays(known, (day) => {
      const released = day.filter(({ close }) => close !== '');
      return released.filter(({ knownAt }) => knownAt === released[0]!.knownAt).slice(-1);
    }),
};

function latest(known: readonly Known[]): Known | undefined {
  return known.toSorted(byKnowledge).at(-1);
}
