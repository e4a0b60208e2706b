import type { ClarificationCode, RefusalCode } from '../language/codes.ts';

/** The sentence that explains each refusal. It contains no value and no name of a record. */
export const refusalDetails: Readonly<Record<RefusalCode, string>> = {
  not_understood: 'The question contains words that could not be turned into a query.',
  language: 'Only questions in English are answered.',
  unknown_metric: 'The question names a measure that does not exist.',
  metric_not_held: 'No value of this measure is stored.',
  unknown_entity: 'The question names an entity that is not known.',
  unknown_currency: 'The question names a currency that is not known.',
  not_in_coverage: 'The period is outside the stored periods.',
  missing_value: 'The value of this period is missing.',
  not_known_yet: 'The value was not known yet on the named day.',
  period_finer_than_series: 'The period is shorter than the periods of the series.',
  stale: 'The newest value is too old to count as current.',
  no_sealed_forecast: 'No sealed forecast of this measure exists.',
  beyond_horizon: 'The period is after the last period of the forecast.',
  level_not_in_run: 'The run has no interval of this level.',
  entity_not_in_model: 'The model or run does not contain this entity.',
  bound_model_drifted: 'The bound model has drifted, and no person has reviewed the drift.',
  unit_unknown: 'The unit of this measure is not on record.',
  unit_mismatch: 'The measure has another unit.',
  currency_conversion: 'Amounts are not converted between currencies.',
  currencies_mixed: 'Amounts in different currencies cannot be added or compared.',
  aggregation_not_meaningful: 'This measure cannot be added over time.',
  premise_contradicted: 'The values on record contradict the statement in the question.',
  cause_not_in_facts: 'The facts on record do not state causes.',
  advice: 'No advice is given.',
  opinion: 'No opinion is given.',
  action_requested: 'Questions do not change anything. Use the operation of the action.',
  instruction: 'The text is an instruction, not a question about figures.',
  not_entitled: 'The scopes of the credential or the profile do not cover this domain.',
  base_not_comparable: 'A change in percent needs two values of the same sign, and a base other than zero.',
  too_many_facts: 'The answer would contain too many facts. Narrow the question.',
  provider_unavailable: 'The provider of language models did not answer.',
};

/** The question that each clarification asks back. */
export const clarificationPrompts: Readonly<Record<ClarificationCode, string>> = {
  missing_metric: 'Which measure?',
  missing_entity: 'Of which entity?',
  missing_shock: 'Under which shock?',
  ambiguous_metric: 'Which of these measures?',
  ambiguous_entity: 'Which of these entities?',
  ambiguous_currency: 'In which currency?',
  ambiguous_baseline: 'Compared with which period?',
  ambiguous_aggregation:
    'Which figure of the period: for example the mean, or the value of one of its periods?',
  ambiguous_unit: 'In percent or in percentage points?',
  ambiguous_date: 'Which date or period?',
  ambiguous_run: 'Which of these runs?',
  compound_question: 'Ask one question at a time. Which one first?',
};

const ASSUMPTIONS: Readonly<Record<string, string>> = {
  spelling: 'A word was read as the only known name that differs from it by a single letter.',
  by_currency: 'The question names no currency, so each currency has its own figure.',
  whole_history: 'The question names no period, so all stored periods were used.',
  period_to_date: 'The period is not over, so the values up to today were used.',
  days_from_today: 'The days are counted from the day of the question, which is included.',
  most_recent_past: 'A date or period in the question has no year, so the most recent one was used.',
  return_of_adj_close: 'The return is the change in the adjusted close.',
  inflation_year_over_year: 'Inflation is the change in the consumer price index over one year.',
  price_is_close: 'The price is the close.',
  flow_adds_up: 'The values of the shorter periods were added.',
  level_at_period_end: 'The value at the end of the period was used.',
};

/** Returns the sentence that explains an assumption. */
export function assumptionDetail(code: string): string {
  return ASSUMPTIONS[code] ?? 'The question leaves this open, and the usual meaning was used.';
}
