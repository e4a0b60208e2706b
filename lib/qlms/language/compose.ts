import type { Stretch, When } from './calendar.ts';
import { BASES, BOUNDS, KNOWN } from './compose-phrases.ts';
import type { Comparator, Lexeme, Reading } from './readings.ts';

/**
 * Joins neighbouring lexemes whose meaning depends on their order: windows ("from A to B"), bounds ("since A"), the
 * as-of day ("as known on A"), thresholds ("above 40 percent"), and numbers with a unit ("15 percent").
 */
export function compose(lexemes: readonly Lexeme[]): Lexeme[] {
  const out: Lexeme[] = [];
  for (let at = 0; at < lexemes.length;) {
    const joined = joinAt(lexemes, at);
    if (joined) {
      out.push(join(lexemes.slice(at, at + joined.length), joined.reading));
      at += joined.length;
    } else {
      out.push(lexemes[at]!);
      at += 1;
    }
  }
  return out;
}

type Joined = { reading: Reading; length: number };

function joinAt(all: readonly Lexeme[], at: number): Joined | undefined {
  return (
    knowledgeAt(all, at) ??
    windowAt(all, at) ??
    baseAt(all, at) ??
    boundAt(all, at) ??
    thresholdAt(all, at) ??
    numberAt(all, at)
  );
}

function join(parts: readonly Lexeme[], reading: Reading): Lexeme {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  return {
    ...first,
    to: last.to,
    text: parts.map(({ text }) => text).join(' '),
    key: parts.map(({ key }) => key).join(' '),
    readings: [reading],
    isPossessive: false,
  };
}

/**
 * Matches phrases from a position on. Returns the number of lexemes in the first matching phrase; 0 if none matches.
 */
function words(all: readonly Lexeme[], at: number, phrases: readonly string[]): number {
  for (const phrase of phrases) {
    let text = '';
    for (let end = at; end < all.length && text.length < phrase.length; end += 1) {
      text = text === '' ? all[end]!.key : `${text} ${all[end]!.key}`;
      if (text === phrase) return end - at + 1;
    }
  }
  return 0;
}

/**
 * The phrases that precede an as-of day, grouped by their first word, so that thousands of phrases need not be
 * compared.
 */
const KNOWN_BY_WORD = Map.groupBy(KNOWN, (phrase) => phrase.split(' ')[0]!);

function knowledgeAt(all: readonly Lexeme[], at: number): Joined | undefined {
  const used = words(all, at, KNOWN_BY_WORD.get(all[at]!.key.split(' ')[0]!) ?? []);
  if (used === 0) return undefined;
  const next = stretchAt(all, at + used) ?? shifted(all, at + used);
  return next && { reading: { slot: 'as_of', when: next.when }, length: used + next.length };
}

type At = { when: When; length: number };

function shifted(all: readonly Lexeme[], at: number): At | undefined {
  if (!/^(the|in|on|at)$/.test(all[at]?.key ?? '')) return undefined;
  const next = stretchAt(all, at + 1);
  return next && { when: next.when, length: next.length + 1 };
}

function stretchAt(all: readonly Lexeme[], at: number): At | undefined {
  const reading = all[at]?.readings.find(({ slot }) => slot === 'when');
  if (reading?.slot !== 'when') return undefined;
  const { when } = reading;
  return when.kind === 'stretch' || when.kind === 'ambiguous' ? { when, length: 1 } : undefined;
}

function periodAt(
  all: readonly Lexeme[],
  at: number,
): (At & { when: { kind: 'stretch' } & Stretch }) | undefined {
  const next = stretchAt(all, at) ?? shifted(all, at);
  return next?.when.kind === 'stretch' ? { ...next, when: next.when } : undefined;
}

/** Joins a window such as "from A to B", "between A and B", "A to B", "A - B", "A through B". */
function windowAt(all: readonly Lexeme[], at: number): Joined | undefined {
  const word = all[at]?.key ?? '';
  const opens = word === 'from' || word === 'between' ? 1 : 0;
  const first = periodAt(all, at + opens);
  if (!first) return undefined;
  let next = at + opens + first.length;
  const link = all[next]?.key ?? '';
  const isWord =
    /^(to|till|until|through|thru|up to|up until)$/.test(link) || (link === 'and' && word === 'between');
  const isDash = /^[-–—]$/u.test(all[next]?.before.trim() ?? '');
  if (!isWord && !isDash) return undefined;
  if (isWord) next += 1;
  const second = periodAt(all, next);
  if (!second) return undefined;
  const isReversed = word === 'between' && second.when.to < first.when.from && first.when.isGuessed !== true;
  if (isReversed) {
    const turned: When = { kind: 'range', from: second.when, to: first.when, isChange: true };
    return { reading: { slot: 'when', when: turned }, length: next + second.length - at };
  }
  const from = yeared(first.when, second.when);
  const reading: Reading = { slot: 'when', when: { kind: 'range', from, to: second.when, isChange: true } };
  return { reading, length: next + second.length - at };
}

