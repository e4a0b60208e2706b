import type { Bag } from '../bag.ts';
import type { When } from '../calendar.ts';
import type { Base } from '../draft.ts';
import type { Form } from '../query.ts';
import {
  draftOf,
  isTimed,
  takeAsOf,
  takeCurrency,
  takeMeasure,
  takeMentions,
  takeMonthly,
  takeSlots,
  takeWhen,
  type Frame,
} from './common.ts';

/** Reads questions such as "How has X developed since A", "show the trend of X in 2022". */
export const trends: Frame = (bag, context) => {
  const trend = bag.see('cue', ({ cue }) => cue === 'trend');
  if (trend.length === 0) return undefined;
  const isPlainMove = trend.every(({ lexeme }) =>
    /^(moved|moving|movement|how has|how have)$/.test(lexeme.key),
  );
  const isHow = bag.lexemes.some(({ key }) => /^(how|describe how|how has|how have)$/.test(key));
  if (isPlainMove && !isHow) return undefined;
  // "How has X changed from A to B" asks for the change between two points in time, not for a trend.
  const isBetween = bag.see('when', ({ when }) => when.kind === 'range' && when.isChange).length > 0;
  const isChanged = bag.see('direction', (_, { key }) => key.startsWith('chang')).length > 0;
  if (isPlainMove && isBetween && isChanged) return undefined;
  const slots = takeSlots(bag, context);
  if (!slots || !isTimed(slots.when)) return undefined;
  bag.cues('trend', 'how', 'show_list', 'ever');
  bag.all('direction', ({ direction }) => direction === 'any');
  return draftOf('trend', { ...slots, when: slots.when ?? { kind: 'whole' } });
};

/**
 * Reads questions such as "How much did X rise from A to B", "the percentage change in X", "X growth in Q4", "was X
 * higher in A or in B".
 */
export const changes: Frame = (bag, context) => {
  const directions = bag.all('direction');
  const isGrowth =
    bag.cues('growth') > 0 || directions.some(({ lexeme }) => /growth/.test(lexeme.key)) || isCompounded(bag);
  const isGrown =
    isGrowth ||
    directions.some(({ lexeme }) => /^(grow|grew|grown|growing|expand|expanded)/.test(lexeme.key));
  // "The highest revenue in A and B" asks for extremes, which a change between A and B does not state.
  const compared = bag.all(
    'cue',
    ({ cue }, { key }) => /^(higher|lower|gap|exceed|compare|than|or)$/.test(cue) && !key.endsWith('est'),
  ).length;
  bag.all('comparator', ({ op }, { key }) => compared > 0 && (op === 'gt' || op === 'lt') && !/\d/.test(key));
  const steps = bag.all('cue', ({ cue }) => cue === 'yoy' || cue === 'qoq' || cue === 'mom');
  const found = takeMeasure(bag, context);
  const isBased = bag.see('base').length > 0;
  if (!found || (directions.length === 0 && !isGrowth && compared === 0 && steps.length === 0 && !isBased))
    return undefined;
  if (
    directions.length === 0 &&
    !isGrowth &&
    compared > 0 &&
    periodsNamed(bag) < 2 &&
    bag.see('base').length === 0 &&
    steps.length === 0
  )
    return undefined;
  bag.all('measure', ({ keys }) => keys.some((key) => found.keys.includes(key)));
  const { keys: measures, measure } = found;
  const mentions = takeMentions(bag, measure.subject === 'none' ? [] : [measure.subject]);
  const currency = takeCurrency(bag);
  const asOf = takeAsOf(bag);
  const as = takeForm(bag);
  if (as === 'ratio') return undefined;
  takeMonthly(bag);
  bag.cues('how_much', 'how_many', 'how', 'which', 'show_list', 'entity_word', 'where');
  bag.all('cue', ({ cue }, { key }) => cue === 'trend' && /^how (has|have)$/.test(key));
  const base = steps.length === 1 ? { kind: steps[0]!.cue as 'yoy' | 'qoq' | 'mom' } : undefined;
  const times = takeTimes(bag, compared > 0 && directions.length === 0);
  if (!times || steps.length > 1 || mentions.length > 1) return undefined;
  const both = base ?? times.base;
  if (measures[0] === 'return' && directions.length > 0) return undefined;
  // "Year-over-year inflation" is the figure itself, not a change of it.
  if (measures[0] === 'derived.inflation_yoy' && directions.length === 0) return undefined;
  const slots = { measures, mentions, when: times.when, asOf, currency };
  return draftOf('change', slots, {
    ...(both ? { base: both } : {}),
    ...(as ? { as } : isGrowth ? { as: 'percent' as const } : {}),
    ...(isGrown && !both ? { isGrowth: true } : {}),
  });
};

