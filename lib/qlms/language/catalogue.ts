import { asked } from '#lib/core/asked.ts';
import type { Lexicon } from './lexicon.ts';

export type MeasureKind = 'flow' | 'level' | 'index' | 'rate' | 'price' | 'text';
export type NativePeriod = 'daily' | 'monthly' | 'quarterly' | 'yearly';
export const domains = [
  'economics',
  'market',
  'companies',
  'ledger',
  'actions',
  'execution',
  'forecasts',
  'factors',
  'scenarios',
  'model',
  'workflows',
  'trust',
  'data',
] as const;
export type Domain = (typeof domains)[number];

/**
 * The declaration of a measure. `subject` is the type of entity that a value belongs to; a measure without a subject
 * has a single series. `unit` is `money` if each value has its own currency.
 */
export type Measure = {
  key: string;
  title: string;
  unit: string;
  kind: MeasureKind;
  native: NativePeriod;
  subject: 'none' | 'company' | 'instrument' | 'currency';
  domain: Domain;
};

const BY_NOUN: Readonly<Record<string, Domain>> = {
  obligation: 'actions',
  delegation: 'actions',
  exception: 'execution',
  workflow_run: 'workflows',
  transaction: 'ledger',
  ledger: 'ledger',
  instrument: 'market',
  taxonomy: 'market',
  price: 'market',
  feature: 'market',
  return: 'market',
  metric: 'companies',
  economics: 'economics',
  derived: 'economics',
  forecast: 'forecasts',
  factor: 'factors',
  factor_run: 'factors',
  scenario: 'scenarios',
  regime: 'model',
  ...Object.fromEntries(Object.entries(asked).map(([noun, { domain }]) => [noun, domain])),
};

/**
 * Returns the domain of a measure, by the first part of its key. Undefined for a figure of a run, because the kind of
 * the run determines its domain.
 */
export function domainOf(key: string): Domain | undefined {
  return BY_NOUN[key.split('.')[0]!];
}

/** The measures, the names, and the domains that a caller's scopes give access to. */
export type Catalogue = {
  measures: ReadonlyMap<string, Measure>;
  lexicon: Lexicon;
  open: ReadonlySet<Domain>;
};
