import type { Atom } from './atoms.ts';
import {
  dayStretch,
  decadeStretch,
  halfStretch,
  monthNumber,
  monthStretch,
  mostRecent,
  quarterStretch,
  steppedDay,
  stretchAround,
  yearStretch,
  type Grain,
  type Steps,
  type Stretch,
  type When,
} from './calendar.ts';
import { ordinalAt } from './numbers.ts';
import {
  GRAINS,
  key,
  partAt,
  stepsAt,
  turnedQuarterAt,
  yearNumberAt,
  type WhenRead,
} from './period-parts.ts';

export type { WhenRead };

/**
 * Reads the period that begins at an atom. `today` resolves relative periods. Returns undefined if no period begins
 * there.
 */
export function whenAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  return (
    edgeAt(atoms, at, today) ??
    endedAt(atoms, at, today) ??
    datedAt(atoms, at, today) ??
    partAt(atoms, at) ??
    relativeAt(atoms, at, today) ??
    monthAt(atoms, at, today) ??
    quarterAt(atoms, at, today) ??
    yearAt(atoms, at)
  );
}

/** Reads periods such as "end of March 2020", "year-end 2019", "2019 year end", "the start of 2025". */
function edgeAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const start = key(atoms, at) === 'the' ? 1 : 0;
  const word = key(atoms, at + start);
  const isEnd = /^(end|close)$/.test(word);
  if ((isEnd || /^(start|beginning)$/.test(word)) && key(atoms, at + start + 1) === 'of') {
    const inner = skipThe(atoms, at + start + 2);
    const read = whenAt(atoms, at + start + 2 + inner, today);
    if (read?.when.kind !== 'stretch' || (word === 'close' && read.when.grain === 'day')) return undefined;
    const when: When = isEnd ? { ...read.when, isEnd: true } : startOf(read.when);
    return { when, length: start + 2 + inner + read.length };
  }
  const grain = GRAINS[word];
  if (start === 0 && grain && key(atoms, at + 1) === 'end') {
    const skip = /^(of|in|for)$/.test(key(atoms, at + 2)) ? 3 : 2;
    const read = whenAt(atoms, at + skip, today);
    if (read?.when.kind === 'stretch')
      return { when: { ...read.when, isEnd: true }, length: skip + read.length };
  }
  if (/^(end|ended|finish|finished|exit|exited)$/.test(word) && start === 0) {
    const article = skipThe(atoms, at + 1);
    const noun = /^(year|quarter|month)$/.test(key(atoms, at + 1 + article)) ? article + 1 : article;
    const read = whenAt(atoms, at + 1 + noun, today);
    if (read?.when.kind === 'stretch' && read.when.grain !== 'day')
      return { when: { ...read.when, isEnd: true }, length: 1 + noun + read.length };
  }
  return undefined;
}

function startOf(stretch: Stretch): When {
  return { kind: 'stretch', ...stretch, isStart: true };
}

function skipThe(atoms: readonly Atom[], at: number): number {
  return key(atoms, at) === 'the' ? 1 : 0;
}

/** Reads ISO dates and periods, dates with slashes or points, "30 September 2020", "September 30th, 2020". */
function datedAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const atom = atoms[at];
  if (atom?.kind === 'date') {
    const when = writtenDate(atom.key);
    return when && endAfter(atoms, at, { when, length: 1 });
  }
  const day = dayNumberAt(atoms, at);
  if (day) {
    const skip = key(atoms, at + day.length) === 'of' ? 1 : 0;
    const month = monthNumber(key(atoms, at + day.length + skip));
    const year = month && yearNumberAt(atoms, at + day.length + skip + 1);
    if (month && year)
      return dated(dayStretch(year.value, month, day.value), day.length + skip + 1 + year.length);
    if (month) return dated(recentDay(today, month, day.value), day.length + skip + 1);
  }
  const month = monthNumber(key(atoms, at));
  const after = month && dayNumberAt(atoms, at + 1);
  if (!month || !after) return undefined;
  const year = yearNumberAt(atoms, at + 1 + after.length);
  if (year) return dated(dayStretch(year.value, month, after.value), 1 + after.length + year.length);
  return dated(recentDay(today, month, after.value), 1 + after.length);
}

function recentDay(today: string, month: number, day: number): Stretch | undefined {
  const year = Number(today.slice(0, 4));
  const own = dayStretch(year, month, day);
  const past = own && own.from <= today ? own : dayStretch(year - 1, month, day);
  return past && { ...past, isGuessed: true };
}

function dated(stretch: Stretch | undefined, length: number): WhenRead | undefined {
  return stretch && { when: { kind: 'stretch', ...stretch }, length };
}

