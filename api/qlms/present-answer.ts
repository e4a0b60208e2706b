import { canonicalHash } from '#lib/core/seal.ts';
import type { StoredAnswer } from '#lib/qlms/asking/answer-question.command.ts';

/** Presents a sealed answer. Its seal covers the members of the stored answer. */
export function presentAnswer({ uid, members, resultHash, seal, question, usage }: StoredAnswer) {
  return {
    uid,
    ...members,
    question,
    asked_at: members.input.asked_at,
    as_of: members.input.as_of,
    usage: usage ?? { calls: 0, input_tokens: null, output_tokens: null, cost: null },
    input_hash: canonicalHash(members.input),
    result_hash: resultHash,
    seal,
  };
}

/** Presents a sealed answer as an element of a list. */
export function presentAnswerSummary({ uid, members, resultHash }: StoredAnswer) {
  return {
    uid,
    kind: members.kind,
    version: members.qlm.version,
    outcome: members.outcome,
    code: members.refusal?.code ?? members.clarification?.code ?? null,
    facts: members.facts.length,
    asked_at: members.input.asked_at,
    as_of: members.input.as_of,
    result_hash: resultHash,
  };
}
