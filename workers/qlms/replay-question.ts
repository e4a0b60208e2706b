import type { Em } from '#lib/database/base.ts';
import { replayAnswer } from '#lib/qlms/asking/replay-answer.query.ts';

/**
 * The result of a replay of an answer. `changed_records` names the live records that have changed since.
 * `engine_changed` is true if the answers differ and the code of another release sealed the first one.
 */
export type AnswerReport =
  | {
      replayed: true;
      identical: boolean;
      differences: string[];
      result_hash: string;
      changed_records?: string[];
      engine_changed?: true;
    }
  | { replayed: false; reason: string };

/** Evaluates the query of a sealed answer of the current tenant again, at the sealed revisions of the data. */
export async function replayQuestion(em: Em, uid: string): Promise<AnswerReport> {
  const replayed = await replayAnswer(em, uid);
  if (!replayed) return { replayed: false, reason: `there is no answer ${uid}` };
  if (!replayed.replayed) return replayed;
  const { identical, isEngineChanged, differences, changedRecords, resultHash } = replayed;
  return {
    replayed: true,
    identical,
    differences,
    result_hash: resultHash,
    ...(changedRecords.length > 0 ? { changed_records: changedRecords } : {}),
    ...(isEngineChanged ? { engine_changed: true } : {}),
  };
}