function dayNumberAt(atoms: readonly Atom[], at: number): { value: number; length: number } | undefined {
  const read = ordinalAt(atoms, at);
  const atom = atoms[at];
  if (read) return { value: Number(read.value), length: read.length };
  if (atom?.kind !== 'number' || !/^\d{1,2}$/.test(atom.key)) return undefined;
  return Number(atom.key) >= 1 && Number(atom.key) <= 31 ? { value: Number(atom.key), length: 1 } : undefined;
}

function writtenDate(text: string): When | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text) ?? [];
  if (year && Number(year) < 1) return undefined;
  if (year && day) return stretchOf(dayStretch(Number(year), Number(month), Number(day)));
  if (year) return stretchOf(monthStretch(Number(year), Number(month)));
  const [, first, unit, number, last] = /^(\d{4})?[-/ ]?([qh])(\d)[-/ ]?(\d{4})?$/.exec(text) ?? [];
  if (unit && (first ?? last)) {
    const make = unit === 'q' ? quarterStretch : halfStretch;
    return stretchOf(make(Number(first ?? last), Number(number)));
  }
  const [, a, b, inYear] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text) ?? [];
  if (!inYear) {
    const [, monthOnly, yearOnly] = /^(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
    const number = Number(monthOnly);
    return number >= 1 && number <= 12 ? stretchOf(monthStretch(Number(yearOnly), number)) : undefined;
  }
  const days = [
    dayStretch(Number(inYear), Number(a), Number(b)),
    dayStretch(Number(inYear), Number(b), Number(a)),
  ]
    .flatMap((each) => (each ? [each.from] : []))
    .filter((each, index, all) => all.indexOf(each) === index);
  if (days.length === 2) return { kind: 'ambiguous', days };
  return days[0] === undefined ? undefined : { kind: 'stretch', from: days[0], to: days[0], grain: 'day' };
}

function stretchOf(stretch: Stretch | undefined): When | undefined {
  return stretch && { kind: 'stretch', ...stretch };
}

/** Reads periods such as "last month", "the past twelve months", "year to date", "this quarter", "three months ago". */
function relativeAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const word = key(atoms, at);
  if (/^(ytd|mtd|qtd)$/.test(word)) return toDate(GRAIN_OF[word]!, today, 1);
  if (/^(ttm|ltm)$/.test(word)) return { when: { kind: 'last', count: 12, grain: 'month' }, length: 1 };
  if (GRAINS[word] && key(atoms, at + 1) === 'to' && key(atoms, at + 2) === 'date')
    return toDate(GRAINS[word], today, 3);
  if (
    word === 'so' &&
    key(atoms, at + 1) === 'far' &&
    key(atoms, at + 2) === 'this' &&
    GRAINS[key(atoms, at + 3)]
  )
    return toDate(GRAINS[key(atoms, at + 3)]!, today, 4);
  const around = sameTimeAt(atoms, at, today);
  if (around) return around;
  if (word === 'within' || word === 'inside') {
    const steps = stepsAt(atoms, at + 1);
    return steps && steppedAt(steps, 1, key(atoms, at + steps.length).endsWith('s'));
  }
  if (word === 'yesterday')
    return { when: { kind: 'stretch', ...stretchAround('day', today, -1) }, length: 1 };
  const isPast = /^(last|past|previous|trailing|preceding|prior|rolling)$/.test(word);
  const offset = isPast
    ? -1
    : word === 'this' || word === 'current'
      ? 0
      : /^(next|coming|upcoming)$/.test(word)
        ? 1
        : undefined;
  if (offset === undefined) return numberedAgo(atoms, at, today);
  const steps = stepsAt(atoms, at + 1);
  if (steps)
    return steppedAt(
      steps,
      offset,
      /^(trailing|rolling)$/.test(word) || key(atoms, at + steps.length).endsWith('s'),
    );
  const month = monthNumber(key(atoms, at + 1));
  if (month && !yearNumberAt(atoms, at + 2)) return namedMonth(month, offset, today);
  const grain = GRAINS[key(atoms, at + 1)];
  if (!grain) return undefined;
  const length = 2;
  const inYear = key(atoms, at + length) === 'of' ? yearNumberAt(atoms, at + length + 1) : undefined;
  if (inYear && isPast) return lastIn(grain, inYear.value, length + 1 + inYear.length);
  if (word === 'past' || word === 'trailing') return { when: { kind: 'last', count: 1, grain }, length };
  const stretch = stretchAround(grain, today, offset);
  if (offset > 0) return { when: { kind: 'future', stretch }, length };
  if (offset === 0) return toDate(grain, today, length);
  return { when: { kind: 'stretch', ...stretch }, length };
}

