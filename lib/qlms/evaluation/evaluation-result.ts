import type { EvaluationResult } from './evaluation.schema.ts';
import type { JudgedSuite } from './judge-suite.query.ts';
import { gateFaults, scoreSuite } from './score.ts';

const FAILURES_MAX = 200;
const GATE_FAULTS_MAX = 300;
const TAGS_MAX = 200;

type Evaluated = { suite_hash: string; version: number; counts_for_gate: boolean };

/** Scores judged cases against the gate of the version. */
export function evaluationResult(evaluated: Evaluated, { judged, gate }: JudgedSuite): EvaluationResult {
  const plain = judged.map((each) => ({ ...each, detail: '' }));
  const scores = scoreSuite(plain);
  const leaks = judged.filter(({ isLeak }) => isLeak).length;
  const faults = [
    ...gateFaults(plain, scores, {
      falseAnswersMax: gate.false_answers_max,
      falseAnswersUpperMax: gate.false_answers_upper_max,
      falseRefusalsMax: gate.false_refusals_max,
    }),
    ...(leaks > 0 ? ['answers about data that the case may not see'] : []),
  ];
  const wrong = judged.filter(
    (each) =>
      each.expected !== each.got || each.query === false || each.facts === false || each.code === false,
  );
  return {
    suite_hash: evaluated.suite_hash,
    version: evaluated.version,
    cases: scores.cases,
    outcome: { matrix: scores.matrix, accuracy: scores.outcome },
    query_accuracy: scores.query,
    fact_accuracy: scores.facts,
    code_accuracy: scores.code,
    false_answers: scores.falseAnswers,
    false_refusals: scores.falseRefusals,
    ungrounded: scores.ungrounded,
    uncited: scores.uncited,
    leaks,
    by_tag: scores.byTag.slice(0, TAGS_MAX).map(({ tag, scores: own }) => ({
      tag,
      cases: own.cases,
      outcome_accuracy: own.outcome,
      false_answers: own.falseAnswers,
    })),
    failures: wrong
      .slice(0, FAILURES_MAX)
      .map(({ id, expected, got, codeGot }) => ({ case_id: id, expected, got, code: codeGot })),
    gate_faults: faults.slice(0, GATE_FAULTS_MAX),
    passed: faults.length === 0,
    counts_for_gate: evaluated.counts_for_gate,
  };
}
