import type { Bag } from '../bag.ts';
import { draftOf, takeAsOf, takeMeasure, takeMentions, takeSlots, takeWhen, type Frame } from './common.ts';

const COMMON = [
  'which',
  'show_list',
  'how',
  'entity_word',
  'when',
  'where',
  'hold',
  'pronoun',
  'ever',
  'any',
  'show',
];

/** Reads questions such as "What can you answer?" */
export const capabilities: Frame = (bag) => (bag.cue('capability') ? draftOf('capabilities', {}) : undefined);

/** Reads questions such as "Where does the CPI data come from", "which dataset did A's headcount come from". */
export const sources: Frame = (bag, context) => {
  const found = bag.see('cue', ({ cue }) => cue === 'source' || cue === 'where');
  const words = found.map(({ lexeme }) => lexeme.key);
  const isWhere = words.some((word) => /^(where|from where)$/.test(word));
  const isFrom =
    isWhere &&
    bag.lexemes.some(({ key }) => /^(get|from|obtain|take)$/.test(key)) &&
    bag.see('when').length === 0;
  const isStrong = isFrom || words.some((word) => !/^(data|where|from where|get|feed|feeds)$/.test(word));
  if (!isStrong) return undefined;
  const slots = takeSlots(bag, context);
  const isPrices = !slots && bag.nouns('price_data') > 0;
  if (!slots && !isPrices) return undefined;
  bag.cues('source', ...COMMON);
  bag.nouns('data', 'series');
  if (isPrices) return draftOf('explain', { measures: ['price'] }, { what: 'source' });
  if (slots!.when && slots!.when.kind !== 'stretch') return undefined;
  const isAnyPrice = slots!.measures[0]!.startsWith('price.') && slots!.mentions.length === 0;
  if (isAnyPrice) return draftOf('explain', { measures: ['price'] }, { what: 'source' });
  return draftOf('explain', slots!, { what: 'source' });
};

/** Reads questions such as "How was the factor return computed". */
export const methods: Frame = (bag) => {
  if (bag.cues('method') === 0 || bag.see('measure', ({ keys }) => keys[0] !== 'return').length > 0)
    return undefined;
  const noun =
    bag.noun('factor', 'scenario', 'regime') ?? (bag.cues('forecast') > 0 ? 'forecast' : undefined);
  if (noun === undefined) return undefined;
  bag.nouns(noun);
  bag.all('measure', ({ keys }) => noun === 'factor' && keys.includes('return'));
  bag.all('statistic', () => noun === 'factor');
  bag.cues('method', ...COMMON, 'entity_word', 'use');
  return draftOf('explain', { measures: [noun] }, { what: 'method' });
};

/** Reads questions such as "How fresh is the price data". */
export const freshness: Frame = (bag, context) => {
  const isAsked = bag.cues('freshness') > 0;
  if (!isAsked) return undefined;
  bag.cues('source', 'hold', ...COMMON);
  if (bag.nouns('price_data') > 0) return draftOf('explain', { measures: ['price'] }, { what: 'freshness' });
  const slots = takeSlots(bag, context);
  if (!slots || slots.when) return undefined;
  bag.nouns('data');
  const isAnyPrice = slots.measures[0]!.startsWith('price.') && slots.mentions.length === 0;
  return draftOf('explain', isAnyPrice ? { ...slots, measures: ['price'] } : slots, { what: 'freshness' });
};

/** Reads questions such as "Which periods of B revenue do we have". */
export const coverage: Frame = (bag, context) => {
  const strong = bag.see('cue', ({ cue }) => cue === 'coverage');
  const isHeld =
    strong.length === 0 &&
    bag.see('cue', ({ cue }) => cue === 'hold').length > 0 &&
    bag.nouns('month', 'quarter') > 0 &&
    bag.lexemes.some(({ key }) => /which|what/.test(key));
  if (strong.length === 0 && !isHeld) return undefined;
  const slots = takeSlots(bag, context);
  if (!slots || (slots.when && slots.when.kind !== 'whole')) return undefined;
  const isMonths = !isHeld && strong.every(({ lexeme }) => /months|quarters/.test(lexeme.key));
  if (
    isMonths &&
    !bag.lexemes.some(({ key }) =>
      /^(do we have|we have|held|available|data for|hold|do you have|have)$/.test(key),
    )
  )
    return undefined;
  bag.cues('coverage', 'source', ...COMMON);
  bag.all(
    'cue',
    ({ cue }, { key }) => cue === 'horizon_end' && /^(go|reach|extend|stretch|extends|goes)$/.test(key),
  );
  bag.nouns('data');
  const { when: _, ...rest } = slots;
  return draftOf('explain', rest, { what: 'coverage' });
};

/** Reads questions such as "Has A's March 2026 revenue been restated". */
export const revisions: Frame = (bag, context) => {
  if (bag.cues('revisions') === 0) return undefined;
  const slots = takeSlots(bag, context);
  if (!slots) return undefined;
  bag.cues(...COMMON, 'revisions', 'how_much');
  bag.nouns('data');
  return draftOf('explain', slots, { what: 'revisions' });
};

/** Reads questions such as "What unit is GS10 in", "what does churn_rate mean". */
export const definitions: Frame = (bag, context) => {
  const isUnit = bag.see('cue', ({ cue }) => cue === 'unit').some(({ lexeme }) => /unit/.test(lexeme.key));
  const isMeant = !isUnit && isMeaning(bag);
  if (!isUnit && !isMeant) return undefined;
  const found = takeMeasure(bag, context);
  if (!found) return undefined;
  bag.all('agg', ({ agg }, { key }) => isMeant && agg === 'mean' && key === 'mean');
  bag.cues(isUnit ? 'unit' : 'mean', ...COMMON, 'source', 'pronoun', 'unit');
  bag.nouns('series', 'metric', 'data');
  const mentions = takeMentions(bag, isUnit ? [] : []);
  return draftOf(
    'define',
    { measures: found.keys, mentions, asOf: takeAsOf(bag) },
    isUnit ? { what: 'unit' } : {},
  );
};

/** Whether a question asks for a meaning. "Mean" alone is the average, so it needs "does" before it. */
function isMeaning(bag: Bag): boolean {
  const cues = bag.see('cue', ({ cue }) => cue === 'mean');
  const isVerb = bag.lexemes.some(({ key }) => key === 'does' || key === 'do');
  return cues.some(({ lexeme }) => lexeme.key !== 'mean' || isVerb);
}

/** Reads questions such as "What metrics do we have for A". */
export const metricLists: Frame = (bag) => {
  if (bag.nouns('metric') === 0) return undefined;
  const mentions = takeMentions(bag, ['company']);
  if (bag.cues('show_list', 'which') === 0) return undefined;
  bag.cues('hold', 'show_list', 'all', 'entity_word', 'source', 'any');
  bag.nouns('data', 'company');
  return mentions.length === 1
    ? draftOf('list', { measures: ['metric'], mentions, when: takeWhen(bag) })
    : undefined;
};
