import { readPeriod } from '#lib/data/period.ts';
import type { QueryPeriod, SemanticQuery } from './query.ts';
import { isRecordNoun } from './record-nouns.ts';

export type QueryFault = { pointer: string; message: string };

/**
 * Returns the faults of a query that its schema cannot express: names of periods, combinations of members, and members
 * that an operation needs. A query without faults can be evaluated, or is refused with a code.
 */
export function queryFaults(query: SemanticQuery): QueryFault[] {
  const { op, measure, period, baseline, limit, nth, agg, what } = query;
  const faults: QueryFault[] = [
    ...periodFaults(period, '/period'),
    ...periodFaults(baseline?.period, '/baseline/period'),
  ];
  const add = (pointer: string, message: string): void => void faults.push({ pointer, message });
  if (measure === undefined && op !== 'capabilities') add('/measure', `is required by ${op}`);
  if (op === 'aggregate' && agg === undefined) add('/agg', 'is required by aggregate');
  if (op === 'explain' && what === undefined) add('/what', 'is required by explain');
  if (nth !== undefined && limit !== undefined && nth > limit) add('/nth', 'must not exceed limit');
  if (needsPeriod(query) && period === undefined) add('/period', `is required by ${op} of a series`);
  return faults;
}

/** Whether a query is about values that have periods. */
function needsPeriod({ op, measure = '', run, what }: SemanticQuery): boolean {
  const [domain = ''] = measure.split('.');
  if (
    run !== undefined ||
    what !== undefined ||
    !['value', 'aggregate', 'change', 'compare', 'rank', 'trend'].includes(op)
  )
    return false;
  if (measure === 'regime.conditional_mean') return false;
  return (
    !isRecordNoun(domain) &&
    !['taxonomy', 'instrument', 'metric'].includes(measure) &&
    domain !== 'taxonomy' &&
    domain !== 'instrument'
  );
}

function periodFaults(period: QueryPeriod | undefined, pointer: string): QueryFault[] {
  if (period === undefined) return [];
  const { at, from, to, last } = period;
  const faults: QueryFault[] = [];
  const add = (name: string, message: string): void =>
    void faults.push({ pointer: name === '' ? pointer : `${pointer}/${name}`, message });
  const forms = [at, from, last].filter((each) => each !== undefined).length;
  if (forms !== 1) add('', 'must have exactly one of at, from and last');
  if (to !== undefined && from === undefined) add('to', 'needs from');
  if (at !== undefined && at !== 'latest' && !readPeriod(at)) add('at', 'is not a period or `latest`');
  if (from !== undefined && !readPeriod(from)) add('from', 'is not a period');
  if (to !== undefined && !readPeriod(to)) add('to', 'is not a period');
  const [first, end] = [from && readPeriod(from), to && readPeriod(to)];
  if (first && end && (first.frequency !== end.frequency || first.lastDay > end.lastDay))
    add('to', 'must be a period of the same length as from, and not before it');
  return faults;
}
