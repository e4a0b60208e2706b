import type { When } from './calendar.ts';
import type { Span } from './codes.ts';
import type { Aggregate, Subject } from './query.ts';

export type Comparator = 'gt' | 'gte' | 'lt' | 'lte' | 'eq';

/** One meaning of a lexeme. A lexeme with the meaning `function` has no meaning of its own and needs no slot. */
export type Reading =
  | { slot: 'function' }
  | { slot: 'unknown' }
  | { slot: 'cue'; cue: string }
  | { slot: 'measure'; keys: readonly string[] }
  | { slot: 'entity'; subjects: readonly Subject[] }
  | { slot: 'sector'; value: string }
  | { slot: 'currency'; codes: readonly string[] }
  | { slot: 'noun'; noun: string }
  | { slot: 'state'; states: readonly State[] }
  | { slot: 'agg'; agg: Aggregate }
  | { slot: 'superlative'; order: 'desc' | 'asc' }
  | { slot: 'direction'; direction: 'up' | 'down' | 'any' }
  | { slot: 'unit'; unit: string }
  | { slot: 'statistic'; statistic: string; domain: 'factor' | 'scenario' }
  | { slot: 'regime'; regime: string }
  | { slot: 'when'; when: When }
  | { slot: 'as_of'; when: When }
  | { slot: 'since'; when: When }
  | { slot: 'base'; when: When }
  | { slot: 'step'; grain: 'month' | 'quarter' | 'year'; by: number }
  | { slot: 'until'; when: When & { kind: 'stretch' }; edge: 'before' | 'after' | 'by' | 'on' }
  | { slot: 'number'; value: string; unit?: string }
  | { slot: 'limit'; limit: number }
  | { slot: 'nth'; nth: number }
  | { slot: 'threshold'; op: Comparator; value: string; unit?: string }
  | { slot: 'comparator'; op: Comparator }
  | { slot: 'version'; version: string };

/** A condition on the records of a noun. */
export type State = { noun: string; field: string; value: string };

/** One or more consecutive words of the question with their meanings. The most usual meaning is first. */
export type Lexeme = Span & {
  text: string;
  key: string;
  readings: readonly Reading[];
  isPossessive: boolean;
  isCapital: boolean;
  before: string;
};
