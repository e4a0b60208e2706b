import type { Fact } from '../facts/fact.ts';
import type { SemanticQuery } from '../language/query.ts';
import type { Names } from './mentions.ts';
import { explained } from './explained-sentences.ts';
import {
  amount,
  bare,
  figure,
  joinParts,
  named,
  period,
  shown,
  subject,
  window,
  type Part,
  type Sentences,
} from './sentence-parts.ts';

/**
 * Writes the text of an answer in sentences. Each number in the text is the displayed value of a fact, which has a slot,
 * or part of a name or period of a fact or the query, which has a mention.
 */
export function writeSentences(query: SemanticQuery, facts: readonly Fact[], names: Names): Sentences {
  return joinParts([...known(query), ...withStart(query, partsOf(query, facts))], query, names);
}

/** "As known on 1 March 2024, " before an answer from what was known then. */
function known({ as_of: asOf }: SemanticQuery): Part[] {
  return asOf === undefined ? [] : ['As known on ', named('as_of'), ', '];
}

/** Begins with a small letter after an introduction. */
function withStart({ as_of: asOf }: SemanticQuery, [first, ...rest]: Part[]): Part[] {
  if (typeof first !== 'string') return first === undefined ? [] : [first, ...rest];
  return [asOf === undefined ? first : first[0]!.toLowerCase() + first.slice(1), ...rest];
}

function partsOf(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const { op } = query;
  if (facts.length === 0) return ['Nothing on record matches the question.'];
  if (op === 'explain' || op === 'define' || op === 'capabilities') return explained(query, facts);
  if (op === 'change') return change(query, facts);
  if (op === 'compare') return comparison(query, facts);
  if (op === 'trend') return trend(query, facts);
  if (op === 'rank') return ranking(query, facts);
  if (op === 'count') return count(query, facts);
  if (op === 'list') return list(query, facts);
  return op === 'aggregate' ? aggregate(query, facts) : value(query, facts);
}

function value(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [first, second] = facts as [Fact, Fact?];
  if (query.measure === 'regime.probability')
    return ['The probabilities of the regimes', ...period(first), ' were ', ...listed(facts), '.'];
  if (query.measure === 'forecast.interval' && second)
    return [
      'The forecast of the ',
      named('metric'),
      ...subject(first, ' of '),
      ' lies, at the level of ',
      named('level'),
      ' percent, between ',
      ...amount(first),
      ' and ',
      ...amount(second),
      ...period(first),
      '.',
    ];
  if (query.measure === 'forecast.point')
    return [
      'The forecast of the ',
      named('metric'),
      ...subject(first, ' of '),
      ...period(first),
      ' is ',
      ...amount(first),
      '.',
    ];
  if (query.measure === 'taxonomy.exposure')
    return ['The exposure', ...subject(first, ' of '), ' is ', ...amount(first), '.'];
  if (facts.length > 1)
    return ['The values of the ', named('measure', first), ' are ', ...listed(facts), ...run(query), '.'];
  const isPast = first.period !== null && query.run === undefined;
  const latest = query.period?.at === 'latest' && isPast ? ', the latest period on record' : '';
  const level = query.where?.some(({ field }) => field === 'level') ? [' at the level ', named('level')] : [];
  return [
    'The ',
    ...figure(first),
    ...level,
    ...regime(query),
    isPast ? ' was ' : ' is ',
    ...amount(first),
    ...period(first),
    ...run(query),
    `${latest}.`,
  ];
}

/** " in the stressed regime". */
function regime({ where = [] }: SemanticQuery): Part[] {
  const found = where.find(({ field }) => field === 'regime')?.value;
  return typeof found === 'string' && /^[a-z]+$/.test(found) ? [` in the ${found} regime`] : [];
}

/** " in the run as of 30 September 2020". */
function run({ run: chosen }: SemanticQuery): Part[] {
  return chosen?.as_of_date === undefined ? [] : [' in the run as of ', named('run_as_of')];
}

