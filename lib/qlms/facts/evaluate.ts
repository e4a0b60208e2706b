import { refuse, type Refusal } from '../language/codes.ts';
import type { SemanticQuery } from '../language/query.ts';
import { isRecordNoun } from '../language/record-nouns.ts';
import { display } from '../wording/display.ts';
import type { Fact, FactDraft, Found } from './fact.ts';
import { evaluateLedger } from './evaluate-ledger.ts';
import { evaluateExposure, evaluateInstruments, evaluatePanel } from './evaluate-market.ts';
import { evaluateRecords } from './evaluate-records.ts';
import { evaluateForecast, evaluateModel, evaluateRun } from './evaluate-runs.ts';
import { evaluateSeries } from './evaluate-series.ts';
import { describe } from './evaluate-texts.ts';
import type { Clock, Readers } from './readers.ts';

/** Evaluates a canonical query. Values, sums and differences stay decimals. */
export async function evaluate(
  query: SemanticQuery,
  readers: Readers,
  clock: Clock,
): Promise<{ facts: Fact[]; flags: string[] } | Refusal> {
  const found = await evaluatorOf(query)(query, readers, clock);
  if ('outcome' in found) return found;
  if (found.facts.length > 200) return refuse('too_many_facts');
  return {
    facts: found.facts.map((each, index) => finished(each, index, query.as_of ?? clock.today)),
    flags: [...found.flags],
  };
}

type Evaluator = (query: SemanticQuery, readers: Readers, clock: Clock) => Promise<Found | Refusal>;

function evaluatorOf({ op, measure = '', by, run, of }: SemanticQuery): Evaluator {
  const [domain = ''] = measure.split('.');
  if (op === 'capabilities' || op === 'define') return describe;
  if (run !== undefined) return evaluateRun;
  if (domain === 'forecast') return evaluateForecast;
  if (domain === 'regime' && op === 'value') return evaluateModel;
  if (isRecordNoun(domain)) return evaluateRecords;
  if (domain === 'taxonomy') return evaluateExposure;
  if (domain === 'instrument') return evaluateInstruments;
  if (op === 'explain' || measure === 'metric') return describe;
  if (domain === 'ledger') return evaluateLedger;
  const isPanel = (by === 'entity' && (of ?? []).length === 0) || (op === 'rank' && by === undefined);
  return isPanel ? evaluatePanel : evaluateSeries;
}

function finished(draft: FactDraft, index: number, asOf: string): Fact {
  const fact: Fact = {
    of: null,
    period: null,
    value: null,
    number: null,
    text: null,
    currency: null,
    rounding: null,
    formula: null,
    inputs: [],
    as_of: asOf,
    known_at: null,
    known_at_basis: 'record',
    display: '',
    ...draft,
    id: `f${index + 1}`,
  };
  const shown = display(fact);
  return { ...fact, display: shown.text, rounding: shown.rounding };
}
