import { fieldsOf, isFigure, isRecordNoun } from './record-nouns.ts';
import { readPeriod } from '#lib/data/period.ts';
import type { Measure } from './catalogue.ts';
import { refuse, type Refusal, type RefusalCode } from './codes.ts';
import { isShaped } from './query-shape.ts';
import type { QueryOp, QueryPeriod, SemanticQuery, Where } from './query.ts';
import { areSummed } from './whole-period.ts';

type Fault = RefusalCode | undefined;
type Measures = ReadonlyMap<string, Measure>;

/**
 * Checks the types of a query that no frame has made: members that the operation needs, periods that exist, and
 * aggregates, forms and conditions that the kind and unit of the measure allow. Returns the refusal, or undefined.
 */
export function queryFault(query: SemanticQuery, measures: Measures): Refusal | undefined {
  const fault = faultOf(query, measures);
  return fault && refuse(fault);
}

const STATISTICS = /^[a-z][a-z0-9_]{0,60}$/;

function faultOf(query: SemanticQuery, measures: Measures): Fault {
  if (!isShaped(query) || !hasOnlyRead(query)) return 'not_understood';
  const { op, measure, run } = query;
  if (op === 'capabilities') return undefined;
  if (measure === undefined) return 'not_understood';
  const bounds = boundsFault(query);
  if (bounds) return bounds;
  if (op === 'define') return measures.has(measure) ? undefined : 'unknown_metric';
  const [family = '', name = ''] = measure.split('.');
  if (run !== undefined || family === 'run' || family === 'factor_run') return runFault(query, family, name);
  if (isRecordNoun(family)) return recordFault(query, family, name);
  if (op === 'explain') return explainFault(query, measures);
  if (family === 'forecast') return forecastFault(query, name);
  if (family === 'regime') return modelFault(query);
  if (family === 'taxonomy') return taxonomyFault(query, name);
  if (family === 'instrument') return instrumentFault(query, name);
  if (measure === 'metric') return op === 'list' && isOf(query, 'company') ? undefined : 'not_understood';
  const declared = measures.get(measure);
  if (!declared || measure === 'return' || family === 'derived') return 'unknown_metric';
  if (declared.domain === 'ledger') return ledgerFault(query, measure);
  if (declared.kind === 'text') return 'not_understood';
  return seriesFault(query, declared, measures);
}

/** The members that an operation reads, besides `op`. Any other member of a query would be ignored silently. */
const READ: Readonly<Record<QueryOp, string>> = {
  value: 'measure of where period by as_of run unit',
  aggregate: 'measure of where period agg by as_of unit',
  change: 'measure of period baseline as as_of unit',
  compare: 'measure of period baseline as as_of unit',
  rank: 'measure of where period baseline as by order limit nth as_of run unit',
  trend: 'measure of period as_of unit',
  count: 'measure of where period by as_of unit',
  list: 'measure of where as_of what',
  explain: 'measure of where period as_of run unit what',
  define: 'measure as_of what',
  capabilities: '',
};

function hasOnlyRead(query: SemanticQuery): boolean {
  const read = READ[query.op];
  return (
    read !== undefined &&
    Object.entries(query).every(
      ([name, value]) => name === 'op' || value === undefined || read.split(' ').includes(name),
    )
  );
}

/** Returns a fault if a member that any query can have is outside its bounds. */
function boundsFault({ limit, nth, as_of: asOf, baseline, where = [], of = [] }: SemanticQuery): Fault {
  const isCount = (each: number | undefined): boolean =>
    each === undefined || (Number.isInteger(each) && each >= 1 && each <= 200);
  if (!isCount(limit) || !isCount(nth) || (nth !== undefined && nth > (limit ?? 10))) return 'not_understood';
  if (asOf !== undefined && readPeriod(asOf)?.frequency !== 'daily') return 'not_understood';
  if (baseline?.run !== undefined || where.length > 8 || of.length > 8) return 'not_understood';
  return where.every(isCondition) ? undefined : 'not_understood';
}

function isCondition({ op, value }: Where): boolean {
  if (op === 'between') return Array.isArray(value) && value.length === 2;
  if (!['eq', 'gt', 'gte', 'lt', 'lte'].includes(op)) return false;
  return typeof value === 'number' ? Number.isFinite(value) : op === 'eq' || typeof value === 'string';
}

function isOf({ of = [] }: SemanticQuery, ...types: readonly string[]): boolean {
  return of.length === types.length && types.every((type, index) => of[index]!.type === type);
}

function isPeriod({ at, from, to, last }: QueryPeriod, frequency: string): boolean {
  const fits = (name: string): boolean => readPeriod(name)?.frequency === frequency;
  if (at !== undefined) return from === undefined && last === undefined && (at === 'latest' || fits(at));
  if (last !== undefined)
    return from === undefined && to === undefined && Number.isInteger(last) && last >= 1 && last <= 20_000;
  return from !== undefined && fits(from) && (to === undefined || (fits(to) && from <= to));
}

