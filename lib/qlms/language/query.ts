/** The operations of a semantic query. */
export const queryOps = [
  'value',
  'aggregate',
  'change',
  'compare',
  'rank',
  'trend',
  'count',
  'list',
  'explain',
  'define',
  'capabilities',
] as const;
export type QueryOp = (typeof queryOps)[number];

export type Subject = { type: string; key: string };
export type Shock = { factor: string; unit: string; value: number };
export type WhereValue = string | number | Shock | readonly string[];
export type Where = { field: string; op: string; value: WhereValue };
/** A period of a query: one period, an inclusive window, an open window, or the last n periods. */
export type QueryPeriod = { at?: string; from?: string; to?: string; last?: number };
export type RunChoice = { kind: string; as_of_date?: string; select?: string };
export const aggregates = ['mean', 'median', 'min', 'max', 'sum'] as const;
export type Aggregate = (typeof aggregates)[number];
export const forms = ['points', 'basis_points', 'percent', 'annualised_percent', 'ratio'] as const;
export type Form = (typeof forms)[number];
export const dimensions = ['entity', 'period', 'currency', 'sector', 'state'] as const;
export type By = (typeof dimensions)[number];
export const orders = ['desc', 'asc', 'earliest', 'latest'] as const;
export type Order = (typeof orders)[number];

/** A semantic query, in names of the catalogue. `canonicalQuery` gives its canonical form. */
export type SemanticQuery = {
  op: QueryOp;
  measure?: string;
  of?: readonly Subject[];
  where?: readonly Where[];
  period?: QueryPeriod;
  baseline?: { period?: QueryPeriod; measure?: string; run?: RunChoice };
  agg?: Aggregate;
  as?: Form;
  by?: By;
  order?: Order;
  limit?: number;
  nth?: number;
  as_of?: string;
  run?: RunChoice;
  unit?: string;
  what?: string;
};

const MEMBERS = [
  'op',
  'measure',
  'of',
  'where',
  'period',
  'baseline',
  'agg',
  'as',
  'by',
  'order',
  'limit',
  'nth',
  'as_of',
  'run',
  'unit',
  'what',
] as const;

/**
 * Returns the canonical form of a query: members in their fixed order, `of` sorted by type and key, `where` by field
 * and operator, absent and empty members left out. Two queries are equivalent if their canonical forms are equal.
 */
export function canonicalQuery(query: SemanticQuery): SemanticQuery {
  const sorted: SemanticQuery = { ...query };
  if (query.of) sorted.of = [...query.of].sort(by((each) => `${each.type}\u0000${each.key}`));
  if (query.where) sorted.where = [...query.where].sort(by((each) => `${each.field}\u0000${each.op}`));
  const entries = MEMBERS.flatMap((name) => {
    const value = sorted[name];
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as SemanticQuery;
}

/** Returns a text that is equal for two queries if and only if their canonical forms are equal. */
export function queryKey(query: SemanticQuery): string {
  return keyOf(canonicalQuery(query));
}

function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(by(([name]) => name))
    .map(([name, each]) => `${JSON.stringify(name)}:${keyOf(each)}`);
  return `{${members.join(',')}}`;
}

function by<T>(text: (each: T) => string): (one: T, other: T) => number {
  return (one, other) => {
    const [a, b] = [text(one), text(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
}
