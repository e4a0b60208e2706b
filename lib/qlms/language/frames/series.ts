import type { Bag } from '../bag.ts';
import { refuse } from '../codes.ts';
import {
  draftOf,
  isTimed,
  takeAsOf,
  takeCurrency,
  takeMentions,
  takeMonthly,
  takeSlots,
  takeWhen,
  type Frame,
  type FrameContext,
  type Slots,
} from './common.ts';

/** Reads questions such as "The average of X in 2023", "the highest X between A and B", "total revenue in Q2". */
export const aggregates: Frame = (bag, context) => {
  const agg = bag.one('agg');
  const superlative = agg ? undefined : (bag.one('superlative') ?? heightOf(bag));
  if (!agg && !superlative) return undefined;
  // "Was it a record?" asks for a comparison with all other periods, so this frame does not apply.
  if (superlative && /^(was|is|did|does|are|were)$/.test(bag.lexemes[0]!.key)) return undefined;
  // "The all-time high on record" and "the highest level ever" name one extreme.
  if (superlative) bag.all('superlative', ({ order }) => order === superlative.order);
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

/**
 * Reads "how high did X get" (order `desc`) or "how low did X fall" (order `asc`). Returns undefined for other
 * questions.
 */
function heightOf(bag: Bag): { order: 'desc' | 'asc' } | undefined {
  const word = bag.lexemes.find(({ key }) => /^how (high|low)$/.test(key))?.key;
  const verb =
    word === 'how high'
      ? /^(get|gets|got|go|went|climb|climbed|rise|rose|reach|reached|go up|jump|spike|surge|hit)$/
      : /^(get|gets|got|go|went|fall|fell|drop|dropped|sink|sank|go down|dip|reach|reached|hit)$/;
  if (word === undefined || !bag.lexemes.some(({ key }) => verb.test(key))) return undefined;
  bag.all('direction', (_, { key }) => verb.test(key));
  bag.all('cue', (_, { key }) => verb.test(key));
  return { order: word === 'how high' ? 'desc' : 'asc' };
}

/** Reads questions such as "What was X in P": one measure, at most one entity, at most one period. */
export const values: Frame = (bag, context) => {
  const slots = takeSlots(bag, context);
  if (!slots || !isTimed(slots.when)) return undefined;
  const { measure } = slots;
  if (measure.unit === 'count' || measure.unit === 'shares' || measure.unit === 'money')
    bag.cues('how_many', 'how_much');
  bag.cues('how', 'which', 'how_much', 'show_list', 'account', 'where', 'traded');
  bag.all(
    'cue',
    ({ cue }, { key }) =>
      cue === 'hold' &&
      /^(have|hold|keep|on)\b.*(file|record|hand|data)$|^(hold|keep|have)( in total)?$/.test(key),
  );
  bag.all(
    'cue',
    ({ cue }, { key }) => cue === 'trend' && /^how (has|have)$/.test(key) && measure.key === 'return',
  );
  // "The CPI number of September" asks for the figure itself, not for a count.
  bag.all('cue', ({ cue }, { key }) => cue === 'how_many' && key === 'number of');
  if (slots.when?.kind === 'whole') return undefined;
  // Ignores "monthly", as in "the monthly VIX", but not "by month".
  takeMonthly(bag);
  // "The latest month" of a monthly series is its newest period.
  if (slots.when?.kind === 'latest')
    bag.all(
      'noun',
      ({ noun }, { key }) =>
        `${noun}ly` === measure.native && slots.measures.length === 1 && /^(month|quarter)$/.test(key),
    );
  if (slots.measure.domain === 'ledger' && slots.currency === undefined) bag.cues('by_currency');
  bag.all(
    'measure',
    ({ keys }) => /^(none|currency)$/.test(measure.subject) && keys.every((key) => key === 'price.close'),
  );
  const isShare = measure.key === 'return' && slots.mentions.length === 1;
  if (isShare) bag.all('unit', ({ unit }) => unit === 'percent');
  // A second name of the same measure: "the CPI (consumer price index)", "CPI inflation".
  bag.all(
    'measure',
    ({ keys }, { key: name }) => keys.some((key) => slots.measures.includes(key)) && isOnce(bag, name),
  );
  if (slots.measures[0] === 'derived.inflation_yoy' || bag.see('measure').length === 1)
    takeInflation(bag, slots, context);
  if (slots.mentions.length > 1) return undefined;
  return draftOf('value', slots);
};

function isOnce({ lexemes }: Bag, name: string): boolean {
  return lexemes.filter(({ key }) => key === name).length === 1;
}

/** Takes words such as "CPI inflation": the question names the series and the figure that is derived from it. */
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

/** Reads questions such as "How much is in the account A", "what is in A". They ask for the balance of an account. */
export const accountBalances: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('ledger.balance') || bag.see('measure').length > 0) return undefined;
  const isAmount = bag.cues('how_much') > 0 || bag.lexemes.some(({ key }) => /^(what|whats)$/.test(key));
  const isWithin = bag.lexemes.some(({ key }) => /^(in|on)( the)?$/.test(key));
  const mentions = takeMentions(bag, ['account']);
  const isHeld = bag.cues('hold') > 0;
  if (!isAmount || !(isWithin || isHeld) || mentions.length !== 1) return undefined;
  bag.cues('account', 'which', 'show_list');
  const slots = { mentions, currency: takeCurrency(bag), asOf: takeAsOf(bag), when: takeWhen(bag) };
  return draftOf('value', { measures: ['ledger.balance'], ...slots });
};

