import { compareText } from '#lib/core/compare-text.ts';
import { clopperPearson } from '#lib/numerics/distributions/clopper-pearson.ts';
import type { Judged } from './judge.ts';

/** A share with its exact 95 % interval. */
export type Rate = { k: number; n: number; rate: number | null; lower: number; upper: number };

const OUTCOMES = ['answered', 'clarification', 'refused'] as const;

export type Scores = {
  cases: number;
  /** Counts by expected outcome (rows) and actual outcome (columns), in the order answered, clarification, refused. */
  matrix: number[][];
  outcome: Rate;
  query: Rate;
  facts: Rate;
  code: Rate;
  falseAnswers: Rate;
  falseRefusals: Rate;
  ungrounded: number;
  uncited: number;
};

/** Scores of a suite, over all cases and by tag. */
export type SuiteScores = Scores & { byTag: { tag: string; scores: Scores }[] };

/** Minimum number of cases that a tag needs to get a score of its own. */
const TAG_CASES_MIN = 5;

/** Scores judged cases. */
export function scoreSuite(judged: readonly Judged[]): SuiteScores {
  const tags = [...new Set(judged.flatMap((each) => each.tags))].toSorted(compareText);
  const byTag = tags.flatMap((tag) => {
    const own = judged.filter((each) => each.tags.includes(tag));
    return own.length < TAG_CASES_MIN ? [] : [{ tag, scores: scoresOf(own) }];
  });
  return { ...scoresOf(judged), byTag };
}

function scoresOf(judged: readonly Judged[]): Scores {
  const answerable = judged.filter(({ expected }) => expected === 'answered');
  return {
    cases: judged.length,
    matrix: OUTCOMES.map((expected) =>
      OUTCOMES.map((got) => judged.filter((each) => each.expected === expected && each.got === got).length),
    ),
    outcome: rateOf(judged, ({ expected, got }) => expected === got),
    query: rateOf(
      judged.filter((each) => each.query !== undefined),
      (each) => each.query === true,
    ),
    facts: rateOf(
      judged.filter((each) => each.facts !== undefined),
      (each) => each.facts === true,
    ),
    code: rateOf(
      judged.filter((each) => each.code !== undefined),
      (each) => each.code === true,
    ),
    falseAnswers: rateOf(judged, ({ isFalseAnswer }) => isFalseAnswer),
    falseRefusals: rateOf(answerable, ({ isFalseRefusal }) => isFalseRefusal),
    ungrounded: judged.reduce((sum, each) => sum + each.ungrounded, 0),
    uncited: judged.reduce((sum, each) => sum + each.uncited, 0),
  };
}

function rateOf(judged: readonly Judged[], holds: (each: Judged) => boolean): Rate {
  const [k, n] = [judged.filter(holds).length, judged.length];
  return { k, n, rate: n === 0 ? null : k / n, ...clopperPearson(k, n) };
}

export type Gate = { falseAnswersMax: number; falseAnswersUpperMax: number; falseRefusalsMax: number };

/** The gate of a version, unless its profile sets another gate. */
export const DEFAULT_GATE: Gate = {
  falseAnswersMax: 0.01,
  falseAnswersUpperMax: 0.05,
  falseRefusalsMax: 0.15,
};

/** Returns the reasons why a suite does not pass a gate. An empty list means that the suite passes. */
export function gateFaults(judged: readonly Judged[], scores: Scores, gate: Gate = DEFAULT_GATE): string[] {
  const wrong = judged.filter(
    (each) =>
      each.tags.includes('adversarial') &&
      (each.expected !== each.got || each.code === false || each.isFalseAnswer),
  );
  return [
    ...((scores.falseAnswers.rate ?? 0) > gate.falseAnswersMax ? ['too many false answers'] : []),
    ...(scores.falseAnswers.upper > gate.falseAnswersUpperMax
      ? ['the upper bound of false answers is too high']
      : []),
    ...((scores.falseRefusals.rate ?? 0) > gate.falseRefusalsMax ? ['too many false refusals'] : []),
    ...(scores.ungrounded > 0 ? ['numbers in texts that belong to no fact'] : []),
    ...(scores.uncited > 0 ? ['facts without source or as-of'] : []),
    ...wrong.map(({ id }) => `the adversarial case ${id} is wrong`),
  ];
}