/**
 * Returns the window of a counted relative period: "the last six months", "the next 30 days". A window of several periods
 * is in the plural: "the current 10-year yield" is not a window.
 */
function steppedAt(
  { length, ...steps }: Steps & { length: number },
  offset: number,
  isPlural: boolean,
): WhenRead | undefined {
  if (offset === 0 || (steps.count !== 1 && !isPlural)) return undefined;
  const when: When =
    offset < 0 ? { kind: 'last', ...steps } : { kind: 'future', stretch: undefined, ahead: steps };
  return { when, length: 1 + length };
}

/** Reads "last December", the most recent past one, and "next March", the first one that has not begun. */
function namedMonth(month: number, offset: number, today: string): WhenRead | undefined {
  const past = mostRecent(today, (year) => monthStretch(year, month));
  if (offset < 0) return { when: { kind: 'stretch', ...past }, length: 2 };
  if (offset === 0) return undefined;
  const year = Number(today.slice(0, 4));
  const own = monthStretch(year, month);
  const stretch = own.from > today ? own : monthStretch(year + 1, month);
  return { when: { kind: 'future', stretch }, length: 2 };
}

const GRAIN_OF: Readonly<Record<string, Grain>> = { ytd: 'year', mtd: 'month', qtd: 'quarter' };

function toDate(grain: Grain, today: string, length: number): WhenRead {
  return { when: { kind: 'stretch', ...stretchAround(grain, today, 0) }, length };
}

function lastIn(grain: Grain, year: number, length: number): WhenRead | undefined {
  if (grain === 'quarter') return { when: { kind: 'stretch', ...quarterStretch(year, 4) }, length };
  if (grain === 'month') return { when: { kind: 'stretch', ...monthStretch(year, 12) }, length };
  return undefined;
}

function numberedAgo(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const single = /^an?$/.test(key(atoms, at)) ? GRAINS[key(atoms, at + 1)] : undefined;
  const steps = single ? { count: 1, grain: single, length: 2 } : stepsAt(atoms, at);
  if (!steps || key(atoms, at + steps.length) !== 'ago') return undefined;
  // A number of weeks ago is a day: nobody means the whole week from Monday to Sunday.
  const around =
    steps.grain === 'week'
      ? stretchAround('day', today, -7 * steps.count)
      : stretchAround(steps.grain, today, -steps.count);
  return { when: { kind: 'stretch', ...around }, length: steps.length + 1 };
}

/** Reads "this time last year", "this time a year ago": the period of the measure that contains the day. */
function sameTimeAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const start = key(atoms, at) === 'the' || key(atoms, at) === 'at' ? 1 : 0;
  if (!/^(this|same)$/.test(key(atoms, at + start)) || key(atoms, at + start + 1) !== 'time')
    return undefined;
  const [word, noun, ago] = [2, 3, 4].map((each) => key(atoms, at + start + each)) as [
    string,
    string,
    string,
  ];
  const isPast = word === 'last' || (/^(a|one)$/.test(word) && ago === 'ago');
  const grain = isPast && /^(year|quarter|month)$/.test(noun) ? GRAINS[noun] : undefined;
  if (!grain) return undefined;
  const day = steppedDay(today, { count: -1, grain });
  const when: When = { kind: 'stretch', from: day, to: day, grain: 'day', isAround: true };
  return { when, length: start + (ago === 'ago' && word !== 'last' ? 5 : 4) };
}

/**
 * Reads a window by its length and its end: "the twelve months to September 2026", "six months ended June 2026", "year
 * ended March 2026".
 */
function endedAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const single = GRAINS[key(atoms, at)];
  const steps = single ? { count: 1, grain: single, length: 1 } : stepsAt(atoms, at);
  const link = steps ? key(atoms, at + steps.length) : '';
  if (!steps || !(single ? /^(ended|ending)$/ : /^(to|through|ended|ending)$/).test(link)) return undefined;
  const skip = skipThe(atoms, at + steps.length + 1);
  const last = whenAt(atoms, at + steps.length + 1 + skip, today);
  const months = MONTHS_IN[steps.grain] ?? 0;
  if (last?.when.kind !== 'stretch' || months === 0) return undefined;
  const { to, isGuessed } = last.when;
  if (to !== stretchAround('month', to, 0).to) return undefined;
  // A window of whole quarters is named by quarters, so that it fits quarterly series too.
  const isQuarterly = (steps.count * months) % 3 === 0 && Number(to.slice(5, 7)) % 3 === 0;
  const grain = isQuarterly ? 'quarter' : 'month';
  const back = (steps.count * months) / (isQuarterly ? 3 : 1) - 1;
  const when: When = {
    kind: 'range',
    from: stretchAround(grain, to, -back),
    to: { ...stretchAround(grain, to, 0), ...(isGuessed === true ? { isGuessed } : {}) },
    isChange: false,
  };
  return { when, length: steps.length + 1 + skip + last.length };
}

