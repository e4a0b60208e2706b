import type { SemanticQuery } from '../language/query.ts';

/** A fact that a case expects. Members that are not given are not compared. */
export type ExpectedFact = {
  role?: string;
  value?: string;
  number?: number;
  text?: string;
  unit?: string;
  of?: string;
  period?: string;
  currency?: string;
  periods?: number;
};

/** The source of an expected fact: a run and a pointer, a record, or a tool of the bound model. */
export type FactOrigin = {
  run?: string;
  pointer?: string;
  rank?: string;
  count?: string;
  tool?: string;
  record?: string;
  name?: string;
  limit?: number;
};

export type Expected = {
  outcome: 'answered' | 'refused' | 'clarification';
  query?: SemanticQuery;
  facts?: readonly ExpectedFact[];
  facts_from?: readonly FactOrigin[];
  code?: string;
  options?: readonly string[];
  assumptions?: readonly string[];
  flags?: readonly string[];
};

/** A case of a suite `svc.qlm.suite/1`. */
export type Case = {
  id: string;
  tags: readonly string[];
  question: string;
  context?: readonly { question: string }[];
  credential?: string;
  expect: Expected;
};

/**
 * Returns cases that have been checked against the schema, with the type `Case`. Expected queries and facts are only
 * compared, so they may have any form.
 */
export function casesOf(checked: readonly object[]): Case[] {
  return checked as Case[];
}
