import { answer } from '#lib/qlms/answer.ts';
import { judge, type Judged } from '#lib/qlms/evaluation/judge.ts';
import { gateFaults, scoreSuite, type Rate, type Scores } from '#lib/qlms/evaluation/score.ts';
import type { Case } from '#lib/qlms/evaluation/suite.ts';
import { GoldenFileError, type Report } from './report.ts';
import { fixtureBeside } from './qlm/fixture.ts';
import { memoryOf } from './qlm/memory-readers.ts';
import { settingOf } from './qlm/setting.ts';

/**
 * A question of the same form with a name that does not exist. A name of another workspace must give the same answer.
 */
const NOWHERE = 'Qwxzzy AG';

/**
 * Answers the cases of a suite and scores the answers. The data are the sample data and the fixture in the folder of
 * the file. The values of sealed runs are not computed. For facts from these runs, only the run and the pointer are
 * compared.
 */
export async function check(contents: string, path: string): Promise<Report> {
  const { judged, leaks } = await judgeSuite(casesOf(contents), path);
  const faults = [
    ...gateFaults(judged, scoreSuite(judged)),
    ...(leaks > 0 ? ['names of another workspace are answered otherwise'] : []),
  ];
  return reportOf(judged, { faults, lines: [] });
}

/**
 * Returns the report of judged cases: the scores, the further lines, and the cases whose answers differ from the
 * expected answers.
 */
export function reportOf(
  judged: readonly Judged[],
  { faults, lines }: { faults: readonly string[]; lines: readonly string[] },
): Report {
  const scores = scoreSuite(judged);
  const wrong = judged.filter(
    (each) =>
      each.expected !== each.got || each.query === false || each.facts === false || each.code === false,
  );
  return {
    cases: judged.length,
    comparisons: judged.length,
    worst: undefined,
    failures: faults.map((name) => ({ name, expected: 'the gate', actual: 'a fault' })),
    notes: [],
    lines: [
      ...describe('all', scores),
      ...lines,
      ...scores.byTag.flatMap(({ tag, scores: own }) => describe(tag, own).slice(0, 1)),
      ...wrong.map(({ id, got, detail }) => `  ${id} ${got}: ${detail}`),
    ],
  };
}

/** Answers and judges all cases. `leaks` counts names of another workspace that are not answered like unknown names. */
export async function judgeSuite(
  cases: readonly Case[],
  path: string,
): Promise<{ judged: Judged[]; leaks: number }> {
  const fixture = fixtureBeside(path);
  const memory = memoryOf(fixture);
  const settings = {
    full: await settingOf(fixture, 'full', memory),
    narrow: await settingOf(fixture, 'narrow', memory),
  };
  const judged: Judged[] = [];
  let leaks = 0;
  for (const test of cases) {
    const setting = settings[test.credential === 'narrow' ? 'narrow' : 'full'];
    const before = (test.context ?? []).map(({ question }) => question);
    const given = await answer({ question: test.question, before }, setting);
    judged.push(judge(test, given));
    if (!test.tags.includes('cross_tenant') || !test.question.includes('Zenith AG')) continue;
    const other = await answer({ question: test.question.replace('Zenith AG', NOWHERE), before }, setting);
    if (withoutSpans(given) !== withoutSpans(other)) leaks += 1;
  }
  return { judged, leaks };
}

function withoutSpans(given: object): string {
  return JSON.stringify({ ...given, spans: [] });
}

/** Reads the cases of a suite, one JSON object in each line. */
export function casesOf(contents: string): Case[] {
  return contents
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as Case;
      } catch {
        throw new GoldenFileError(`line ${index + 1} is not JSON`);
      }
    });
}

function describe(name: string, scores: Scores): string[] {
  const shares = [
    `outcome ${shown(scores.outcome)}`,
    `query ${shown(scores.query)}`,
    `facts ${shown(scores.facts)}`,
    `code ${shown(scores.code)}`,
    `false answers ${shown(scores.falseAnswers)}`,
    `false refusals ${shown(scores.falseRefusals)}`,
  ];
  return [
    `${name} (${scores.cases}): ${shares.join(', ')}`,
    `outcomes, expected in rows, answered, clarification, refused: ${scores.matrix.map((row) => row.join(' ')).join(' | ')}`,
    `ungrounded numbers: ${scores.ungrounded}, facts without source or as-of: ${scores.uncited}`,
  ];
}

function shown({ k, n, lower, upper }: Rate): string {
  const percent = (share: number): string => (100 * share).toFixed(1);
  return n === 0 ? '-' : `${k}/${n} (${percent(lower)} to ${percent(upper)} %)`;
}