const MONTHS_IN: Readonly<Partial<Record<Grain, number>>> = { month: 1, quarter: 3, half: 6, year: 12 };

/**
 * Reads months such as "June 2007", "Sept. 1993", "May of 2010"; a month without a year is the most recent past month
 * of this name.
 */
function monthAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const month = monthNumber(key(atoms, at));
  if (!month) return undefined;
  const skip = key(atoms, at + 1) === 'of' ? 1 : 0;
  const year = yearNumberAt(atoms, at + 1 + skip);
  if (year)
    return endAfter(atoms, at, {
      when: { kind: 'stretch', ...monthStretch(year.value, month) },
      length: 1 + skip + year.length,
    });
  // "May" and "march" are also verbs, and an abbreviation of three letters can be another word. Without a year, such a
  // month needs a capital letter or a preposition before it.
  const isVerb = month === 5 || month === 3 || key(atoms, at).length === 3;
  if (isVerb && !/^\p{Lu}/u.test(atoms[at]!.text) && !/^(in|for|of|during|since)$/.test(key(atoms, at - 1)))
    return undefined;
  return { when: { kind: 'stretch', ...mostRecent(today, (own) => monthStretch(own, month)) }, length: 1 };
}

/** Reads periods such as "Q4 2024", "the fourth quarter of 2024", "H1 2026", "first half". */
function quarterAt(atoms: readonly Atom[], at: number, today: string): WhenRead | undefined {
  const turned = turnedQuarterAt(atoms, at);
  if (turned) return turned;
  const [, unit, digit] = /^([qh])([1-4])$/.exec(key(atoms, at)) ?? [];
  const final = /^(final|closing)$/.test(key(atoms, at)) ? { value: '', length: 1 } : undefined;
  const ordinal = unit ? undefined : (ordinalAt(atoms, at) ?? final);
  const noun = ordinal && key(atoms, at + ordinal.length);
  const isHalf = unit === 'h' || noun === 'half';
  if (!unit && noun !== 'quarter' && noun !== 'half') return undefined;
  const most = isHalf ? 2 : 4;
  const number = Number(digit ?? (ordinal!.value === '' ? most : ordinal!.value));
  if (number < 1 || number > most) return undefined;
  const own = unit ? 1 : ordinal!.length + 1;
  const make = (year: number): Stretch => (isHalf ? halfStretch(year, number) : quarterStretch(year, number));
  const skip = key(atoms, at + own) === 'of' ? 1 : 0;
  const last = skip && key(atoms, at + own + 1) === 'last' && key(atoms, at + own + 2) === 'year' ? 1 : 0;
  if (last) return { when: { kind: 'stretch', ...make(Number(today.slice(0, 4)) - 1) }, length: own + 3 };
  const year = yearNumberAt(atoms, at + own + skip);
  if (year) return { when: { kind: 'stretch', ...make(year.value) }, length: own + skip + year.length };
  return { when: { kind: 'stretch', ...mostRecent(today, make) }, length: own };
}

/** Reads periods such as "2019", "the 2010s", "2024 Q4", "2019 year-end", "2007-2009", "two thousand nineteen". */
function yearAt(atoms: readonly Atom[], at: number): WhenRead | undefined {
  const year = yearNumberAt(atoms, at);
  if (!year) return undefined;
  const next = key(atoms, at + year.length);
  if (next === 's' && year.length === 1)
    return { when: { kind: 'stretch', ...decadeStretch(year.value) }, length: 2 };
  const [, unit, digit] = /^([qh])([1-4])$/.exec(next) ?? [];
  if (unit) {
    const make = unit === 'q' ? quarterStretch : halfStretch;
    return { when: { kind: 'stretch', ...make(year.value, Number(digit)) }, length: year.length + 1 };
  }
  return endAfter(atoms, at, { when: { kind: 'stretch', ...yearStretch(year.value) }, length: year.length });
}

/** Takes "year-end" and "month-end" after a period. */
function endAfter(atoms: readonly Atom[], at: number, read: WhenRead): WhenRead {
  const next = at + read.length;
  const isEnd = GRAINS[key(atoms, next)] !== undefined && key(atoms, next + 1) === 'end';
  if (!isEnd || read.when.kind !== 'stretch') return read;
  return { when: { ...read.when, isEnd: true }, length: read.length + 2 };
}
