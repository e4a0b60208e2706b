import type { Bag } from '../bag.ts';
import { refuse } from '../codes.ts';
import {
  draftOf,
  takeAsOf,
  takeCurrency,
  takeMeasure,
  takeMentions,
  takeSlots,
  takeWhen,
  type Frame,
} from './common.ts';

/**
 * Reads questions such as "Compare A with B", "which was higher, A or B", "the gap between A and B" for one measure and
 * two entities.
 */
export const compareEntities: Frame = (bag, context) => {
  const isAsked =
    bag.cues('compare', 'higher', 'lower', 'gap', 'exceed', 'or', 'than') +
      bag.all('direction', (_, { key }) => key.startsWith('differ')).length >
    0;
  takeBetween(bag);
  const slots = takeSlots(
    bag,
    context,
    (measure) => measure.subject === 'company' || measure.subject === 'instrument',
  );
  if (!slots || slots.mentions.length !== 2) return undefined;
  bag.cues(
    'and',
    'higher',
    'lower',
    'compare',
    'which',
    'than',
    'or',
    'how_much',
    'exceed',
    'pronoun',
    'show_list',
    'gap',
    'how',
  );
  const ratio = bag.one('unit', ({ unit }) => unit === 'ratio');
  // A second mention of the same measure, as in "Apple's close and Microsoft's close".
  bag.all('measure', ({ keys }) => keys.some((key) => slots.measures.includes(key)));
  const total = bag.all('agg', ({ agg }) => agg === 'sum');
  if (total.length > 0) return draftOf('aggregate', slots, { agg: 'sum', by: 'entity' });
  if (!isAsked && !ratio) return undefined;
  return draftOf('compare', slots, ratio ? { as: 'ratio' } : {});
};

/** Takes "between" before a name: "the difference in X between A and B", "between A and B, which was larger". */
function takeBetween(bag: Bag): void {
  const at = bag.lexemes.findIndex(({ key }) => key === 'between');
  const isBeforeName = bag.lexemes[at + 1]?.readings.some(({ slot }) => slot === 'entity') === true;
  if (at >= 0 && isBeforeName) bag.take(at);
}

/**
 * Reads questions such as "By how much did revenue exceed cost of revenue", "cost as a share of revenue", "the gap
 * between GDP and real GDP".
 */
export const compareMeasures: Frame = (bag, context) => {
  const first = takeMeasure(bag, context);
  const second = first && takeMeasure(bag, context);
  if (!first || !second || first.keys[0] === second.keys[0]) return undefined;
  // "A over B, as a ratio" names the form twice.
  const [ratio] = bag.all('unit', ({ unit }) => unit === 'ratio');
  const asked = bag.cues('exceed', 'gap', 'higher', 'lower', 'compare', 'than', 'or');
  bag.all('comparator', ({ op }) => op === 'gt' || op === 'lt');
  const added = bag.all('agg', ({ agg }) => agg === 'sum').length > 0;
  bag.cues('and', 'how_much', 'which', 'pronoun', 'how', 'from_to', 'show_list', 'entity_word');
  const mentions = takeMentions(
    bag,
    [first.measure, second.measure].flatMap(({ subject }) => (subject === 'none' ? [] : [subject])),
  );
  const currency = takeCurrency(bag);
  const asOf = takeAsOf(bag);
  // "What share of A was B" divides B by A; "A as a share of B" divides A by B.
  const isPart =
    ratio !== undefined && ratio.at < first.at && /share|fraction|proportion|percent/.test(ratio.lexeme.key);
  if (isPart)
    return draftOf(
      'compare',
      { measures: second.keys, mentions, when: takeWhen(bag), asOf, currency },
      { second: first.keys, as: 'ratio' },
    );
  const slots = { measures: first.keys, mentions, when: takeWhen(bag), asOf, currency };
  if (added) return first.measure.unit === second.measure.unit ? undefined : refuse('unit_mismatch');
  if (!ratio && asked === 0) return undefined;
  const isLess = !ratio && bag.lexemes.some(({ key }) => /^(less|lower|smaller|fewer)/.test(key));
  if (isLess && bag.lexemes.some(({ key }) => key === 'how much' || key === 'by how much')) {
    return draftOf('compare', { ...slots, measures: second.keys }, { second: first.keys });
  }
  return draftOf('compare', slots, { second: second.keys, ...(ratio ? { as: 'ratio' } : {}) });
};
