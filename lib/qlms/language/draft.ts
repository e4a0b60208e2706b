import type { Clarification, Refusal } from './codes.ts';
import type { When } from './calendar.ts';
import type { Comparator } from './readings.ts';
import type { Aggregate, By, Form, Order, QueryOp, RunChoice, Shock, Subject, Where } from './query.ts';

/** The base of a change: a period, or the period one year, quarter or month earlier. */
export type Base = When | { kind: 'yoy' | 'qoq' | 'mom' };

/** A run that a question names, before the run is looked up. */
export type RunAsked = {
  kind: string;
  when?: When;
  regime?: string;
  seed?: string;
  isLatest?: boolean;
  shock?: Shock;
};

/**
 * A query as read from the words of a question. Periods, entities and runs are not yet checked against the stored data.
 * `measures` lists the measures of one name; `mentions` the candidates of each named entity.
 */
export type QueryDraft = {
  kind: 'query';
  op: QueryOp;
  measures?: readonly string[];
  second?: readonly string[];
  mentions?: readonly (readonly Subject[])[];
  where?: readonly Where[];
  when?: When;
  base?: Base;
  asOf?: When;
  agg?: Aggregate;
  as?: Form;
  by?: By;
  order?: Order;
  limit?: number;
  nth?: number;
  run?: RunAsked | RunChoice;
  currency?: string;
  what?: string;
  /** Whether the question asks for growth without naming the period to compare with. */
  isGrowth?: boolean;
  /** Whether the question names a total. */
  isTotal?: boolean;
  /** Whether the question names no measure, so that the context or a clarification must supply the measure. */
  isOpen?: boolean;
  assumptions?: readonly string[];
  /** Whether the question asks for the change of a rate as a percentage of the rate. */
  isPercentChosen?: boolean;
};

/** A statement that has to be true before a question is answered. */
export type Claim = {
  draft: QueryDraft;
  direction?: 'up' | 'down' | 'any';
  op?: Comparator;
  value?: string;
  stated: string;
};

export type PremiseDraft = {
  kind: 'premise';
  claim: Claim;
  /** The outcome if the statement is true. */
  next: QueryDraft | Refusal | Clarification;
};

export type Draft = QueryDraft | PremiseDraft;

/** The reading of a question: a draft, a refusal or a clarification. */
export type Understood = Draft | Refusal | Clarification;

/** Whether a value is a draft and not an outcome. */
export function isDraft(understood: Understood): understood is Draft {
  return 'kind' in understood;
}
