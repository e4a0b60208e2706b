import { Bag } from './bag.ts';
import { domainOf, type Catalogue, type Domain } from './catalogue.ts';
import { askBack, refuse } from './codes.ts';
import { compose } from './compose.ts';
import { diagnose } from './diagnose.ts';
import type { Draft, QueryDraft, Understood } from './draft.ts';
import { followUp } from './follow-up.ts';
import { frames } from './frames/all.ts';
import type { Frame, FrameContext } from './frames/common.ts';
import { isAction, isForeign, isInstruction, judgementOf } from './gates.ts';
import { lex } from './lex.ts';
import { causeOf, premiseOf } from './premise.ts';
import type { Lexeme, Reading } from './readings.ts';
import { fieldsOf } from './record-nouns.ts';
import { hasStrangeCharacters } from './tokens.ts';

export type Asked = {
  catalogue: Catalogue;
  /** The date of the question in the zone of the workspace. */
  today: string;
  /** The draft of the previous question in the same conversation. */
  previous?: Draft;
};

export type Understanding = { understood: Understood; corrections: readonly string[] };

const CHARACTERS_MAX = 1000;
const ATOMS_MAX = 200;

/**
 * Reads a question. Returns the reading of the first frame that covers every word with content, usually a draft of the
 * query. Returns a refusal or a clarification if no frame covers them. Pure: the same question and catalogue give the
 * same result.
 */
export function understand(question: string, asked: Asked): Understanding {
  const text = question.normalize('NFC');
  const span = { from: 0, to: question.length };
  if (text.trim() === '' || text.length > CHARACTERS_MAX || hasStrangeCharacters(text))
    return { understood: refuse('not_understood', { spans: [span] }), corrections: [] };
  if (isForeign(text)) return { understood: refuse('language', { spans: [span] }), corrections: [] };
  const { lexicon } = asked.catalogue;
  const { lexemes, corrections } = lex(text, lexicon, { today: asked.today });
  if (lexemes.length > ATOMS_MAX)
    return { understood: refuse('not_understood', { spans: [span] }), corrections: [] };
  const gated = gate(text, lexemes, asked);
  if (gated) return { understood: gated, corrections };
  for (const longest of [undefined, ...SHORTER]) {
    const again =
      longest === undefined ? { lexemes, corrections } : lex(text, lexicon, { today: asked.today, longest });
    const understood = read(again.lexemes, asked);
    if (understood) return { understood, corrections: again.corrections };
  }
  const context: FrameContext = { catalogue: asked.catalogue, today: asked.today };
  return { understood: diagnose(compose(lexemes), context), corrections };
}

/** Maximum lengths of closed phrases, in words. They are tried in turn if the longest phrases leave words uncovered. */
const SHORTER = [3, 2, 1];

/** Refuses texts that no frame may read: instructions, actions, judgements, closed domains, two questions in one. */
function gate(text: string, plain: readonly Lexeme[], asked: Asked): Understood | undefined {
  if (isInstruction(plain, text, asked.catalogue.lexicon)) return refuse('instruction');
  const judgement = judgementOf(text);
  if (judgement === 'advice' && /^would you\b/i.test(text)) return refuse(judgement);
  if (isAction(plain)) return refuse('action_requested');
  if (judgement) return refuse(judgement);
  if (isShut(plain, asked.catalogue)) return refuse('not_entitled');
  return isCompound(compose(plain)) ? askBack('compound_question') : undefined;
}

/** Reads the lexemes of a question by the frames. Returns undefined if no frame covers them. */
function read(plain: readonly Lexeme[], asked: Asked): Understood | undefined {
  const lexemes = withFlows(compose(commanded(plain)));
  const context: FrameContext = { catalogue: asked.catalogue, today: asked.today };
  const cover = (list: readonly Lexeme[], only: readonly Frame[] = frames): Understood | undefined =>
    coverBy(list, context, only);
  const lean = (list: readonly Lexeme[], previous: QueryDraft): Understood | undefined =>
    followUp({ lexemes: list, found: cover(list), previous, context });
  const special = premiseOf(lexemes, cover, lean) ?? causeOf(lexemes, cover);
  if (special) return special;
  const found = cover(lexemes);
  return asked.previous ? (followUp({ lexemes, found, previous: asked.previous, context }) ?? found) : found;
}

/** "Compute the growth of X" only asks for the growth. Later in a question, the word asks for a method. */
function commanded([first, ...rest]: readonly Lexeme[]): Lexeme[] {
  if (!first) return [];
  const isCommand = /^(compute|calculate|work out|determine|derive|estimate)$/.test(first.key);
  return [isCommand ? { ...first, readings: [{ slot: 'function' }] } : first, ...rest];
}