const AGGREGATES = {
  mean: 'mean',
  median: 'median',
  min: 'lowest value',
  max: 'highest value',
  sum: 'sum',
} as const;

function aggregate(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const results = facts.filter(({ role }) => role === 'result');
  const [first] = results as [Fact];
  const opening: Part[] = [`The ${AGGREGATES[query.agg ?? 'sum']} of the `, named('measure', first)];
  if (query.by === 'currency')
    return [
      ...opening,
      ...window(query),
      results.length > 1 ? ', in each currency, is ' : ' is ',
      ...listed(results, false),
      '.',
    ];
  const inputs = facts.filter(({ role }) => role === 'input');
  if (inputs.length > 1)
    return [...opening, ...period(inputs[0]!), ' is ', ...amount(first), ', from ', ...listed(inputs), '.'];
  const isExtreme = first.period !== null && (query.agg === 'min' || query.agg === 'max');
  const entities: Part[] =
    first.entities === undefined ? [] : [', over ', named('entities', first), ' instruments'];
  const periods: Part[] =
    first.periods === undefined || first.periods === 1
      ? []
      : [', over ', named('periods', first), ' periods'];
  return [
    ...opening,
    ...subject(first, ' of '),
    ...window(query),
    ' was ',
    ...amount(first),
    ...(isExtreme || query.period?.at !== undefined ? period(first) : []),
    ...(isExtreme ? [] : [...entities, ...periods]),
    '.',
  ];
}

/** The direction of a result in words, by its sign. */
function moved(
  { value: own, number }: Fact,
  inputs: readonly [Fact, Fact],
): 'rose' | 'fell' | 'did not change' {
  const sign = own === null ? Math.sign(number ?? 0) : signOf(own);
  if (sign !== 0) return sign > 0 ? 'rose' : 'fell';
  return inputs[0].value === inputs[1].value ? 'did not change' : 'rose';
}

function signOf(decimal: string): number {
  if (!/[1-9]/.test(decimal)) return 0;
  return decimal.startsWith('-') ? -1 : 1;
}

const FORMS = {
  points: 'a change of ',
  basis_points: 'a change of ',
  percent: 'a change of ',
  annualised_percent: 'an annualised change of ',
  ratio: 'a ratio of ',
} as const;

function change(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [end, base, result] = facts as [Fact, Fact, Fact];
  const verb = query.as === 'ratio' ? 'went' : moved(result, [end, base]);
  const kind = query.as === undefined ? 'a change of ' : FORMS[query.as];
  return [
    'The ',
    ...figure(end),
    ` ${verb} from `,
    ...bare(base),
    ...period(base),
    ' to ',
    ...amount(end),
    ...period(end),
    `, ${kind}`,
    ...(result.unit === end.unit ? bare(result) : amount(result)),
    '.',
  ];
}

function comparison(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [one, other, result] = facts as [Fact, Fact, Fact];
  const kind = query.as === 'ratio' ? ', a ratio of ' : ', a difference of ';
  if (one.measure !== other.measure)
    return [
      'The ',
      named('measure', one),
      ...subject(one, ' of '),
      ' was ',
      ...amount(one),
      ...period(one),
      ', and the ',
      named('measure', other),
      ' was ',
      ...amount(other),
      kind,
      ...amount(result),
      '.',
    ];
  return [
    'The ',
    named('measure', one),
    ...period(one),
    ' was ',
    ...amount(one),
    ...subject(one, ' for '),
    ' and ',
    ...amount(other),
    ...subject(other, ' for '),
    kind,
    ...amount(result),
    '.',
  ];
}

function trend(_query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [first, last, result] = facts as [Fact, Fact, Fact];
  return [
    'The ',
    ...figure(first),
    ` ${moved(result, [last, first])} from `,
    ...bare(first),
    ...period(first),
    ' to ',
    ...amount(last),
    ...period(last),
    ', a difference of ',
    ...bare(result),
    '. From one period to the next, it rose ',
    named('rises', result),
    ' times and fell ',
    named('falls', result),
    ' times.',
  ];
}

