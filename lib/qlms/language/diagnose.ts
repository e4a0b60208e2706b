import { Bag } from './bag.ts';
import { domainOf } from './catalogue.ts';
import { askBack, refuse, type Clarification, type Refusal, type Span } from './codes.ts';
import type { QueryDraft, Understood } from './draft.ts';
import { subjectTypes, type FrameContext } from './frames/common.ts';
import { open } from './frames/series.ts';
import type { Lexeme, Reading } from './readings.ts';
import { isRecordNoun } from './record-nouns.ts';
import { isReferenceForm } from './references.ts';

/** Returns why no frame covers a question: an unknown name, an unknown figure, a missing figure, or unused words. */
export function diagnose(lexemes: readonly Lexeme[], context: FrameContext): Understood {
  if (isPortfolio(lexemes)) return refuse('unknown_entity', { spans: spansOf(lexemes) });
  const opened = openDraft(lexemes, context);
  if (opened) return opened;
  const unknown = lexemes.filter((lexeme) => has(lexeme, 'unknown'));
  const spans = spansOf(lexemes);
  // The only unknown words are references that no record has.
  if (unknown.length > 0 && unknown.every(({ text }) => isReferenceForm(text)))
    return isAboutShut(lexemes, context) ? refuse('not_entitled') : refuse('unknown_entity', { spans });
  const measures = lexemes.filter((lexeme) => has(lexeme, 'measure'));
  if (lexemes.some((lexeme) => hasCue(lexeme, 'will')) || (hasFuture(lexemes) && !isAboutRecords(lexemes)))
    return refuse('no_sealed_forecast', { spans });
  if (lexemes.some((lexeme) => hasCue(lexeme, 'oil')) && !lexemes.some((lexeme) => hasCue(lexeme, 'happens')))
    return refuse('unknown_metric', { spans });
  if (measures.length > 0) return withMeasure(lexemes, { unknown, spans, context });
  if (isAboutNames(lexemes) && isInPlace(lexemes, unknown)) return refuse('unknown_entity', { spans });
  if (isFigureAsked(lexemes, unknown)) return refuse('unknown_metric', { spans });
  return refuse('not_understood', { spans });
}

/**
 * Returns the positions of the unknown words. If every word is known, returns the positions of all words with a
 * meaning.
 */
function spansOf(lexemes: readonly Lexeme[]): Span[] {
  const unknown = lexemes.filter((lexeme) => has(lexeme, 'unknown'));
  return (unknown.length > 0 ? unknown : lexemes.filter((lexeme) => !has(lexeme, 'function'))).map(
    ({ from, to }) => ({ from, to }),
  );
}

/** Whether a question has a word for records to which the caller's scopes give no access. */
function isAboutShut(lexemes: readonly Lexeme[], { catalogue }: FrameContext): boolean {
  const nouns = lexemes.flatMap(({ readings }) =>
    readings.flatMap((each) => {
      if (each.slot === 'noun') return [each.noun];
      if (each.slot === 'state') return each.states.map(({ noun }) => noun);
      if (each.slot === 'measure') return each.keys;
      return each.slot === 'cue' && /^(owe|due|overdue)$/.test(each.cue) ? ['obligation'] : [];
    }),
  );
  const domains = nouns.flatMap((noun) => domainOf(noun) ?? []);
  return domains.some((domain) => !catalogue.open.has(domain));
}

/** Whether a question names a portfolio: "the value of portfolio Alpha", "the Growth portfolio". */
function isPortfolio(lexemes: readonly Lexeme[]): boolean {
  const at = lexemes.findIndex(({ key }) => key === 'portfolio');
  const isNamed = (lexeme: Lexeme | undefined): boolean =>
    lexeme !== undefined &&
    (has(lexeme, 'unknown') || (lexeme.isCapital && !has(lexeme, 'when') && !has(lexeme, 'entity')));
  return at >= 0 && (isNamed(lexemes[at + 1]) || (at > 1 && isNamed(lexemes[at - 1])));
}

/** Whether a question is about the exposure, sector, debt or statistic of something that has a name. */
function isAboutNames(lexemes: readonly Lexeme[]): boolean {
  return lexemes.some(({ readings }) =>
    readings.some(
      (each) =>
        each.slot === 'statistic' ||
        (each.slot === 'noun' && /^(sector|theme)$/.test(each.noun)) ||
        (each.slot === 'cue' && /^(exposure|owe|happens|sub_industry)$/.test(each.cue)),
    ),
  );
}

/** Reads a question that leaves the measure out, if all its words have a meaning. */
function openDraft(
  lexemes: readonly Lexeme[],
  context: FrameContext,
): QueryDraft | Clarification | Refusal | undefined {
  const bag = new Bag(lexemes);
  const found = open(bag, context);
  if (!found || bag.left().length > 0 || !('kind' in found) || found.kind !== 'query') return undefined;
  const hasContent = lexemes.some((lexeme) => !has(lexeme, 'function'));
  return hasContent ? found : refuse('not_understood');
}

type Left = {
  unknown: readonly Lexeme[];
  spans: readonly { from: number; to: number }[];
  context: FrameContext;
};

