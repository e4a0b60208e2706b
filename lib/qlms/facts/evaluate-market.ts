import { refuse, type Refusal } from '../language/codes.ts';
import type { SemanticQuery, Where } from '../language/query.ts';
import { compare } from './decimals.ts';
import { changeOf } from './evaluate-series.ts';
import { combine } from './evaluate-windows.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Entity, Observation, Readers } from './readers.ts';
import { COMPUTED } from './series-facts.ts';

function fits({ attributes }: Entity, where: readonly Where[] = []): boolean {
  return where.every(({ field, value }) => attributes[field] === value);
}

/** Ranks or aggregates the instruments in one period. */
export async function evaluatePanel(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const measure = readers.measure(query.measure!)!;
  const series = query.period!.at === 'latest' ? await readers.series(measure.key, undefined, undefined) : [];
  const period = query.period!.at === 'latest' ? series.at(-1)!.period : query.period!.at!;
  const symbols = new Set(
    (await readers.entities('instrument')).filter((each) => fits(each, query.where)).map(({ key }) => key),
  );
  const panel = [...(await readers.panel(measure.key, period))].filter(([symbol]) => symbols.has(symbol));
  if (panel.length === 0) return refuse('missing_value');
  if (query.op === 'aggregate') {
    const values = combine(
      query.agg!,
      panel.map(([, { value }]) => value),
    );
    const fact: FactDraft = {
      role: 'result',
      measure: measure.key,
      unit: measure.unit,
      period,
      source: COMPUTED,
      entities: panel.length,
      formula: query.agg!,
      ...values,
    };
    return { facts: [fact], flags: [] };
  }
  const base = query.baseline?.period?.at;
  const rows =
    base === undefined
      ? panel.map(([symbol, each]) => valueFact({ query, unit: measure.unit }, symbol, each))
      : changesOf(query, panel, await readers.panel(measure.key, base));
  return { facts: ordered(query, rows), flags: [] };
}

function valueFact(
  { query, unit }: { query: SemanticQuery; unit: string },
  of: string,
  each: Observation,
): FactDraft {
  return {
    role: 'result',
    measure: query.measure!,
    unit,
    of,
    period: each.period,
    value: each.value,
    source: each.source,
    known_at: each.knownAt,
    known_at_basis: each.isAssumed ? 'assumed' : 'observed',
  };
}

function changesOf(
  query: SemanticQuery,
  panel: readonly (readonly [string, Observation])[],
  bases: ReadonlyMap<string, Observation>,
): FactDraft[] {
  return panel.flatMap(([symbol, end]): FactDraft[] => {
    const base = bases.get(symbol);
    const figure = base && changeOf(query, { end, base, unit: '' });
    if (!figure || 'outcome' in figure) return [];
    return [
      {
        role: 'result',
        measure: query.measure!,
        of: symbol,
        period: end.period,
        source: COMPUTED,
        ...figure,
      },
    ];
  });
}

/**
 * Orders facts by value, then by subject. Returns the first facts, up to the limit of the query. If the query names a
 * rank, returns only the fact at this rank.
 */
export function ordered({ order, limit = 10, nth }: SemanticQuery, rows: readonly FactDraft[]): FactDraft[] {
  const sign = order === 'asc' ? 1 : -1;
  const size = (one: FactDraft, other: FactDraft): number =>
    typeof one.number === 'number'
      ? one.number - (other.number as number)
      : compare(one.value!, other.value!);
  const sorted = [...rows].sort((one, other) => sign * size(one, other) || (one.of! < other.of! ? -1 : 1));
  return nth === undefined ? sorted.slice(0, limit) : sorted.slice(nth - 1, nth);
}

/** Evaluates attributes, counts and lists of instruments. */
export async function evaluateInstruments(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const all = (await readers.entities('instrument')).filter((each) => fits(each, query.where));
  const source = { kind: 'observation' as const, name: 'instruments' };
  const shared = { role: 'result' as const, measure: query.measure!, source };
  if (query.op === 'value') {
    const found = all.find(({ key }) => key === query.of![0]!.key);
    const text = found?.attributes[query.measure!.slice('instrument.'.length)];
    return text === undefined
      ? refuse('missing_value')
      : { facts: [{ ...shared, unit: 'text', text, of: found!.key }], flags: [] };
  }
  if (query.op === 'list') {
    if (all.length > 50) return refuse('too_many_facts');
    return { facts: all.map(({ key }) => ({ ...shared, unit: 'text', text: key })), flags: [] };
  }
  if (query.by !== 'sector')
    return { facts: [{ ...shared, unit: 'count', value: String(all.length) }], flags: [] };
  const sectors = [...new Set(all.map(({ attributes }) => attributes.sector!))].sort();
  const facts = sectors.map((sector) => ({
    ...shared,
    unit: 'count',
    of: sector,
    value: String(all.filter(({ attributes }) => attributes.sector === sector).length),
  }));
  return { facts, flags: [] };
}

/**
 * Evaluates exposures of themes and instruments in the taxonomy version that the query names, or else in the newest
 * version known by the as-of day.
 */
export async function evaluateExposure(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const asked = query.where?.find(({ field }) => field === 'taxonomy_version')?.value;
  const taxonomy = await readers.taxonomy({
    ...(query.as_of === undefined ? {} : { asOf: query.as_of }),
    ...(asked === undefined ? {} : { version: String(asked) }),
  });
  if (!taxonomy) return refuse(query.as_of === undefined ? 'not_in_coverage' : 'not_known_yet');
  const theme = query.of?.find(({ type }) => type === 'theme')?.key;
  const symbol = query.of?.find(({ type }) => type === 'instrument')?.key;
  const rows = taxonomy.rows.filter(
    (row) => (theme === undefined || row.theme === theme) && (symbol === undefined || row.symbol === symbol),
  );
  const shared = {
    role: 'result' as const,
    measure: query.measure!,
    period: taxonomy.version,
    source: taxonomy.source,
  };
  if (query.measure === 'taxonomy.exposure') {
    if (rows.length === 0) return refuse('missing_value');
    const facts = rows.map((row): FactDraft => ({
      ...shared,
      unit: 'exposure, 0 to 1',
      value: row.exposure,
      of: `${row.theme}/${row.symbol}`,
    }));
    return { facts: query.op === 'rank' ? ordered(query, facts) : facts, flags: [] };
  }
  const names = [
    ...new Set(rows.map((row) => (query.measure === 'taxonomy.theme' ? row.theme : row.symbol))),
  ].sort();
  if (query.op === 'count')
    return { facts: [{ ...shared, unit: 'count', value: String(names.length) }], flags: [] };
  if (names.length > 50) return refuse('too_many_facts');
  return { facts: names.map((text) => ({ ...shared, unit: 'text', text })), flags: [] };
}
