import { rankEntries, type LossTest, type Ranking } from '#lib/quant/tournaments/rank-entries.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-9;
const SEED = 0;

/**
 * Ranks entries by the forecast errors of a file, as a tournament does, and compares the ranking with the file.
 * p-values of the model confidence set are compared within the tolerance of the file, because the file uses other
 * resamples. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const members = asMembers(value, `cases[${at}]`);
    tally.case();
    checkCase(tally, asText(members['name'], 'name'), members);
  }
  return tally.report;
}

function checkCase(tally: Tally, name: string, members: Members): void {
  const entries = texts(members, 'entries');
  const errors = asList(members['errors'], 'errors').map((row) =>
    Float64Array.from(asList(row, 'errors'), (each) => Math.abs(asNumber(each, 'errors'))),
  );
  const expectedSet = asMembers(members['confidence_set'], 'confidence_set');
  const found = rankEntries(errors, {
    baseline: entries.indexOf(asText(members['baseline'], 'baseline')),
    overlap: asNumber(members['horizon'], 'horizon'),
    level: asNumber(expectedSet['level'], 'level'),
    resamples: asNumber(expectedSet['resamples'], 'resamples'),
    seed: SEED,
  });
  const means = asMembers(members['mean_absolute_error'], 'mean_absolute_error');
  for (const [at, entry] of entries.entries())
    tally.number(
      `${name}.mean.${entry}`,
      asNumber(means[entry], entry),
      found.entries[at]!.meanLoss,
      TOLERANCE,
    );
  tally.equal(`${name}.best`, members['best'], entries[found.best]);
  for (const side of ['best', 'baseline'] as const)
    checkTests(tally, { name, members, entries, found, side });
  checkSet(tally, { name, entries, found, expected: expectedSet });
  const winner = found.winner === null ? null : entries[found.winner];
  tally.equal(`${name}.winner`, members['winner'], winner);
  tally.equal(`${name}.verdict`, members['verdict'], found.verdict);
  const leaders = found.leaders.map((at) => entries[at]!);
  tally.equal(`${name}.leaders`, texts(members, 'leaders').sort().join(' '), leaders.sort().join(' '));
}

type Compared = { name: string; entries: string[]; found: Ranking };

function checkTests(
  tally: Tally,
  { name, members, entries, found, side }: Compared & { members: Members; side: 'best' | 'baseline' },
): void {
  const tests = asMembers(members[`against_${side}`], side);
  const adjusted = asMembers(members[`against_${side}_holm`], side);
  for (const [at, entry] of entries.entries()) {
    const test: LossTest | null = found.entries[at]![side === 'best' ? 'againstBest' : 'againstBaseline'];
    const about = `${name}.against_${side}.${entry}`;
    tally.equal(`${about}.is_defined`, tests[entry] !== null, test?.statistic != null);
    if (tests[entry] === null || !test) continue;
    const expected = asMembers(tests[entry], entry);
    tally.number(`${about}.statistic`, asNumber(expected['statistic'], about), test.statistic!, TOLERANCE);
    tally.number(`${about}.p`, asNumber(expected['p'], about), test.p!, TOLERANCE);
    tally.number(`${about}.holm`, asNumber(adjusted[entry], about), test.pHolm!, TOLERANCE);
  }
}

function checkSet(tally: Tally, { name, entries, found, expected }: Compared & { expected: Members }): void {
  tally.equal(`${name}.block`, expected['block'], found.block);
  const close = new Set(texts(expected, 'too_close_to_call'));
  const included = new Set(texts(expected, 'included'));
  const tolerance = asNumber(expected['tolerance'], 'tolerance');
  const pValues = asMembers(expected['p_values'], 'p_values');
  for (const [at, entry] of entries.entries()) {
    const { isInSet, setP } = found.entries[at]!;
    const p = asNumber(pValues[entry], entry);
    tally.equal(`${name}.p.${entry} is within ${tolerance}`, true, Math.abs(p - setP) <= tolerance);
    if (!close.has(entry)) tally.equal(`${name}.included.${entry}`, included.has(entry), isInSet);
  }
}

function texts(members: Members, name: string): string[] {
  return asList(members[name], name).map((each) => asText(each, name));
}
