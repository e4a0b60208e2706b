import type { SemanticQuery } from './query.ts';

/** The codes of refusals. */
export const refusalCodes = [
  'not_understood',
  'language',
  'unknown_metric',
  'metric_not_held',
  'unknown_entity',
  'unknown_currency',
  'not_in_coverage',
  'missing_value',
  'not_known_yet',
  'period_finer_than_series',
  'stale',
  'no_sealed_forecast',
  'beyond_horizon',
  'level_not_in_run',
  'entity_not_in_model',
  'bound_model_drifted',
  'unit_unknown',
  'unit_mismatch',
  'currency_conversion',
  'currencies_mixed',
  'aggregation_not_meaningful',
  'premise_contradicted',
  'cause_not_in_facts',
  'advice',
  'opinion',
  'action_requested',
  'instruction',
  'not_entitled',
  'base_not_comparable',
  'too_many_facts',
  'provider_unavailable',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** The codes of clarifications. */
export const clarificationCodes = [
  'missing_metric',
  'missing_entity',
  'missing_shock',
  'ambiguous_metric',
  'ambiguous_entity',
  'ambiguous_currency',
  'ambiguous_baseline',
  'ambiguous_aggregation',
  'ambiguous_unit',
  'ambiguous_date',
  'ambiguous_run',
  'compound_question',
] as const;
export type ClarificationCode = (typeof clarificationCodes)[number];

/** A part of the question, in UTF-16 units: the first position and the position after the last. */
export type Span = { from: number; to: number };

/** An option of a clarification. Only an option with a query can be chosen by its number. */
export type Option = { label: string; query?: SemanticQuery };

export type Refusal = {
  outcome: 'refused';
  code: RefusalCode;
  spans: readonly Span[];
  nearest: readonly string[];
};
export type Clarification = { outcome: 'clarification'; code: ClarificationCode; options: readonly Option[] };

/** Returns a refusal. `nearest` lists only what the caller may see. */
export function refuse(
  code: RefusalCode,
  { spans = [], nearest = [] }: { spans?: readonly Span[]; nearest?: readonly string[] } = {},
): Refusal {
  return { outcome: 'refused', code, spans, nearest };
}

/** Returns a clarification with options that are only labels. */
export function askBack(code: ClarificationCode, labels: readonly string[] = []): Clarification {
  return { outcome: 'clarification', code, options: labels.map((label) => ({ label })) };
}
