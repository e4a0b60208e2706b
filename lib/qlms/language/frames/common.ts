import { withoutTrailing } from '#lib/core/without-trailing.ts';
import type { Bag } from '../bag.ts';
import type { Catalogue, Measure } from '../catalogue.ts';
import type { When } from '../calendar.ts';
import type { QueryDraft, Understood } from '../draft.ts';
import type { Subject } from '../query.ts';

/** Fills the slots of one kind of question from a bag. Returns undefined if the question is of another kind. */
export type Frame = (bag: Bag, context: FrameContext) => Understood | undefined;

export type FrameContext = { catalogue: Catalogue; today: string };

/** The slots that most questions about values have. */
export type Slots = {
  measures: readonly string[];
  measure: Measure;
  mentions: (readonly Subject[])[];
  when: When | undefined;
  asOf: When | undefined;
  currency: string | undefined;
};

/** Whether there is no period, or the period is not in the future. */
export function isTimed(when: When | undefined): boolean {
  return when === undefined || when.kind !== 'future';
}

/**
 * Takes the first name that has a measure in the caller's catalogue for which a condition holds. Returns the keys of
 * all measures of this name for which the condition holds.
 */
export function takeMeasure(
  bag: Bag,
  { catalogue }: FrameContext,
  holds: (measure: Measure) => boolean = () => true,
): { keys: string[]; measure: Measure; at: number } | undefined {
  const all = bag.see('measure').flatMap((each) => {
    const keys = each.keys.filter((key) => {
      const measure = catalogue.measures.get(key);
      return measure !== undefined && holds(measure);
    });
    return keys.length > 0 ? [{ keys, at: each.at, measure: catalogue.measures.get(keys[0]!)! }] : [];
  });
  // In "the closing VIX", the word before the measure only says which of its values is meant.
  const isClosing =
    all.length > 1 && all[0]!.keys[0] === 'price.close' && isJoined(bag, all[0]!.at, all[1]!.at);
  const found = isClosing && /^(none|currency)$/.test(all[1]!.measure.subject) ? all[1] : all[0];

  if (found) bag.take(found.at);
  return found;
}

/** Whether two words are neighbours, or only a currency is between them: "closing EUR balance". */
function isJoined({ lexemes }: Bag, one: number, other: number): boolean {
  return lexemes
    .slice(one + 1, other)
    .every(({ readings }) => readings.some(({ slot }) => slot === 'currency'));
}

/** Takes the entities of a type. If a mention has several candidates, only the candidates of this type are kept. */
export function takeMentions(bag: Bag, types: readonly string[]): (readonly Subject[])[] {
  return bag
    .all('entity', ({ subjects }) => subjects.some(({ type }) => types.includes(type)))
    .map(({ subjects }) => subjects.filter(({ type }) => types.includes(type)));
}

/** Takes the period of a question: a window, an open window, or one period. */
export function takeWhen(bag: Bag): When | undefined {
  const since = bag.one('since');
  if (since?.when.kind === 'stretch')
    return { kind: 'range', from: since.when, to: undefined, isChange: false };
  const until = bag.see(
    'until',
    ({ when, edge }) => edge === 'by' && (when.isEnd === true || when.grain === 'day'),
  );
  if (until.length === 1 && bag.see('when').length === 0) {
    bag.take(until[0]!.at);
    return until[0]!.when;
  }
  const whens = bag.see('when');
  const named = whens.filter(({ when }) => when.kind !== 'latest' && when.kind !== 'whole');
  const chosen = named.length === 1 ? named[0] : named.length === 0 ? whens[0] : undefined;
  if (!chosen) return undefined;
  bag.take(chosen.at);
  // "The latest value on record": the newest of all.
  if (chosen.when.kind === 'latest')
    bag.all('when', ({ when }) => when.kind === 'whole' || when.kind === 'latest');
  return chosen.when;
}

