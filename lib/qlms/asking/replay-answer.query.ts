import { canonicalHash } from '#lib/core/seal.ts';
import { scopes } from '#lib/core/scope.ts';
import type { Em } from '#lib/database/base.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import type { SemanticQuery } from '../language/query.ts';
import { QlmVersion } from '../registry/qlm.entity.ts';
import { answerIn } from './answer-in.ts';
import { QlmAnswer } from './answer.entity.ts';
import type { SealedAnswer } from './answer.schema.ts';
import { hasSameEngine } from './engine.query.ts';
import { membersOf, resultHashOf } from './members.ts';
import { settingFor } from './setting.query.ts';

/**
 * The result of a replay. `isEngineChanged` states that the answers differ and that the code of another release sealed
 * the first one. `differences` names the sealed members for which the new evaluation gives another value.
 * `changedRecords` names the live records that have changed since the answer; the facts of these records cannot be
 * compared.
 */
export type AnswerReplay =
  | { replayed: false; reason: string }
  | {
      replayed: true;
      identical: boolean;
      isEngineChanged: boolean;
      resultHash: string;
      differences: string[];
      changedRecords: string[];
    };

/** Returns the workspace and environment of a sealed answer; undefined if the answer does not exist. */
export const placeOfAnswer = (em: Em, uid: string) => placeOfRecord(em, QlmAnswer, uid);

/**
 * Evaluates the query of a sealed answer again, with the profile of its version. Uses the dataset revisions, the as-of
 * day and the clock that were sealed with the answer. Returns undefined if the answer does not exist.
 */
export async function replayAnswer(em: Em, uid: string): Promise<AnswerReplay | undefined> {
  const stored = await em.findOne(QlmAnswer, { uid });
  if (!stored) return undefined;
  const { members, versionUid, askedAt } = stored;
  if (members.query === null)
    return { replayed: false, reason: `the answer is ${members.outcome} and has no query` };
  const { profile, contentHash } = await em.findOneOrFail(QlmVersion, { uid: versionUid });
  const asOf = members.input.as_of ?? undefined;
  // The sealed query names the data that was read, so the scopes of the caller do not change the facts of the answer.
  const setting = await settingFor(em, {
    profile,
    profileHash: contentHash,
    scopes: new Set(scopes),
    asOf,
    now: askedAt,
    revisions: members.input_data.dataset_revisions,
  });
  // A sealed query has the members of a semantic query.
  const template = members.outcome === 'answered' ? (members.wording.template ?? 1) : 2;
  const given = await answerIn({ ...setting, template }, { query: members.query as SemanticQuery });
  const again = membersOf(
    given.outcome === 'answered'
      ? { ...given, flags: members.flags, assumptions: members.assumptions.map(({ code }) => code) }
      : given,
    {
      qlm: members.qlm,
      input: members.input,
      bound_lqm: members.bound_lqm,
      engine_hash: members.engine_hash,
      revisions: setting.state.revisions,
      records: setting.state.records,
      sources: setting.state.sources,
      asOf,
    },
  );
  return compared(members, isProvided(members) ? { ...again, ...wordedAs(members) } : again);
}

/** Whether a provider wrote the text of an answer. Such a text is checked by `assay verify`, and not written again. */
function isProvided({ wording }: SealedAnswer): boolean {
  return wording.kind === 'provider';
}

function wordedAs({
  text,
  slots,
  mentions,
}: SealedAnswer): Pick<SealedAnswer, 'text' | 'slots' | 'mentions'> {
  return { text, slots, ...(mentions ? { mentions } : {}) };
}

const COMPARED = ['outcome', 'query', 'text', 'slots', 'mentions', 'names', 'facts'] as const;

function compared(sealed: SealedAnswer, again: SealedAnswer): AnswerReplay {
  const [before, now] = [sealed.input_data.record_state, again.input_data.record_state];
  const differences = COMPARED.filter(
    (name) => canonicalHash(sealed[name] ?? null) !== canonicalHash(again[name] ?? null),
  );
  const changedRecords = Object.keys(before).filter((name) => now[name] !== before[name]);
  const resultHash = resultHashOf(again);
  const identical = differences.length === 0 && resultHash === resultHashOf(sealed);
  return {
    replayed: true,
    identical,
    isEngineChanged: !identical && !hasSameEngine(sealed),
    resultHash,
    differences,
    changedRecords,
  };
}