/**
 * Joins the base of a change: "compared with A", "than in A", "versus A". The end of the change is named elsewhere in
 * the question.
 */
function baseAt(all: readonly Lexeme[], at: number): Joined | undefined {
  const used = words(all, at, BASES);
  const next = used > 0 ? periodAt(all, at + used) : undefined;
  return next && { reading: { slot: 'base', when: next.when }, length: used + next.length };
}

/**
 * If the beginning of a window has no year, uses the year of the end: "from March to June 2020". In "between Q2 and Q2
 * 2025", this would compare a period with itself, so it is not done.
 */
function yeared(first: Stretch, second: Stretch): Stretch {
  if (first.isGuessed !== true || second.isGuessed === true) return first;
  const year = second.from.slice(0, 4);
  const moved = { ...first, from: `${year}${first.from.slice(4)}`, to: `${year}${first.to.slice(4)}` };
  const { isGuessed: _, ...rest } = moved;
  return rest.from < second.from ? rest : first;
}

function boundAt(all: readonly Lexeme[], at: number): Joined | undefined {
  const since = words(all, at, [
    'since',
    'ever since',
    'starting in',
    'starting from',
    'beginning in',
    'starting with',
    'beginning with',
  ]);
  const next = since > 0 ? periodAt(all, at + since) : undefined;
  if (next) return { reading: { slot: 'since', when: next.when }, length: since + next.length };
  if (all[at]?.key === 'from') {
    const from = periodAt(all, at + 1);
    const end = from
      ? words(all, at + 1 + from.length, [
          'on',
          'onwards',
          'onward',
          'until now',
          'to date',
          'to now',
          'to today',
          'up to now',
          'until today',
          'on wards',
        ])
      : 0;
    if (from && end > 0)
      return { reading: { slot: 'since', when: from.when }, length: 1 + from.length + end };
  }
  for (const { phrases, edge } of BOUNDS) {
    const used = words(all, at, phrases);
    const bound = used > 0 ? periodAt(all, at + used) : undefined;
    if (bound) return { reading: { slot: 'until', when: bound.when, edge }, length: used + bound.length };
  }
  return undefined;
}

/** Joins a comparator and a number, with the unit after it. "over 2019" is a period, "over 40" a threshold. */
function thresholdAt(all: readonly Lexeme[], at: number): Joined | undefined {
  const reading = all[at]?.readings.find(({ slot }) => slot === 'comparator');
  if (reading?.slot !== 'comparator') return undefined;
  const skip = /^(the|a|an|than)$/.test(all[at + 1]?.key ?? '') ? 1 : 0;
  const number = withUnit(all, at + 1 + skip);
  if (!number) return undefined;
  const isPeriod = all[at + 1 + skip]!.readings.some(({ slot }) => slot === 'when');
  if (isPeriod && /^(over|by|past|up to|hit|reach|reached|top)$/.test(all[at]!.key)) return undefined;
  if (number.isCount) return undefined;
  const { value, unit } = number;
  const threshold: Reading = {
    slot: 'threshold',
    op: reading.op,
    value,
    ...(unit === undefined ? {} : { unit }),
  };
  const more = words(all, at + 1 + skip + number.length, ['or more', 'or higher', 'or above']);
  const op: Comparator = more > 0 && reading.op === 'gt' ? 'gte' : reading.op;
  return { reading: { ...threshold, op }, length: 1 + skip + number.length + more };
}

type WithUnit = { value: string; unit: string | undefined; length: number; isCount: boolean };

function withUnit(all: readonly Lexeme[], at: number): WithUnit | undefined {
  const number = all[at]?.readings.find(({ slot }) => slot === 'number');
  if (number?.slot !== 'number') return undefined;
  const next = all[at + 1];
  const unit = next?.readings.find(({ slot }) => slot === 'unit');
  const isMark = next?.key === '%' || unit?.slot === 'unit';
  const isCount =
    next?.readings.some(({ slot, ...rest }) => slot === 'noun' && 'noun' in rest && rest.noun === 'month') ??
    false;
  // In "in 2019 in percent", the unit belongs to the figure, not to the year.
  const isApart = next?.key.startsWith('in ') === true;
  if (!isMark || isApart || unit?.slot !== 'unit' || unit.unit === 'ratio')
    return { value: number.value, unit: undefined, length: 1, isCount };
  return { value: number.value, unit: unit.unit, length: 2, isCount: false };
}

function numberAt(all: readonly Lexeme[], at: number): Joined | undefined {
  const number = withUnit(all, at);
  if (number?.unit === undefined) return undefined;
  return { reading: { slot: 'number', value: number.value, unit: number.unit }, length: number.length };
}
