import { createAjv } from '#lib/core/ajv.ts';
import { readPeriod } from '#lib/data/period.ts';
import { DEFAULT_GATE } from '../evaluation/score.ts';
import { closedPhrases } from '../language/closed-words.ts';
import { nameKeys } from '../language/tokens.ts';
import { WrittenProfile, type BoundLqm, type QlmProfile } from './profile.schema.ts';

const NAMES_MAX = 2_000;

const validate = createAjv({ allErrors: false }).compile(WrittenProfile);

/** Checks the form of a written profile. Returns the first fault, or undefined. */
export function profileFault(written: unknown): string | undefined {
  if (validate(written)) return undefined;
  const [error] = validate.errors ?? [];
  const extra = error?.params['additionalProperty'] as string | undefined;
  return `${error?.instancePath || '/'} ${error?.message ?? 'is not valid'}${extra === undefined ? '' : `: ${extra}`}`;
}

/** Returns the complete profile: the written members, the defaults, the binding and the suite of the gate. */
export function completeProfile(
  written: WrittenProfile,
  { bound, suite }: { bound: BoundLqm | null; suite: string | null },
): QlmProfile {
  const { suite: _key, suite_uid: _uid, ...gate } = written.gate ?? {};
  return {
    intended_use: null,
    not_for: [],
    vocabulary: {},
    planner: { kind: 'embedded' },
    wording: 'template',
    fallback: 'embedded',
    stale_after_days: { daily: 10, weekly: 21, monthly: 75, quarterly: 200, yearly: 550 },
    drift_policy: 'refuse_model_tools',
    max_facts: 50,
    keep_question_days: 90,
    grammar: 'svc.qlm.grammar/1',
    ...written,
    bound_lqm: bound,
    gate: {
      false_answers_max: DEFAULT_GATE.falseAnswersMax,
      false_answers_upper_max: DEFAULT_GATE.falseAnswersUpperMax,
      false_refusals_max: DEFAULT_GATE.falseRefusalsMax,
      ...gate,
      suite_uid: suite,
    },
  };
}

/** The facts about the names of a workspace that a vocabulary is checked against. */
export type KnownNames = {
  /** The keys of all measures, and the names of sectors as `sector.NAME`. */
  measures: ReadonlySet<string>;
  /** The names of entities, in the form that `phraseOf` returns. */
  entities: ReadonlySet<string>;
};

/** Returns the words of a name, by which names are compared. */
export function phraseOf(name: string): string {
  return nameKeys(name).join(' ');
}

/**
 * Returns the conflict of a vocabulary; undefined if there is none. A conflict is an unknown measure, one name for two
 * measures, or a name that is already a word of the grammar or the name of an entity.
 */
export function vocabularyConflict(
  vocabulary: QlmProfile['vocabulary'],
  { measures, entities }: KnownNames,
): string | undefined {
  const seen = new Map<string, string>();
  let count = 0;
  for (const [key, names] of Object.entries(vocabulary)) {
    if (!measures.has(key)) return `The vocabulary names the measure ${key}, which does not exist.`;
    for (const name of names) {
      count += 1;
      const phrase = phraseOf(name);
      if (phrase === '') return `The name ${JSON.stringify(name)} contains no word.`;
      const other = seen.get(phrase);
      if (other !== undefined && other !== key)
        return `The name ${JSON.stringify(name)} belongs to ${other} and to ${key}.`;
      if (isReserved(phrase)) return `The name ${JSON.stringify(name)} already has a meaning in questions.`;
      if (entities.has(phrase)) return `The name ${JSON.stringify(name)} is the name of an entity.`;
      seen.set(phrase, key);
    }
  }
  return count > NAMES_MAX ? `A vocabulary has at most ${NAMES_MAX} names.` : undefined;
}

/** The slots of phrases that no name may have: function words, operations, periods and comparators. */
const RESERVED = new Set(['function', 'agg', 'superlative', 'comparator', 'when', 'unit']);

function isReserved(phrase: string): boolean {
  const isWord = (closedPhrases.get(phrase) ?? []).some(({ slot }) => RESERVED.has(slot));
  return isWord || readPeriod(phrase) !== undefined || /^\d+$/.test(phrase);
}