/**
 * Reads questions such as "How much did A gain in 2019": they ask for the return of an instrument and leave the measure
 * out.
 */
export const gains: Frame = (bag, context) => {
  if (!context.catalogue.measures.has('return')) return undefined;
  const directions = bag.all('direction');
  const mentions = takeMentions(bag, ['instrument']);
  if (directions.length !== 1 || directions[0]!.direction === 'any' || mentions.length !== 1)
    return undefined;
  bag.all('unit', ({ unit }) => unit === 'percent');
  bag.cues('how_much', 'how_many', 'which', 'show_list', 'how', 'entity_word');
  const asOf = takeAsOf(bag);
  return draftOf('value', { measures: ['return'], mentions, when: takeWhen(bag), asOf });
};

/** Whether a question asks for a compound annual rate, as in "the CAGR of X". */
function isCompounded(bag: Bag): boolean {
  return (
    bag.see(
      'unit',
      ({ unit }, { key }) => unit === 'annualised_percent' && /cagr|compound|growth rate/.test(key),
    ).length > 0
  );
}

/**
 * Returns the number of periods that a question names. Of a window, "between A and B", both ends count if the question
 * compares them: "How did X compare between A and B".
 */
function periodsNamed(bag: Bag): number {
  const isCompared = bag.has('compare') || bag.has('gap');
  return bag
    .see('when')
    .reduce((sum, { when }) => sum + (isCompared && when.kind === 'range' && when.isChange ? 2 : 1), 0);
}

/** Takes the form of a change. "Over" a period has no meaning of its own and does not ask for a ratio. */
function takeForm(bag: Bag): Form | undefined {
  const units = bag
    .all(
      'unit',
      ({ unit }, { readings }) => unit !== 'ratio' || !readings.some(({ slot }) => slot === 'function'),
    )
    .map(({ unit }) => unit);
  return (units.includes('annualised_percent') ? 'annualised_percent' : units[0]) as Form | undefined;
}

type Times = { when: When | undefined; base: Base | undefined };

/**
 * Takes the end and the base of a change from a window or from two compared periods, or takes one period without a
 * base.
 */
function takeTimes(bag: Bag, isCompared: boolean): Times | undefined {
  const since = bag.one('since');
  if (since?.when.kind === 'stretch') {
    const to = takeWhen(bag);
    return { when: to ?? { kind: 'latest' }, base: since.when };
  }
  const base = bag.one('base');
  if (base?.when.kind === 'stretch') {
    const end = takeWhen(bag);
    return end && end.kind !== 'range' ? { when: end, base: base.when } : undefined;
  }
  const whens = bag.all(
    'when',
    ({ when }) =>
      when.kind === 'stretch' ||
      when.kind === 'range' ||
      when.kind === 'last' ||
      when.kind === 'latest' ||
      when.kind === 'ambiguous',
  );
  const [first, second] = whens;
  if (whens.length > 2) return undefined;
  if (first?.when.kind === 'range') {
    if (second || !first.when.to) return undefined;
    // A window such as "the first nine months of 2026" is compared with the period before it.
    if (!first.when.isChange) return { when: first.when, base: undefined };
    return { when: { kind: 'stretch', ...first.when.to }, base: { kind: 'stretch', ...first.when.from } };
  }
  if (first && second) return isCompared ? { when: first.when, base: second.when } : undefined;
  return { when: first?.when, base: undefined };
}