/** Takes the as-of day. In "What did we believe on D", the verb shows that D is the as-of day. */
export function takeAsOf(bag: Bag): When | undefined {
  const asOf = bag.one('as_of');
  if (asOf) {
    bag.all('when', ({ when }) => when.kind === 'latest' && bag.see('when').length > 1);
    bag.cues('believe');
    return asOf.when;
  }
  const believed = bag.one('cue', ({ cue }) => cue === 'believe');
  if (!believed) return undefined;
  const days = bag.see('when', ({ when }) => when.kind === 'stretch');
  const ofDay = days.find(({ when }) => when.kind === 'stretch' && when.grain === 'day');
  const day = days.length > 1 ? (ofDay ?? days.at(-1)) : days[0];
  if (!day) return undefined;
  bag.take(day.at);
  return day.when;
}

/** The types of entities that values of a measure belong to. */
export function subjectTypes(measure: Measure): string[] {
  if (measure.domain === 'ledger') return ['account'];
  return measure.subject === 'none' ? [] : [measure.subject];
}

/** Takes the slots of a question about the values of one measure. */
export function takeSlots(
  bag: Bag,
  context: FrameContext,
  holds?: (measure: Measure) => boolean,
): Slots | undefined {
  const found = takeMeasure(bag, context, holds);
  if (!found) return undefined;
  const { keys, measure } = found;
  const mentions = takeMentions(bag, [
    ...new Set(keys.flatMap((key) => subjectTypes(context.catalogue.measures.get(key)!))),
  ]);
  if (measure.subject === 'company' || measure.subject === 'instrument') bag.cues('entity_word');
  if (measure.subject === 'none') bag.cue('entity_word');
  const currency = takeCurrency(bag);
  const asOf = takeAsOf(bag);
  return { measures: keys, measure, mentions, when: takeWhen(bag), asOf, currency };
}

/**
 * Stands in for the currency code if a question names two currencies or asks for a conversion. It is not the code of
 * any currency.
 */
export const CONVERTED = 'converted';

/** Takes the currency of the requested figures. */
export function takeCurrency(bag: Bag): string | undefined {
  const codes = new Set(bag.all('currency').map(({ codes: each }) => each[0]!));
  const isConverted = bag.cues('convert') > 0;
  if (codes.size > 0) bag.cues('unit');
  // "At 1.10 dollars per euro": a rate that the question states.
  if (codes.size > 1) bag.all('number', ({ unit }) => unit === undefined);
  return codes.size > 1 || (isConverted && codes.size > 0) ? CONVERTED : [...codes][0];
}

/** Ignores "monthly" if the values of a measure are monthly anyway. */
export function takeMonthly(bag: Bag): void {
  bag.all(
    'noun',
    ({ noun }, { key }) => noun === 'month' && /^(monthly|month end|monthly readings)$/.test(key),
  );
}

/** Returns the draft of an operation with the given slots. The draft omits the slots that are absent. */
export function draftOf(
  op: QueryDraft['op'],
  slots: Partial<Slots>,
  more: Partial<QueryDraft> = {},
): QueryDraft {
  const { measures, mentions, when, asOf, currency } = slots;
  return {
    kind: 'query',
    op,
    ...(measures ? { measures } : {}),
    ...(mentions && mentions.length > 0 ? { mentions } : {}),
    ...(when ? { when } : {}),
    ...(asOf ? { asOf } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...more,
  };
}

const UNIT_DIGITS: Readonly<Record<string, number>> = { thousands: 3, millions: 6, billions: 9 };

/**
 * Returns a number in the unit of a measure: in "billions of dollars", 20 trillion becomes 20,000. Numbers smaller than
 * one unit are not converted.
 */
export function inUnit(value: string, unit: string): string {
  const digits = UNIT_DIGITS[unit.split(' ')[0]!];
  const [whole = '', decimals = ''] = value.replace('-', '').split('.');
  if (digits === undefined || whole.length <= digits) return value;
  const [high, low] = [whole.slice(0, -digits), whole.slice(-digits)];
  const rest = withoutTrailing(low + decimals, '0');
  return `${value.startsWith('-') ? '-' : ''}${high}${rest === '' ? '' : `.${rest}`}`;
}

/** Takes the number of results of a ranking: "top 5", "three". Takes only integers from 1 to 99. */
export function takeLimit(bag: Bag): number | undefined {
  const number = bag.one('number', ({ value, unit }) => unit === undefined && /^[1-9]\d?$/.test(value));
  return number && Number(number.value);
}
