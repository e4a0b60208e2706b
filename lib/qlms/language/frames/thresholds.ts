import type { Bag } from '../bag.ts';
import { refuse } from '../codes.ts';
import { draftOf, inUnit, takeLimit, takeSlots, type Frame } from './common.ts';

/** The largest number of periods of a list. A longer list has too many facts, and is refused. */
const PERIODS_MAX = 200;

/**
 * Reads questions such as "In how many months was X above N", "when did X first exceed N", "which months of 2008 saw X
 * above N".
 */
export const thresholds: Frame = (bag, context) => {
  const threshold = bag.one('threshold');
  const isWhole =
    threshold !== undefined &&
    bag.see('when').every(({ when }) => when.kind === 'latest' || when.kind === 'whole');
  const isLast = isWhole && takeLast(bag);
  const slots = threshold && takeSlots(bag, context);
  if (!slots) return undefined;
  const value = Number(inUnit(threshold.value, slots.measure.unit));
  if (
    slots.currency !== undefined &&
    !(slots.currency === 'USD' && /dollars/.test(slots.measure.unit)) &&
    slots.measure.unit !== 'money'
  )
    return refuse('unit_mismatch');
  if (threshold.unit !== undefined && !fitsUnit(threshold.unit, slots.measure.unit))
    return refuse('unit_mismatch');
  if (!Number.isFinite(value)) return undefined;
  const where = [{ field: 'value', op: threshold.op, value }];
  if (slots.measures[0] === 'derived.inflation_yoy' || slots.measures[0] === 'return') return undefined;
  if (bag.cue('how_many') && !isLast) {
    const isOften = bag.lexemes.some(({ key }) => /^how (often|many times)$/.test(key));
    if (bag.nouns('month', 'quarter') === 0 && !isOften) return undefined;
    bag.cues('all', 'ever');
    return draftOf('count', { ...slots, when: slots.when ?? { kind: 'whole' } }, { where, by: 'period' });
  }
  const isWhen =
    bag.cues('when') > 0 ||
    bag.lexemes.some(({ key }) => /(first|last) time$/.test(key)) ||
    (bag.nouns('month', 'quarter') > 0 && bag.cues('which', 'show_list') > 0);
  const first = bag.cue('first');
  const last = !first && (bag.cue('last_time') || isLast);
  const isEach = !first && !last && bag.lexemes.some(({ key }) => /(months|quarters)$/.test(key));
  if (!isWhen || (!first && !last && !isEach)) return undefined;
  bag.cues('ever', 'all', 'if', 'which', 'show_list');
  bag.nouns('month', 'quarter');
  return draftOf(
    'rank',
    { ...slots, when: slots.when && slots.when.kind !== 'latest' ? slots.when : { kind: 'whole' } },
    {
      where,
      by: 'period',
      order: first || isEach ? 'earliest' : 'latest',
      limit: isEach ? PERIODS_MAX : 1,
    },
  );
};

function takeLast(bag: Bag): boolean {
  return bag.all('when', ({ when }) => when.kind === 'latest').length > 0;
}

function fitsUnit(stated: string, unit: string): boolean {
  return stated === 'percent' && unit.startsWith('percent');
}

/** Reads questions such as "Which month of 2008 had the highest VIX", "in which three months was revenue lowest". */
export const rankPeriods: Frame = (bag, context) => {
  const isWhen = bag.one('cue', ({ cue }) => cue === 'when') !== undefined;
  const noun = bag.noun('month', 'quarter', 'year');
  if (!isWhen && !noun) return undefined;
  bag.all('cue', ({ cue }, { key }) => cue === 'rank' && key === 'by');
  bag.cues('which', 'show_list', 'rank', 'how', 'ever');
  const superlative = bag.one('superlative');
  if (!superlative) return undefined;
  bag.all('superlative', ({ order }) => order === superlative.order);
  const slots = takeSlots(bag, context);
  if (!slots || noun === 'year') return undefined;
  const isAsked =
    isWhen ||
    bag.lexemes.some(({ key }) =>
      /^(which|what|in which|in what) (month|months|quarter|quarters)$/.test(key),
    ) ||
    isBefore(bag);
  if (!isAsked) return undefined;
  const nth = bag.one('nth')?.nth;
  const limit = takeLimit(bag) ?? nth ?? 1;
  const when = slots.when ?? { kind: 'whole' as const };
  return draftOf(
    'rank',
    { ...slots, when },
    {
      by: 'period',
      order: superlative.order,
      limit: nth === undefined ? limit : Math.max(nth, limit),
      ...(nth === undefined ? {} : { nth }),
    },
  );
};

/** Whether the noun of a period is near the beginning, as in "in which three months" and "name the months". */
function isBefore({ lexemes }: Bag): boolean {
  const noun = lexemes.findIndex(({ key }) => /^(month|months|quarter|quarters)$/.test(key));
  const isFirst =
    noun > 0 &&
    lexemes
      .slice(0, noun)
      .every(({ readings }) =>
        readings.some(
          ({ slot }) =>
            slot === 'function' ||
            slot === 'number' ||
            slot === 'superlative' ||
            slot === 'nth' ||
            slot === 'cue',
        ),
      );
  // A superlative directly before the noun: "Acme's best month", "the highest quarter".
  if (noun > 0 && lexemes[noun - 1]!.readings.some(({ slot }) => slot === 'superlative')) return true;
  if (
    isFirst &&
    lexemes[noun - 1]!.readings.some(
      ({ slot }) => slot === 'superlative' || slot === 'number' || slot === 'nth',
    )
  )
    return true;
  if (noun === 0) return true;
  const asked = lexemes.findIndex(({ key }) =>
    /^(which|what|name|list|rank|in which|in what|show|show me|give me)$/.test(key),
  );
  return (
    asked >= 0 &&
    noun > asked &&
    lexemes
      .slice(asked + 1, noun)
      .every(({ readings }) =>
        readings.some(
          ({ slot }) => slot === 'function' || slot === 'number' || slot === 'superlative' || slot === 'nth',
        ),
      )
  );
}
