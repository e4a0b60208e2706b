import type { SemanticQuery } from '../language/query.ts';
import type { FactDraft } from './fact.ts';
import type { Observation } from './readers.ts';

/** The observations of a query about one series, in order of their periods. */
export type Series = { query: SemanticQuery; held: readonly Observation[]; unit: string; of: string | null };

/** The source of figures that are computed from other facts. */
export const COMPUTED = { kind: 'computed' as const, name: 'svc.qlm.grammar/1' };

/** Returns the fact of an observation. */
export function factOf(
  { query, unit, of }: Series,
  observation: Observation,
  role: FactDraft['role'],
): FactDraft {
  return {
    role,
    measure: query.measure!,
    unit,
    of,
    period: observation.period,
    value: observation.value,
    currency: observation.currency,
    source: observation.source,
    known_at: observation.knownAt,
    known_at_basis: observation.isAssumed ? 'assumed' : 'observed',
  };
}

/** Returns a flag if a query as of an earlier day uses values whose known-at time is assumed. */
export function flagsOf(query: SemanticQuery, used: readonly Observation[]): string[] {
  return query.as_of !== undefined && used.some(({ isAssumed }) => isAssumed) ? ['known_at_assumed'] : [];
}