/** Reads questions such as "How much GBP do we hold". They ask for the balance of a currency. */
export const currencyBalances: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('ledger.balance') || bag.see('measure').length > 0) return undefined;
  const isHeld =
    bag.cues('hold') > 0 || bag.lexemes.some(({ key }) => /^(do|have|own)( we)?( have)?$/.test(key));
  const isAmount = bag.cues('how_much', 'how_many') > 0;
  const currency = isHeld && isAmount ? takeCurrency(bag) : undefined;
  if (currency === undefined) return undefined;
  return draftOf('value', {
    measures: ['ledger.balance'],
    currency,
    asOf: takeAsOf(bag),
    when: takeWhen(bag),
  });
};

/** Reads questions such as "Net USD cash flow in Q3", in which a currency is within the name of the measure. */
export const netFlows: Frame = (bag, { catalogue }) => {
  const key = 'ledger.net_cash_flow';
  if (!catalogue.measures.has(key) || bag.cues('net') !== 1 || bag.cues('cash_flow') !== 1) return undefined;
  const currency = takeCurrency(bag);
  if (currency === undefined) return undefined;
  bag.cues('how_much', 'which', 'show_list', 'account');
  bag.all('agg', ({ agg }) => agg === 'sum');
  const [mentions, asOf] = [takeMentions(bag, ['account']), takeAsOf(bag)];
  return draftOf(
    'aggregate',
    { measures: [key], mentions, currency, asOf, when: takeWhen(bag) },
    { agg: 'sum', isTotal: true },
  );
};

/** Reads ledger questions without a measure, such as "how much USD did we take in during August". */
export const ledgerFlows: Frame = (bag, context) => {
  const inflow = bag.cues('taken_in') > 0;
  const outflow = !inflow && bag.cues('paid_out') > 0;
  const key = inflow ? 'ledger.inflow' : outflow ? 'ledger.outflow' : undefined;
  if (key === undefined || !context.catalogue.measures.has(key)) return undefined;
  bag.cues('how_much', 'how_many', 'all', 'which', 'show_list', 'account');
  bag.all('agg', ({ agg }) => agg === 'sum');
  // In "what cash came in", the word for the balance ("cash") names what flows.
  bag.all(
    'measure',
    ({ keys: named }, { key: name }) => named.includes('ledger.balance') && /^(cash|money)$/.test(name),
  );
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
  const isTraded = bag.cues('traded') > 0;
  const shares = bag.lexemes.findIndex(({ key }) => /^(shares|share|stock|stocks|securities)$/.test(key));
  if (!isTraded || shares < 0 || !context.catalogue.measures.has('price.volume')) return undefined;
  bag.take(shares);
  bag.cues('how_many');
  const mentions = takeMentions(bag, ['instrument']);
  if (mentions.length !== 1) return undefined;
  return draftOf('value', { measures: ['price.volume'], mentions, when: takeWhen(bag), asOf: takeAsOf(bag) });
};

/**
 * Reads questions that leave the measure out: "what was the average", "how did it do", "compare A with B", a name
 * alone.
 */
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