function withMeasure(lexemes: readonly Lexeme[], { unknown, spans, context }: Left): Understood {
  const keys = lexemes.flatMap(({ readings }) =>
    readings.flatMap((each) => (each.slot === 'measure' ? [each.keys] : [])),
  );
  const measures = keys.flat().flatMap((key) => context.catalogue.measures.get(key) ?? []);
  const types = new Set(measures.flatMap(subjectTypes));
  const entities = lexemes.filter((lexeme) => has(lexeme, 'entity'));
  const fits = entities.some(({ readings }) =>
    readings.some((each) => each.slot === 'entity' && each.subjects.some(({ type }) => types.has(type))),
  );
  const isNamed = measures.some(({ subject }) => subject === 'company' || subject === 'instrument');
  if (isNamed && !fits && (isInPlace(lexemes, unknown) || (unknown.length === 0 && entities.length === 1)))
    return refuse('unknown_entity', {
      spans: unknown.length > 0 ? spans : entities.map(({ from, to }) => ({ from, to })),
    });
  const hasAnd = unknown.length === 0 && lexemes.some(({ key }) => key === 'and');
  const isListed =
    lexemes.filter((lexeme) => has(lexeme, 'when')).length > 1 || (isNamed && fits && entities.length > 1);
  if (hasAnd && isListed) return askBack('compound_question');
  const isTwo = new Set(keys.map((each) => each.join())).size > 1;
  if (isTwo && unknown.length === 0 && lexemes.some(({ key }) => key === 'and' || key === 'or'))
    return askBack('compound_question');
  return refuse('not_understood', { spans });
}

/**
 * Whether all unknown words are together at a place where a question can have a name: before a possessive, or after
 * "of", "for", "did".
 */
function isInPlace(lexemes: readonly Lexeme[], unknown: readonly Lexeme[]): boolean {
  if (unknown.length === 0) return false;
  const first = lexemes.indexOf(unknown[0]!);
  const last = lexemes.indexOf(unknown.at(-1)!);
  const between = lexemes.slice(first, last + 1);
  if (
    between.length > 6 ||
    !between.every(
      (lexeme) =>
        has(lexeme, 'unknown') || lexeme.isCapital || lexeme.key === 'and' || has(lexeme, 'function'),
    )
  )
    return false;
  const before = lexemes[first - 1];
  const after =
    /^(of|for|by|at|did|does|has|is|was|were|that|from|the|on|about)$/.test(before?.key ?? '') ||
    (before !== undefined && hasCue(before, 'owe') && lexemes[first]!.isCapital);
  const isOwner =
    lexemes[last]!.isPossessive ||
    has(lexemes[last + 1] ?? lexemes[last]!, 'measure') ||
    has(lexemes[last + 2] ?? lexemes[last]!, 'measure');
  return (
    (after || first === 0 || isOwner) &&
    !(before && has(before, 'measure') && !isOwner && !lexemes[first]!.isCapital)
  );
}

/** Whether a question asks for one unknown figure: "what is the unemployment rate". */
function isFigureAsked(lexemes: readonly Lexeme[], unknown: readonly Lexeme[]): boolean {
  if (unknown.length === 0 || unknown.length > 4) return false;
  const plain = /^(show_list|which|how|how_much|how_many|entity_word|pronoun|all)$/;
  const isOnly = lexemes.every(({ readings }) =>
    readings.some(
      (each) =>
        /^(unknown|function|when|entity|currency)$/.test(each.slot) ||
        (each.slot === 'cue' && plain.test(each.cue)),
    ),
  );
  if (!isOnly) return false;
  const isAsked = lexemes.some(({ key }) =>
    /^(what|whats|how|how \w+|show|show me|give me|tell me|which|do you know)$/.test(key),
  );
  const first = lexemes.indexOf(unknown[0]!);
  const last = lexemes.indexOf(unknown.at(-1)!);
  const isOne = last - first < 5;
  return (
    (isAsked &&
      isOne &&
      /^(the|our|s|is|was|are|were|of|for|current|latest|did|of the)$/.test(lexemes[first - 1]?.key ?? '')) ||
    (isAsked && isOne && lexemes[first - 1]?.isPossessive === true) ||
    (isAsked && isOne && has(lexemes[first - 1] ?? lexemes[first]!, 'when'))
  );
}

/** Whether a question has a noun of records: their days can be in the future without a forecast. */
function isAboutRecords(lexemes: readonly Lexeme[]): boolean {
  return lexemes.some(({ readings }) =>
    readings.some((each) => each.slot === 'noun' && isRecordNoun(each.noun)),
  );
}

function hasFuture(lexemes: readonly Lexeme[]): boolean {
  return lexemes.some(({ readings }) =>
    readings.some((each) => each.slot === 'when' && each.when.kind === 'future'),
  );
}

function has({ readings }: Lexeme, slot: Reading['slot']): boolean {
  return readings.some((each) => each.slot === slot);
}

function hasCue({ readings }: Lexeme, cue: string): boolean {
  return readings.some((each) => each.slot === 'cue' && each.cue === cue);
}