const ORDERS = { desc: 'highest', asc: 'lowest', earliest: 'earliest', latest: 'latest' } as const;

function ranking(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [first] = facts as [Fact];
  const order = ORDERS[query.order ?? 'desc'];
  if (query.by === 'period') {
    const opening: Part[] = [
      `The ${order} `,
      ...(facts.length > 1 ? ['values of the '] : ['value of the ']),
      ...figure(first),
      ...(query.where === undefined
        ? []
        : [facts.length > 1 ? ' that meet the condition' : ' that meets the condition']),
      ...window(query),
    ];
    if (facts.length > 1)
      return [
        ...opening,
        ': ',
        ...facts.flatMap((fact, at): Part[] => [
          at === 0 ? '' : '; ',
          ...(at === facts.length - 1 ? amount(fact) : bare(fact)),
          ...period(fact),
        ]),
        '.',
      ];
    return [...opening, ' was ', ...amount(first), ...period(first), '.'];
  }
  const isReturn = query.baseline !== undefined;
  const nth = query.nth === undefined ? '' : ' at the requested rank';
  const opening: Part[] = isReturn
    ? [`The ${order} change of the `, named('measure', first)]
    : [`The ${order} `, named('measure', first)];
  if (facts.length === 1)
    return [
      ...opening,
      ...period(first),
      ...run(query),
      `${nth} is `,
      ...amount(first),
      ...subject(first, ', of '),
      '.',
    ];
  return [...opening, ...period(first), ...run(query), ': ', ...listed(facts), '.'];
}

function count(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [first] = facts as [Fact];
  if (query.by === 'period')
    return [
      'The number of periods in which the ',
      ...figure(first),
      ' met the condition',
      ...window(query),
      ' is ',
      shown(first),
      ...(first.periods === undefined ? [] : [', of ', named('periods', first)]),
      '.',
    ];
  const things: Part[] = ['The number of ', named('measure', first), ' records', ...conditions(query)];
  if (query.by !== undefined) return [...things, ` by ${query.by}: `, ...listed(facts), '.'];
  return [...things, ' is ', shown(first), '.'];
}

/** " with state registered": the conditions that are equal to a word. */
function conditions({ where = [] }: SemanticQuery): Part[] {
  const told = where.flatMap(({ field, op, value: own }) =>
    op === 'eq' && typeof own === 'string' && /^[A-Za-z][A-Za-z _-]*$/.test(own)
      ? [`${field.replaceAll('_', ' ')} ${own.replaceAll('_', ' ')}`]
      : [],
  );
  if (told.length === where.length) return told.length === 0 ? [] : [` with ${told.join(' and ')}`];
  return [' that match'];
}

function list(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [first] = facts as [Fact];
  if (query.measure === 'metric')
    return ['The metrics on record', ...subjects(query, first), ' are ', ...listed(facts), '.'];
  if (query.what !== undefined)
    return [
      'Of the ',
      named('measure', first),
      ' records',
      ...conditions(query),
      `, the ${query.what.replaceAll('_', ' ')} is: `,
      ...listed(facts),
      '.',
    ];
  return ['The ', named('measure', first), ' records', ...conditions(query), ': ', ...listed(facts), '.'];
}

function subjects({ of = [] }: SemanticQuery, first: Fact): Part[] {
  return of.length === 1 && first.of !== null ? [' of ', named('subject', first)] : [];
}

/** The facts of a list, each with its subject: "NVR with 4083.14; AMZN with 3148.73". */
function listed(facts: readonly Fact[], isNamed = true): Part[] {
  return facts.flatMap((fact, index): Part[] => {
    const before = index === 0 ? [] : ['; '];
    const own =
      isNamed && fact.of !== null && fact.of !== fact.display ? [named('subject', fact), ' with '] : [];
    const isLast = facts[index + 1]?.unit !== fact.unit;
    return [...before, ...own, ...(isLast ? amount(fact) : bare(fact))];
  });
}
