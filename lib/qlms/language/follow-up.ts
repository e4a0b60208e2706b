import { Bag } from './bag.ts';
import { isDraft, type Draft, type QueryDraft, type Understood } from './draft.ts';
import { stretchAround, type When } from './calendar.ts';
import {
  draftOf,
  subjectTypes,
  takeAsOf,
  takeCurrency,
  takeWhen,
  type FrameContext,
} from './frames/common.ts';
import type { Lexeme } from './readings.ts';

type Follow = {
  lexemes: readonly Lexeme[];
  found: Understood | undefined;
  previous: Draft;
  context: FrameContext;
};

/**
 * Reads a question as a follow-up. The previous question supplies the missing slots. Returns undefined if the question
 * is complete in itself or is not a follow-up.
 */
export function followUp({ lexemes, found, previous, context }: Follow): Understood | undefined {
  const before = previous.kind === 'premise' ? previous.claim.draft : previous;
  const asked = found && isDraft(found) && found.kind === 'query' ? found : undefined;
  if (found && !asked) return undefined;
  if (asked) return isShort(lexemes) ? merge(before, asked, context) : undefined;
  const listed = listOf(lexemes, before);
  if (listed) return listed;
  const renamed = otherName(lexemes, before, context);
  if (renamed) return { ...before, measures: [renamed] };
  const bag = new Bag(lexemes);
  bag.cues('follow', 'one', 'pronoun', 'and');
  return lent(bag, before, context);
}

/** Reads slots that replace the slots of the previous question: an entity, a period, a currency, an aggregate. */
function lent(bag: Bag, before: QueryDraft, context: FrameContext): QueryDraft | undefined {
  const extremes = bag.all('superlative').map(({ order }) => (order === 'desc' ? 'max' : 'min'));
  const aggs = [...new Set([...bag.all('agg').map(({ agg }) => agg), ...extremes])];
  bag.cues('which', 'show_list', 'how_much', 'entity_word', 'how');
  const now = draftOf('value', {
    mentions: bag.all('entity').map(({ subjects }) => subjects),
    currency: takeCurrency(bag),
    asOf: takeAsOf(bag),
    when: stepped(bag, before) ?? takeWhen(bag),
  });
  if (bag.left().length > 0 || (Object.keys(now).length <= 2 + 0 * aggs.length && aggs.length === 0))
    return undefined;
  const merged = merge(before, now, context);
  if (aggs.length === 0) return merged;
  return aggs.length === 1 && (before.op === 'aggregate' || before.op === 'value')
    ? { ...merged, op: 'aggregate', agg: aggs[0]! }
    : undefined;
}

/**
 * Reads a follow-up such as "which ones" or "list them". Returns the query that lists the records counted by the
 * previous question.
 */
function listOf(lexemes: readonly Lexeme[], before: QueryDraft): QueryDraft | undefined {
  const isPlain = lexemes.every(({ readings }) =>
    readings.some(
      (each) =>
        each.slot === 'function' ||
        (each.slot === 'cue' && /^(which|show_list|one|pronoun|follow|and|all)$/.test(each.cue)),
    ),
  );
  const isAsked = lexemes.some(({ key }) => /^(which|what|who|list|name|show|give me|show me)\b/.test(key));
  const isRecords = before.op === 'count' && before.when === undefined && before.by === undefined;
  return isPlain && isAsked && isRecords ? { ...before, op: 'list' } : undefined;
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** Returns the period of "the month before" or "a year later": a step from the period of the previous question. */
function stepped(bag: Bag, { when }: QueryDraft): When | undefined {
  const step = bag.one('step');
  if (!step) return undefined;
  if (when?.kind !== 'stretch') return when;
  // "A year later", asked after a month, names a month again.
  const moved = stretchAround('month', when.from, step.by * MONTHS[step.grain]);
  const isShorter = when.grain === 'month' || (when.grain === 'quarter' && step.grain === 'year');
  return {
    kind: 'stretch',
    ...(isShorter && step.grain !== 'month'
      ? stretchAround(when.grain, moved.from, 0)
      : stretchAround(step.grain, when.from, step.by)),
  };
}

/**
 * Whether a question continues the previous question: it begins with words such as "and" or "what about", has a
 * pronoun, or has at most two words with a meaning.
 */
function isShort(lexemes: readonly Lexeme[]): boolean {
  const isLinked =
    /^(and|and for|and in|what about|how about|and what about|same for)$/.test(lexemes[0]?.key ?? '') ||
    lexemes.some(({ readings }) => readings.some((each) => each.slot === 'cue' && each.cue === 'pronoun'));
  return (
    isLinked ||
    lexemes.filter(({ readings }) => !readings.some(({ slot }) => slot === 'function')).length <= 2
  );
}

function merge(before: QueryDraft, now: QueryDraft, { catalogue }: FrameContext): QueryDraft {
  const measures = now.measures ?? before.measures;
  const measure = catalogue.measures.get(measures?.[0] ?? '');
  const types = measure ? subjectTypes(measure) : [];
  const lent = (before.mentions ?? []).filter(
    (subjects) => types.length === 0 || subjects.some(({ type }) => types.includes(type)),
  );
  const own = (now.mentions ?? []).flatMap((subjects) => {
    const fitting = types.length === 0 ? subjects : subjects.filter(({ type }) => types.includes(type));
    return fitting.length > 0 ? [fitting] : [subjects];
  });
  const mentions = own.length > 0 ? own : lent;
  const { isOpen: _, ...rest } = now.measures ? now : { ...before, assumptions: [] };
  const when = now.when ?? before.when;
  return {
    ...rest,
    ...(measures ? { measures } : {}),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(when ? { when } : {}),
    ...((now.asOf ?? before.asOf) ? { asOf: (now.asOf ?? before.asOf)! } : {}),
    ...((now.currency ?? before.currency) === undefined
      ? {}
      : { currency: (now.currency ?? before.currency)! }),
    ...(measures === undefined ? { isOpen: true } : {}),
  };
}

/**
 * Returns the measure that "the nominal one" means: another measure whose name contains the word "nominal", and shares
 * a word with the name of the measure of the previous question.
 */
function otherName(
  lexemes: readonly Lexeme[],
  before: QueryDraft,
  { catalogue }: FrameContext,
): string | undefined {
  const isOne = lexemes.some(({ readings }) =>
    readings.some((each) => each.slot === 'cue' && each.cue === 'one'),
  );
  const content = lexemes.filter(
    ({ readings }) =>
      !readings.some(({ slot }) => slot === 'function') &&
      !readings.some((each) => each.slot === 'cue' && (each.cue === 'one' || each.cue === 'follow')),
  );
  if (!isOne || content.length !== 1 || before.measures === undefined) return undefined;
  const own = [...catalogue.lexicon.full].filter(([, readings]) =>
    readings.some(
      (each) => each.slot === 'measure' && each.keys.some((key) => before.measures!.includes(key)),
    ),
  );
  const words = new Set(own.flatMap(([phrase]) => phrase.split(' ')));
  const fits = [...catalogue.lexicon.full].flatMap(([phrase, readings]) => {
    const parts = phrase.split(' ');
    const isOther =
      parts.includes(content[0]!.key) && parts.some((part) => words.has(part) && part !== content[0]!.key);
    return isOther ? readings.flatMap((each) => (each.slot === 'measure' ? each.keys : [])) : [];
  });
  const keys = [...new Set(fits)].filter((key) => !before.measures!.includes(key));
  return keys.length === 1 ? keys[0] : undefined;
}