function seriesFault(query: SemanticQuery, measure: Measure, measures: Measures): Fault {
  const { op, period, of = [], where = [], by, agg, baseline, unit } = query;
  if (!period || !isPeriod(period, measure.native)) return 'not_understood';
  if (unit !== undefined && measure.unit !== 'money') return 'unit_mismatch';
  const isPanel = (by === 'entity' && of.length === 0) || (op === 'rank' && by === undefined);
  if (isPanel) return panelFault(query, measure);
  const most = op === 'compare' || by === 'entity' ? 2 : 1;
  if (measure.subject === 'none' ? of.length > 0 : of.some(({ type }) => type !== measure.subject))
    return 'unknown_entity';
  if (measure.subject !== 'none' && of.length === 0) return 'unknown_entity';
  if (of.length > most) return 'not_understood';
  const isOne = period.at !== undefined;
  if (where.some(({ field, value }) => field !== 'value' || Number.isNaN(Number(value))))
    return 'not_understood';
  if (op === 'value') return isOne && where.length === 0 ? undefined : 'not_understood';
  if (op === 'compare') return compareFault(query, measure, measures);
  if (op === 'change')
    return baseline?.period &&
      isPeriod(baseline.period, measure.native) &&
      (measure.kind === 'flow' && areSummed(period, baseline.period)
        ? true
        : isOne && baseline.period.at !== undefined)
      ? formFault(query, measure)
      : 'not_understood';
  if (op === 'aggregate') {
    if (agg === undefined || where.length > 0) return 'not_understood';
    if (by === 'entity') return isOne && agg === 'sum' && of.length === 2 ? undefined : 'not_understood';
    if (isOne) return 'not_understood';
    return agg === 'sum' && measure.kind !== 'flow' ? 'aggregation_not_meaningful' : undefined;
  }
  if (isOne) return 'not_understood';
  if (op === 'trend') return where.length === 0 ? undefined : 'not_understood';
  if (op === 'count') return where.length > 0 && by === 'period' ? undefined : 'not_understood';
  return op === 'rank' && by === 'period' && query.order !== undefined ? undefined : 'not_understood';
}

function compareFault(
  { of = [], period, baseline, as }: SemanticQuery,
  measure: Measure,
  measures: Measures,
): Fault {
  if (period?.at === undefined || (as !== undefined && as !== 'ratio')) return 'not_understood';
  if (baseline?.measure === undefined) return of.length === 2 ? undefined : 'not_understood';
  const other = measures.get(baseline.measure);
  if (!other) return 'unknown_metric';
  if (of.length > 1 || other.subject !== measure.subject) return 'not_understood';
  return other.unit === measure.unit ? undefined : 'unit_mismatch';
}

function formFault({ as }: SemanticQuery, { unit }: Measure): Fault {
  const isRate = unit.startsWith('percent');
  if ((as === 'points' || as === 'basis_points') && !isRate) return 'unit_mismatch';
  if (as === 'percent' && unit === 'ratio') return 'not_understood';
  return undefined;
}

function panelFault(query: SemanticQuery, measure: Measure): Fault {
  const { op, period, where = [], baseline, agg, as, order } = query;
  if (measure.subject !== 'instrument' || period?.at === undefined) return 'not_understood';
  if (where.some(({ field, op: each }) => field !== 'sector' || each !== 'eq')) return 'not_understood';
  if (op === 'aggregate')
    return agg !== undefined && agg !== 'sum' && !baseline ? undefined : 'not_understood';
  if (op !== 'rank' || order === undefined) return 'not_understood';
  if (!baseline) return as === undefined ? undefined : 'not_understood';
  return baseline.period?.at !== undefined && as === 'percent' ? undefined : 'not_understood';
}

function ledgerFault({ op, period, agg, of = [] }: SemanticQuery, measure: string): Fault {
  if (of.some(({ type }) => type !== 'currency' && type !== 'account')) return 'unknown_entity';
  const isBalance = measure === 'ledger.balance';
  const isOfDays = isBalance || period?.from?.length === 10;
  if (!period || !isPeriod(period, isOfDays ? 'daily' : 'monthly')) return 'not_understood';
  if (isBalance) return op === 'value' && period.at !== undefined ? undefined : 'not_understood';
  return op === 'aggregate' && agg === 'sum' && period.from !== undefined ? undefined : 'not_understood';
}