/** "Came in" states a value of most measures, but a flow of money if the question names a currency or a ledger. */
function withFlows(lexemes: readonly Lexeme[]): Lexeme[] {
  const isMoney = lexemes.some(({ readings }) =>
    readings.some(
      (each) =>
        each.slot === 'currency' ||
        (each.slot === 'measure' && each.keys.some((key) => key.startsWith('ledger.'))),
    ),
  );
  const isOther = lexemes.some(({ readings }) =>
    readings.some((each) => each.slot === 'measure' && !each.keys.some((key) => key.startsWith('ledger.'))),
  );
  if (!isMoney || isOther) return [...lexemes];
  return lexemes.map((lexeme) =>
    lexeme.readings.some((each) => each.slot === 'cue' && /^(taken_in|paid_out)$/.test(each.cue))
      ? { ...lexeme, readings: lexeme.readings.filter(({ slot }) => slot !== 'function') }
      : lexeme,
  );
}

/** Returns the reading of the lexemes by the first frame that covers all content. */
function coverBy(
  lexemes: readonly Lexeme[],
  context: FrameContext,
  list: readonly Frame[],
): Understood | undefined {
  for (const frame of list) {
    const bag = new Bag(lexemes);
    const found = frame(bag, context);
    if (found && bag.left().length === 0) return found;
  }
  return undefined;
}

/**
 * Whether a text contains two questions: words with content follow a question mark, or "and" begins a second question.
 */
function isCompound(lexemes: readonly Lexeme[]): boolean {
  const at = lexemes.findIndex(({ before }, index) => index > 0 && before.includes('?'));
  if (
    at > 0 &&
    lexemes
      .slice(at)
      .some(({ readings }) => !readings.some(({ slot }) => slot === 'function' || slot === 'cue'))
  )
    return true;
  return lexemes.some(({ key }, index) => {
    const next = lexemes[index + 1]?.key ?? '';
    const isNext = /^(who|why|when|where|how|whose|how much|how many|what is|also)$/.test(next);
    return index > 0 && /^(and|and also|also)$/.test(key) && isNext && index > 2;
  });
}

const NOUN_DOMAINS: Readonly<Record<string, Domain>> = {
  obligation: 'actions',
  delegation: 'actions',
  exception: 'execution',
  workflow_run: 'workflows',
  transaction: 'ledger',
  instrument: 'market',
  symbol: 'market',
  theme: 'market',
  sector: 'market',
  price_data: 'market',
  taxonomy: 'market',
  factor: 'factors',
  factor_run: 'factors',
  scenario: 'scenarios',
  regime: 'model',
  portfolio: 'execution',
};
const CUE_DOMAINS: Readonly<Record<string, Domain>> = {
  owe: 'actions',
  exposure: 'market',
  overdue: 'actions',
  forecast: 'forecasts',
  best_return: 'market',
};

/**
 * Whether a question is about a domain that the caller's scopes give no access to. Only the words of the question are
 * considered.
 */
function isShut(lexemes: readonly Lexeme[], { measures, open }: Catalogue): boolean {
  const nouns = lexemes.flatMap(({ readings }) => readings.flatMap(nounsOf));
  return lexemes.some(({ readings }) => {
    // The name of a field, such as "cash" of a portfolio, counts only in a question about such records.
    const own = readings.filter(
      (each) =>
        each.slot !== 'cue' ||
        !each.cue.startsWith('field:') ||
        nouns.some((noun) => Object.hasOwn(fieldsOf(noun), each.cue.slice('field:'.length))),
    );
    const domains = own.map((reading): Domain | 'none' => {
      if (reading.slot === 'measure') {
        // A name of the vocabulary has a domain even if the caller may not see the measure of the name.
        const all = reading.keys.map((key) => measures.get(key)?.domain ?? domainOf(key) ?? 'none');
        return all.find((domain) => domain === 'none' || open.has(domain)) ?? all[0] ?? 'none';
      }
      if (reading.slot === 'noun') return NOUN_DOMAINS[reading.noun] ?? 'none';
      if (reading.slot === 'sector') return 'market';
      return (reading.slot === 'cue' ? CUE_DOMAINS[reading.cue] : undefined) ?? 'none';
    });
    return domains.length > 0 && domains.every((domain) => domain !== 'none' && !open.has(domain));
  });
}

function nounsOf(reading: Reading): string[] {
  if (reading.slot === 'noun') return [reading.noun];
  return reading.slot === 'entity' ? reading.subjects.map(({ type }) => type) : [];
}
