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

/** Takes the first measure whose declarations satisfy a condition, by the names of the caller. */
export function takeMeasure(
  bag: Bag,
  { catalogue }: FrameContext,
  holds: (measure: Measure) => boolean = () => true,
): { keys: string[]; measure: Measure; at: number } | undefined {
  const found = bag.see('measure').flatMap((each) => {
    const keys = each.keys.filter((key) => {
      const measure = catalogue.measures.get(key);
      return measure !== undefined && holds(measure);
    });
    return keys.length > 0 ? [{ keys, at: each.at, measure: catalogue.measures.get(keys[0]!)! }] : [];
  })[0];
  if (found) bag.take(found.at);
  return found;
}

/** Takes the entities of a type. A mention with several candidates keeps those of the type. */
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
  const whens = bag.see('when');
  const named = whens.filter(({ when }) => when.kind !== 'latest' && when.kind !== 'whole');
  const chosen = named.length === 1 ? named[0] : named.length === 0 ? whens[0] : undefined;
  if (!chosen) return undefined;
  for (const each of [chosen]) bag.take(each.at);
  return chosen.when;
}

/** Takes the time of knowledge. "What did we believe on D" states it by its verb. */
export function takeAsOf(bag: Bag): When | undefined {
  const asOf = bag.one('as_of');
  if (asOf) {
    bag.all('when', ({ when }) => when.kind === 'latest' && bag.see('when').length > 1);
    return asOf.when;
  }
  const believed = bag.one('cue', ({ cue }) => cue === 'believe');
  if (!believed) return undefined;
  const day = bag.see('when').findLast(({ when }) => when.kind === 'stretch');
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

/** The currency of a question that names two or asks for a conversion. No currency has this code. */
export const CONVERTED = 'converted';

/** Takes the currency of the requested figures. */
export function takeCurrency(bag: Bag): string | undefined {
  const codes = new Set(bag.all('currency').map(({ codes: each }) => each[0]!));
  const isConverted = bag.cues('convert') > 0;
  if (codes.size > 0) bag.cues('unit');
  return codes.size > 1 || (isConverted && codes.size > 0) ? CONVERTED : [...codes][0];
}

/** Returns the draft of an operation on slots. Absent slots stay absent. */
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

/** Takes the number of results of a ranking: "top 5", "three". Takes only integers from 1 to 99. */
export function takeLimit(bag: Bag): number | undefined {
  const number = bag.one('number', ({ value, unit }) => unit === undefined && /^[1-9]\d?$/.test(value));
  return number && Number(number.value);
}
