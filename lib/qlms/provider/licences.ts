import type { When } from '../language/calendar.ts';
import type { Lexeme, Reading } from '../language/readings.ts';
import { nameAt } from '../facts/windows.ts';

const FREQUENCIES = ['daily', 'monthly', 'quarterly', 'yearly'] as const;
const GRAINS: Readonly<Record<string, (typeof FREQUENCIES)[number]>> = {
  day: 'daily',
  month: 'monthly',
  quarter: 'quarterly',
  year: 'yearly',
};

/** Measures that a noun or cue of our lexicon names. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'noun obligation': ['obligation', 'obligation.outstanding'],
  'noun delegation': ['delegation'],
  'noun exception': ['exception'],
  'noun workflow_run': ['workflow_run'],
  'noun transaction': ['transaction'],
  'noun instrument': ['instrument', 'taxonomy.symbol', 'factor_run.symbols'],
  'noun symbol': ['instrument', 'taxonomy.symbol', 'factor_run.symbols'],
  'noun theme': ['taxonomy.theme'],
  'noun sector': ['instrument.sector'],
  'noun metric': ['metric'],
  'noun price_data': ['price'],
  'noun factor': ['factor'],
  'noun taxonomy': ['factor_run.taxonomy_version'],
  'noun regime': ['regime.probability'],
  'cue sub_industry': ['instrument.sub_industry'],
  'cue owe': ['obligation.outstanding'],
  'cue exposure': ['taxonomy.exposure'],
  'cue taken_in': ['ledger.inflow'],
  'cue paid_out': ['ledger.outflow'],
  'cue forecast': ['forecast.point', 'forecast'],
  'cue interval': ['forecast.interval'],
  'cue plausible': ['scenario.plausibility'],
  'cue happens': ['regime.conditional_mean'],
  'cue seal': ['run'],
};

/** Operations that a cue asks for. */
const ASKED: Readonly<Record<string, string>> = {
  how_many: 'count',
  show_list: 'list',
  which: 'list',
  compare: 'compare',
  higher: 'compare',
  lower: 'compare',
  gap: 'compare',
  exceed: 'compare',
  minus: 'compare',
  trend: 'trend',
  rank: 'rank',
  growth: 'change',
  yoy: 'change',
  qoq: 'change',
  mom: 'change',
  mean: 'define',
  unit: 'define',
  capability: 'capabilities',
};

/**
 * Words that only introduce a question. They can license an operation, but no part of the query has to correspond to
 * them.
 */
const NEUTRAL =
  /^(show_list|which|how|how_much|how_many|entity_word|pronoun|any|all|and|or|than|account|belong|from_to|in_sector|use|when|still)$/;

/**
 * Returns what a lexeme of the question licenses in a query, as texts: `m:` a measure, `e:` an entity, `c:` a
 * currency, `p:` a period (`pf:` first, `pt:` last), `n:` a number, `o:` an operation, and so on.
 */
export function licencesOf({ readings }: Lexeme): Set<string> {
  return new Set(readings.flatMap(licencesOfReading));
}

/** Whether no part of the query has to correspond to a lexeme. */
export function isNeutral({ readings }: Lexeme): boolean {
  return readings.some((each) => each.slot === 'function' || (each.slot === 'cue' && NEUTRAL.test(each.cue)));
}

function licencesOfReading(reading: Reading): string[] {
  switch (reading.slot) {
    case 'measure':
      return reading.keys.flatMap(aliasesOf).map((key) => `m:${key}`);
    case 'entity':
      return reading.subjects.map(({ type, key }) => `e:${type}:${key}`);
    case 'sector':
      return [`s:${reading.value}`];
    case 'currency':
      return reading.codes.map((code) => `c:${code}`);
    case 'noun':
      return [
        ...(NAMED[`noun ${reading.noun}`] ?? [reading.noun]).map((key) => `m:${key}`),
        `by:${reading.noun}`,
      ];
    case 'cue':
      return cueLicences(reading.cue);
    case 'state':
      return reading.states.map(({ field, value }) => `w:${field}:${value}`);
    case 'agg':
      return [`a:${reading.agg}`, 'o:aggregate'];
    case 'superlative':
      return [`a:${reading.order === 'desc' ? 'max' : 'min'}`, `r:${reading.order}`, 'o:aggregate', 'o:rank'];
    case 'direction':
      return ['o:change', reading.direction === 'down' ? 'r:asc' : 'r:desc'];
    case 'unit':
      return [`u:${reading.unit}`, ...(reading.unit === 'ratio' ? ['o:compare'] : [])];
    case 'statistic':
      return [`m:${reading.domain}.${reading.statistic}`];
    case 'regime':
      return [`w:regime:${reading.regime}`];
    case 'when':
      return whenLicences(reading.when);
    case 'base':
      return [...whenLicences(reading.when), 'o:change'];
    case 'as_of':
      return reading.when.kind === 'stretch' ? [`d:${reading.when.to}`] : [];
    case 'since':
      return reading.when.kind === 'stretch' ? edges('pf', reading.when.from) : [];
    case 'number':
      return [`n:${reading.value}`];
    case 'limit':
      return [`n:${reading.limit}`];
    case 'nth':
      return [`nth:${reading.nth}`];
    case 'threshold':
      return [`t:${reading.op}:${Number(reading.value)}`];
    case 'version':
      return [`w:taxonomy_version:${reading.version}`];
    default:
      return [];
  }
}

function aliasesOf(key: string): string[] {
  if (key === 'derived.inflation_yoy') return ['inflation'];
  if (key === 'return') return ['return'];
  if (key === 'obligation') return ['obligation', 'obligation.outstanding'];
  return [key];
}

function cueLicences(cue: string): string[] {
  const op = ASKED[cue];
  return [
    ...(op === undefined ? [] : [`o:${op}`]),
    ...(NAMED[`cue ${cue}`] ?? []).map((key) => `m:${key}`),
    `q:${cue}`,
  ];
}

function whenLicences(when: When): string[] {
  if (when.kind === 'latest') return ['p:latest'];
  if (when.kind === 'last') return [`pl:${when.count}:${when.grain}`];
  if (when.kind === 'range')
    return [
      ...edges('pf', when.from.from),
      ...(when.to ? edges('pt', when.to.to) : []),
      ...(when.to
        ? [`p:${nameOf(when.from.grain, when.from.to)}`, `p:${nameOf(when.to.grain, when.to.to)}`]
        : []),
    ];
  if (when.kind !== 'stretch' || when.isStart === true) return [];
  const own = nameOf(when.grain, when.to);
  const ends = when.isEnd === true ? FREQUENCIES.map((each) => `p:${nameAt(each, when.to)}`) : [];
  return [
    `p:${own}`,
    ...ends,
    ...edges('pf', when.from),
    ...edges('pt', when.to),
    `d:${when.from}`,
    `d:${when.to}`,
  ];
}

function nameOf(grain: string, day: string): string {
  const frequency = GRAINS[grain];
  return frequency === undefined ? '' : nameAt(frequency, day);
}

function edges(kind: 'pf' | 'pt', day: string): string[] {
  return FREQUENCIES.map((each) => `${kind}:${nameAt(each, day)}`);
}