function recordFault(
  { op, by, what, agg, order, as, as_of: asOf, baseline, period, run, unit, of = [] }: SemanticQuery,
  noun: string,
  name: string,
): Fault {
  if (period || of.length > 0) return 'not_understood';
  // Records are read in their current state. Figures are derived from what was known on a day.
  if (asOf !== undefined && !isFigure(noun, name)) return 'not_in_coverage';
  if (op === 'rank') {
    if (as ?? baseline ?? by ?? run ?? unit ?? !Object.hasOwn(fieldsOf(noun), name)) return 'not_understood';
    const isOfTime = order === 'earliest' || order === 'latest';
    const { reads } = fieldsOf(noun)[name]!;
    const fits = reads === 'day' ? isOfTime : (reads === 'money' || reads === 'count') && !isOfTime;
    return fits && order !== undefined ? undefined : 'not_understood';
  }
  if (isFigure(noun, name))
    return op === 'value' && !(agg ?? order ?? by ?? what ?? run ?? unit) ? undefined : 'not_understood';
  if (name !== '')
    return op === 'aggregate' && name === 'outstanding' && agg === 'sum' && by === 'currency'
      ? undefined
      : 'not_understood';
  if (op === 'count') return undefined;
  if (op === 'list' && what !== undefined && !isListed(noun, what)) return 'not_understood';
  return op === 'list' || (op === 'explain' && what !== undefined) ? undefined : 'not_understood';
}

/** Whether the records of a noun have a stored field. A list has no figures. */
function isListed(noun: string, field: string): boolean {
  return Object.hasOwn(fieldsOf(noun), field) && !isFigure(noun, field);
}

function taxonomyFault({ op, of = [], order }: SemanticQuery, name: string): Fault {
  if (of.some(({ type }) => type !== 'theme' && type !== 'instrument')) return 'unknown_entity';
  if (name === 'exposure')
    return op === 'value' || (op === 'rank' && order !== undefined) ? undefined : 'not_understood';
  return (name === 'theme' || name === 'symbol') && (op === 'count' || op === 'list')
    ? undefined
    : 'not_understood';
}

function instrumentFault(query: SemanticQuery, name: string): Fault {
  const { op } = query;
  if (op === 'value') return name !== '' && isOf(query, 'instrument') ? undefined : 'not_understood';
  return name === '' && (op === 'count' || op === 'list') ? undefined : 'not_understood';
}

const RUN_KINDS = new Set(['investment.theme-factors', 'generative.scenarios', 'planning.forecasts']);

function runFault({ op, run, order, of = [], what }: SemanticQuery, family: string, name: string): Fault {
  if (!run || !RUN_KINDS.has(run.kind)) return 'not_understood';
  if (what !== undefined)
    return op === 'explain' && what === 'seal' && family === 'run' ? undefined : 'not_understood';
  if (!STATISTICS.test(name) || of.length > 1) return 'not_understood';
  if (of.some(({ key }) => !/^[\w.-]{1,60}$/.test(key))) return 'entity_not_in_model';
  const isOfRun =
    run.kind === (family.startsWith('factor') ? 'investment.theme-factors' : 'generative.scenarios');
  if (!isOfRun || !['factor', 'factor_run', 'scenario'].includes(family)) return 'not_understood';
  if (op === 'rank') return family === 'factor' && order !== undefined ? undefined : 'not_understood';
  return op === 'value' ? undefined : 'not_understood';
}

function forecastFault({ op, period, where = [] }: SemanticQuery, name: string): Fault {
  const metric = where.find(({ field, op: each }) => field === 'metric' && each === 'eq');
  if (!metric || op !== 'value' || (name !== 'point' && name !== 'interval')) return 'not_understood';
  const isLevel = where.some(({ field }) => field === 'level');
  if (isLevel !== (name === 'interval')) return 'not_understood';
  return period?.at !== undefined && readPeriod(period.at) ? undefined : 'not_understood';
}

function modelFault({ op, measure, of = [], where = [] }: SemanticQuery): Fault {
  if (op !== 'value') return 'not_understood';
  if (measure === 'regime.probability') return undefined;
  const shock = where.find(({ field }) => field === 'shock')?.value;
  const isShock = typeof shock === 'object' && 'factor' in shock && Number.isFinite(shock.value);
  const hasRegime = where.some(({ field, value }) => field === 'regime' && typeof value === 'string');
  return measure === 'regime.conditional_mean' && of.length === 1 && isShock && hasRegime
    ? undefined
    : 'not_understood';
}

const EXPLAINED = new Set(['source', 'method', 'freshness', 'coverage', 'revisions']);

function explainFault(
  { measure = '', what, where = [], period, of = [] }: SemanticQuery,
  measures: Measures,
): Fault {
  if (measure === 'forecast')
    return where.some(({ field }) => field === 'metric') && (what === 'horizon_end' || what === 'backtest')
      ? undefined
      : 'not_understood';
  if (what === undefined || !EXPLAINED.has(what)) return 'not_understood';
  if (what === 'revisions' && period?.at === undefined) return 'not_understood';
  const declared = measures.get(measure);
  const needsSubject = declared && (declared.subject === 'company' || declared.subject === 'instrument');
  if ((what === 'revisions' || what === 'coverage') && needsSubject && of.length !== 1)
    return 'unknown_entity';
  return declared || ['price', 'factor', 'scenario', 'regime', 'forecast'].includes(measure)
    ? undefined
    : 'unknown_metric';
}
