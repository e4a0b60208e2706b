import { asked } from '#lib/core/asked.ts';
import type { Bag } from '../bag.ts';
import type { Where } from '../query.ts';
import { cuesOfField, fieldsOf } from '../record-nouns.ts';
import { draftOf, takeLimit, type Frame } from './common.ts';
import { takeDates, takeNoun, takeParties, takeStates } from './record-conditions.ts';
import { CUES, namedOf, seesField } from './records.ts';

/** Words that rank amounts and counts. Words such as "worst" and "best" do not name a figure. */
const SIZES =
  /^(largest|biggest|greatest|highest|maximum|max|top|hugest|smallest|lowest|minimum|min|fewest)$/;
const SIZE_OF_VALUE = /^(highest|largest|top|maximum|max|lowest|minimum|min) value$/;
const MOST = /^(most|least)$/;
/** Words that rank days. */
const EARLIEST = /^(first|earliest|next|soonest|nearest|oldest|longest standing)$/;
/** Words for the first day from today on. */
const NEXT = /^(next|soonest|nearest)$/;
const LATEST = /^(last|latest|newest|most recent|most recently|furthest|youngest)$/;

/** The amount that ranks records if a question names no field. */
const AMOUNTS: Readonly<Record<string, string>> = {
  obligation: 'outstanding',
  exception: 'amount',
  transaction: 'amount',
};
/** The day that ranks records if a question names no field. */
const DAYS: Readonly<Record<string, string>> = {
  exception: 'opened_at',
  transaction: 'booked_at',
  workflow_run: 'ended',
};

/**
 * Reads questions such as "The three largest open obligations", "which obligation is due next", "the oldest open
 * exception", "which dataset has the most rows".
 */
export const rankRecords: Frame = (bag, { catalogue, today }) => {
  const word = (form: RegExp): boolean => bag.lexemes.some(({ key }) => form.test(key));
  const noun = takeNoun(bag, catalogue);
  if (noun === undefined || namedOf(bag, noun).length > 0) return undefined;
  // In "the highest value", one phrase names the order and the figure.
  const isOfValue = word(SIZE_OF_VALUE) && Object.hasOwn(fieldsOf(noun), 'value');
  const [isMost, isSize] = [word(MOST), word(SIZES) || isOfValue];
  const [isEarly, isLate] = [word(EARLIEST), word(LATEST)];
  const isRanked = bag.cues('rank') > 0;
  const named = Object.keys(fieldsOf(noun)).filter(
    (field) => isOrdered(noun, field) && ((isOfValue && field === 'value') || seesField(bag, noun, field)),
  );
  const days = named.filter((field) => fieldsOf(noun)[field]!.reads === 'day');
  const figures = named.filter((field) => fieldsOf(noun)[field]!.reads !== 'day');
  if (figures.length > 1 || days.length > 1) return undefined;
  const isOfDay = (isEarly || isLate) && !isSize && !isMost;
  const field = isOfDay
    ? (days[0] ?? DAYS[noun] ?? asked[noun]?.day)
    : (figures[0] ?? (isSize || isRanked ? AMOUNTS[noun] : undefined));
  if (field === undefined || (isEarly && isLate) || !(isOfDay || isSize || isMost || isRanked))
    return undefined;
  const superlatives = bag.all(
    'superlative',
    (_, { key }) => SIZES.test(key) || MOST.test(key) || (isOfValue && SIZE_OF_VALUE.test(key)),
  );
  const orders = new Set(superlatives.filter(({ lexeme }) => lexeme.key !== 'top').map(({ order }) => order));
  if (orders.size > 1) return undefined;
  bag.all('agg', (_, { key }) => SIZES.test(key));
  const nth = isOfDay ? undefined : bag.one('nth')?.nth;
  if (isOfDay) {
    bag.cues('first', 'last_time', 'soonest', 'when');
    bag.all('nth', ({ nth: place }) => place === 1);
    bag.all('when', ({ when }) => when.kind === 'latest');
  }
  const limit = takeLimit(bag) ?? (isSingular(bag, noun) ? 1 : 10);
  // A condition such as "due in December" also uses the words of the due date.
  const isCondition = noun === 'obligation' && (bag.see('when').length > 0 || bag.see('until').length > 0);
  if (!isCondition) bag.cues(...cuesOfField(noun, field));
  const isNext = isOfDay && word(NEXT);
  const where = rankConditions(bag, { noun, field, today, isNext });
  if (!where) return undefined;
  bag.cues(...cuesOfField(noun, field), 'still', 'how_much', 'when');
  bag.all('measure', ({ keys }) => keys.includes(noun));
  bag.cues(...CUES);
  if (bag.see('state').length > 0) return undefined;
  const order = isOfDay ? (isLate ? 'latest' : 'earliest') : (orders.values().next().value ?? 'desc');
  return draftOf(
    'rank',
    { measures: [`${noun}.${field}`] },
    {
      order,
      limit: Math.max(nth ?? 1, limit),
      ...(nth === undefined ? {} : { nth }),
      ...(where.length > 0 ? { where } : {}),
    },
  );
};

/** Whether records can be ranked by a field. */
function isOrdered(noun: string, field: string): boolean {
  return /^(day|count|money)$/.test(fieldsOf(noun)[field]!.reads);
}

type Ranking = { noun: string; field: string; today: string; isNext: boolean };

/** Takes the conditions of a ranking. "Open" obligations have an outstanding amount; "due next" starts today. */
function rankConditions(bag: Bag, { noun, field, today, isNext }: Ranking): Where[] | undefined {
  const states = takeStates(bag, noun);
  if (states.some(({ field: own }) => own === 'severity')) bag.cues('severity');
  const isOpen =
    noun === 'obligation' &&
    bag.all('state', ({ states: list }) => list.some(({ value }) => value === 'open')).length > 0;
  const dates = takeDates(bag, noun, today);
  if (!dates) return undefined;
  const isDueNext = noun === 'obligation' && isNext && field === 'due_date' && dates.length === 0;
  const outstanding: Where = { field: 'outstanding', op: 'gt', value: '0' };
  const isHeld = dates.some(({ field: own }) => own === 'outstanding');
  return [
    ...states,
    ...dates,
    ...(isDueNext ? [{ field: 'due_date', op: 'gte', value: today }] : []),
    ...((isDueNext || isOpen) && !isHeld ? [outstanding] : []),
    ...takeParties(bag),
  ];
}

/** Whether a question asks for one record: the noun of the records is in the singular. */
function isSingular(bag: Bag, noun: string): boolean {
  const names = bag.lexemes.filter(({ readings }) =>
    readings.some(
      (each) =>
        (each.slot === 'noun' && each.noun === noun) ||
        (each.slot === 'state' && each.states.some((state) => state.noun === noun && state.field === 'type')),
    ),
  );
  return names.every(({ key }) => !/s$|^(letters|batches|data sets)\b/.test(key));
}
