import type { Bag } from '../bag.ts';
import type { When } from '../calendar.ts';
import { refuse } from '../codes.ts';
import type { Base } from '../draft.ts';
import type { Form } from '../query.ts';
import {
  draftOf,
  takeAsOf,
  takeCurrency,
  takeLimit,
  takeMeasure,
  takeMentions,
  takeSlots,
  takeWhen,
  type Frame,
  type FrameContext,
  type Slots,
} from './common.ts';

const isTimed = (when: When | undefined): boolean => when === undefined || when.kind !== 'future';

/** Reads questions such as "Compare A with B", "the gap between A and B" for one measure and two entities. */
export const compareEntities: Frame = (bag, context) => {
  const isAsked = bag.cues('compare', 'higher', 'lower', 'gap', 'exceed', 'or', 'than') > 0;
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

/** Reads questions such as "By how much did revenue exceed cost of revenue", "cost as a share of revenue". */
export const compareMeasures: Frame = (bag, context) => {
  const first = takeMeasure(bag, context);
  const second = first && takeMeasure(bag, context);
  if (!first || !second || first.keys[0] === second.keys[0]) return undefined;
  const ratio = bag.one('unit', ({ unit }) => unit === 'ratio');
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
  // "What share of A was B" divides the second by the first; "A as a share of B" the first by the second.
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

/** Reads questions such as "In how many months was X above N", "when did X first exceed N". */
export const thresholds: Frame = (bag, context) => {
  const threshold = bag.one('threshold');
  const slots = threshold && takeSlots(bag, context);
  if (!slots) return undefined;
  const value = Number(threshold.value);
  if (threshold.unit !== undefined && !fitsUnit(threshold.unit, slots.measure.unit))
    return refuse('unit_mismatch');
  const where = [{ field: 'value', op: threshold.op, value }];
  if (slots.measures[0] === 'derived.inflation_yoy' || slots.measures[0] === 'return') return undefined;
  if (bag.cue('how_many')) {
    if (bag.nouns('month', 'quarter') === 0) return undefined;
    bag.cues('all', 'ever');
    return draftOf('count', { ...slots, when: slots.when ?? { kind: 'whole' } }, { where, by: 'period' });
  }
  const isWhen =
    bag.cues('when') > 0 || (bag.nouns('month', 'quarter') > 0 && bag.cues('which', 'show_list') > 0);
  const first = bag.cue('first');
  const last = !first && (bag.cue('last_time') || takeLast(bag));
  if (!isWhen || (!first && !last)) return undefined;
  bag.cues('ever', 'all', 'if', 'which', 'show_list');
  return draftOf(
    'rank',
    { ...slots, when: slots.when && slots.when.kind !== 'latest' ? slots.when : { kind: 'whole' } },
    {
      where,
      by: 'period',
      order: first ? 'earliest' : 'latest',
      limit: 1,
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
  bag.cues('which', 'show_list', 'rank');
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
  const limit = takeLimit(bag) ?? 1;
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

/** Reads questions such as "How has X developed since A", "show the trend of X in 2022". */
export const trends: Frame = (bag, context) => {
  const trend = bag.see('cue', ({ cue }) => cue === 'trend');
  if (trend.length === 0) return undefined;
  const isPlainMove = trend.every(({ lexeme }) =>
    /^(moved|moving|movement|how has|how have)$/.test(lexeme.key),
  );
  const isHow = bag.lexemes.some(({ key }) => /^(how|describe how|how has|how have)$/.test(key));
  if (isPlainMove && !isHow) return undefined;
  const slots = takeSlots(bag, context);
  if (!slots || !isTimed(slots.when)) return undefined;
  bag.cues('trend', 'how', 'show_list', 'ever');
  bag.all('direction', ({ direction }) => direction === 'any');
  return draftOf('trend', { ...slots, when: slots.when ?? { kind: 'whole' } });
};

/** Reads questions such as "How much did X rise from A to B", "X growth in Q4", "was X higher in A or in B". */
export const changes: Frame = (bag, context) => {
  const directions = bag.all('direction');
  const isGrowth = bag.cues('growth') > 0 || directions.some(({ lexeme }) => /growth/.test(lexeme.key));
  const compared = bag.cues('higher', 'lower', 'gap', 'exceed', 'compare', 'than', 'or');
  bag.all('comparator', ({ op }, { key }) => compared > 0 && (op === 'gt' || op === 'lt') && !/\d/.test(key));
  const steps = bag.all('cue', ({ cue }) => cue === 'yoy' || cue === 'qoq' || cue === 'mom');
  const found = takeMeasure(bag, context);
  if (!found || (directions.length === 0 && !isGrowth && compared === 0 && steps.length === 0))
    return undefined;
  if (
    directions.length === 0 &&
    !isGrowth &&
    compared > 0 &&
    bag.see('when').length < 2 &&
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
  bag.cues('how_much', 'how_many', 'how', 'which', 'show_list', 'entity_word');
  const base = steps.length === 1 ? { kind: steps[0]!.cue as 'yoy' | 'qoq' | 'mom' } : undefined;
  const times = takeTimes(bag, compared > 0 && directions.length === 0);
  if (!times || steps.length > 1 || mentions.length > 1) return undefined;
  const both = base ?? times.base;
  if (measures[0] === 'return' && directions.length > 0) return undefined;
  const slots = { measures, mentions, when: times.when, asOf, currency };
  return draftOf('change', slots, {
    ...(both ? { base: both } : {}),
    ...(as ? { as } : isGrowth ? { as: 'percent' as const } : {}),
    ...(isGrowth && !both ? { isGrowth: true } : {}),
  });
};

function takeForm(bag: Bag): Form | undefined {
  const units = bag.all('unit').map(({ unit }) => unit);
  return (units.includes('annualised_percent') ? 'annualised_percent' : units[0]) as Form | undefined;
}

type Times = { when: When | undefined; base: Base | undefined };

/** Takes a window as end and base, two periods compared, or one period. */
function takeTimes(bag: Bag, isCompared: boolean): Times | undefined {
  const since = bag.one('since');
  if (since?.when.kind === 'stretch') {
    const to = takeWhen(bag);
    return { when: to ?? { kind: 'latest' }, base: since.when };
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
    return { when: { kind: 'stretch', ...first.when.to }, base: { kind: 'stretch', ...first.when.from } };
  }
  if (first && second) return isCompared ? { when: first.when, base: second.when } : undefined;
  return { when: first?.when, base: undefined };
}

/** Reads questions such as "The average of X in 2023", "the highest X between A and B", "total revenue in Q2". */
export const aggregates: Frame = (bag, context) => {
  const agg = bag.one('agg');
  const superlative = agg ? undefined : bag.one('superlative');
  if (!agg && !superlative) return undefined;
  const slots = takeSlots(bag, context);
  if (!slots || slots.mentions.length > 1) return undefined;
  const isOverTime = bag.lexemes.some(({ key }) => key === 'months' || key === 'quarters');
  bag.nouns('month', 'quarter');
  bag.cues('how_much', 'how_many', 'which', 'show_list', 'how', 'all', 'ever');
  const chosen = agg?.agg ?? (superlative!.order === 'desc' ? 'max' : 'min');
  if (slots.measure.domain === 'ledger' && chosen === 'sum') {
    const isBalance = slots.measures[0] === 'ledger.balance';
    return draftOf(isBalance ? 'value' : 'aggregate', slots, isBalance ? {} : { agg: 'sum', isTotal: true });
  }
  if (chosen === 'sum' && isOverTime && slots.measure.kind !== 'flow')
    return refuse('aggregation_not_meaningful');
  const isOpenMarket = slots.measure.subject === 'instrument' && slots.mentions.length === 0;
  if (isOpenMarket) return undefined;
  // "How many people in total": a level at one period, not a sum over time.
  const isWhole = superlative !== undefined && slots.when === undefined;
  return draftOf('aggregate', isWhole ? { ...slots, when: { kind: 'whole' } } : slots, {
    agg: chosen,
    isTotal: chosen === 'sum',
  });
};

/** Reads questions such as "What was X in P": one measure, at most one entity, at most one period. */
export const values: Frame = (bag, context) => {
  const slots = takeSlots(bag, context);
  if (!slots || !isTimed(slots.when)) return undefined;
  const { measure } = slots;
  if (measure.unit === 'count' || measure.unit === 'shares' || measure.unit === 'money')
    bag.cues('how_many', 'how_much');
  bag.cues('how', 'which', 'how_much', 'show_list', 'account');
  if (slots.when?.kind === 'whole') return undefined;
  // Matches "the monthly VIX", but not "by month".
  bag.all('noun', ({ noun }, { key }) => noun === 'month' && /^(monthly|month end)$/.test(key));
  bag.all('measure', ({ keys }) => measure.subject === 'none' && keys.every((key) => key === 'price.close'));
  const isShare = measure.key === 'return' && slots.mentions.length === 1;
  if (isShare) bag.all('unit', ({ unit }) => unit === 'percent');
  // A second name of the same measure: "the CPI (consumer price index)", "CPI inflation".
  bag.all('measure', ({ keys }) => keys.some((key) => slots.measures.includes(key)));
  if (slots.measures[0] === 'derived.inflation_yoy' || bag.see('measure').length === 1)
    takeInflation(bag, slots, context);
  if (slots.mentions.length > 1) return undefined;
  return draftOf('value', slots);
};

/** Reads questions such as "CPI inflation": the question names the series and the figure that is derived from it. */
function takeInflation(bag: Bag, slots: Slots, { catalogue }: FrameContext): void {
  const names = [slots.measures[0]!, ...bag.see('measure').flatMap(({ keys }) => keys)];
  if (!names.includes('derived.inflation_yoy') || !catalogue.measures.has('derived.inflation_yoy')) return;
  bag.all('measure', ({ keys }) =>
    keys.some((key) => key === 'derived.inflation_yoy' || key === 'economics.CPIAUCNS'),
  );
  bag.cues('yoy');
  bag.all('unit', ({ unit }) => unit === 'percent');
  slots.measures = ['derived.inflation_yoy'];
}

/** Words of a ledger question without a measure: "how much USD did we take in during August". */
export const ledgerFlows: Frame = (bag, context) => {
  const inflow = bag.cues('taken_in') > 0;
  const outflow = !inflow && bag.cues('paid_out') > 0;
  const key = inflow ? 'ledger.inflow' : outflow ? 'ledger.outflow' : undefined;
  if (key === undefined || !context.catalogue.measures.has(key)) return undefined;
  bag.cues('how_much', 'all', 'which', 'show_list');
  bag.all('agg', ({ agg }) => agg === 'sum');
  const mentions = takeMentions(bag, ['account']);
  const currency = takeCurrency(bag);
  const asOf = takeAsOf(bag);
  return draftOf(
    'aggregate',
    { measures: [key], mentions, currency, asOf, when: takeWhen(bag) },
    { agg: 'sum', isTotal: true },
  );
};

/** Reads questions such as "How many shares of A were traded in P". */
export const volumes: Frame = (bag, context) => {
  const isTraded = bag.lexemes.some(({ key }) => /^(traded|trade|changed hands|change hands)$/.test(key));
  const shares = bag.lexemes.findIndex(({ key }) => key === 'shares' || key === 'stock' || key === 'stocks');
  if (!isTraded || shares < 0 || !bag.cue('how_many') || !context.catalogue.measures.has('price.volume'))
    return undefined;
  bag.take(shares);
  const mentions = takeMentions(bag, ['instrument']);
  if (mentions.length !== 1) return undefined;
  return draftOf('value', { measures: ['price.volume'], mentions, when: takeWhen(bag), asOf: takeAsOf(bag) });
};

/** A measure was left out: "what was the average", "how did it do", "compare A with B", a name alone. */
export const open: Frame = (bag) => {
  if (bag.see('measure').length > 0) return undefined;
  bag.all('agg');
  bag.all('superlative');
  bag.all('direction');
  bag.cues(
    'pronoun',
    'how',
    'compare',
    'higher',
    'lower',
    'and',
    'or',
    'trend',
    'which',
    'how_much',
    'show_list',
    'gap',
    'one',
    'entity_word',
    'follow',
    'growth',
    'than',
    'when',
  );
  bag.all('unit');
  const mentions = bag.all('entity').map(({ subjects }) => subjects);
  const currency = takeCurrency(bag);
  const asOf = takeAsOf(bag);
  const when = takeWhen(bag);
  return draftOf('value', { mentions, when, asOf, currency }, { isOpen: true });
};
