import { utcDate } from '#lib/core/clock.ts';
import type { Fault } from '#lib/core/problem.ts';
import type { RequestedHistory } from './history-source.schema.ts';
import { CELLS_MAX } from './simulation-limits.ts';
import type { SimulationInput } from './simulations.schema.ts';

/**
 * Tolerance of the sum of weights around 1, and relative tolerance of the symmetry of a covariance matrix.
 */
const NEARLY = 1e-9;

/**
 * Returns the faults of a request that its schema cannot express. `glide` is the member of the request that
 * states the weights.
 */
export function simulationFaults(input: SimulationInput, glide: 'glide' | 'weights'): Fault[] {
  return [
    ...sourceFaults(input),
    ...weightFaults(input, glide),
    ...flowFaults(input),
    ...goalFaults(input),
    ...withdrawalFaults(input),
    ...sizeFaults(input),
  ];
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, in: 'body', code, message };
}

/**
 * Returns the faults of a history that does not name exactly one of symbols, a portfolio and a backtest.
 */
export function historyFaults({ symbols, portfolio, backtest_uid, basis }: RequestedHistory): Fault[] {
  const given = Object.entries({ symbols, portfolio, backtest_uid }).filter(([, each]) => each !== undefined);
  const faults = given
    .slice(1)
    .map(([name]) =>
      fault(`/source/${name}`, 'source_given', `must be left out if \`${given[0]![0]}\` is given`),
    );
  if (given.length === 0)
    faults.push(
      fault('/source/symbols', 'required', 'is required if neither `portfolio` nor `backtest_uid` is given'),
    );
  if (basis !== undefined && portfolio === undefined)
    faults.push(fault('/source/basis', 'without_portfolio', 'is allowed only with `portfolio`'));
  return faults;
}

/** Returns a fault if the day is in the future, because its data could still change. */
export function futureFault(pointer: string, day: string, now: Date): Fault | undefined {
  const today = utcDate(now);
  return day > today ? fault(pointer, 'in_future', `must not be after today, ${today}`) : undefined;
}

function sourceFaults({ source, assets, antithetic, paths }: SimulationInput): Fault[] {
  const faults: Fault[] = [];
  if (antithetic && source.kind !== 'parametric')
    faults.push(
      fault(
        '/antithetic',
        'source_without_mirror',
        'must be false, because only parametric sources support antithetic paths',
      ),
    );
  if (antithetic && paths % 2 === 1)
    faults.push(fault('/paths', 'even', 'must be even, because antithetic paths are drawn in pairs'));
  if (source.kind === 'history' && source.from !== null && source.from >= source.to)
    faults.push(fault('/source/from', 'after_to', `must be before the last day, ${source.to}`));
  if (source.kind !== 'parametric') return faults;
  const size = assets.length;
  const expected = `must have ${size} numbers, one per asset`;
  if (source.means.length !== size) faults.push(fault('/source/means', 'length', expected));
  if (source.covariance.length !== size)
    faults.push(fault('/source/covariance', 'length', `must have ${size} rows, one per asset`));
  for (const [at, row] of source.covariance.entries())
    if (row.length !== size) faults.push(fault(`/source/covariance/${at}`, 'length', expected));
  return faults.length ? faults : [...faults, ...symmetryFaults(source.covariance)];
}

function symmetryFaults(covariance: readonly (readonly number[])[]): Fault[] {
  for (const [i, row] of covariance.entries())
    for (let j = 0; j < i; j += 1) {
      const [one, other] = [row[j]!, covariance[j]![i]!];
      if (Math.abs(one - other) > NEARLY * Math.max(Math.abs(one), Math.abs(other)))
        return [
          fault(
            `/source/covariance/${i}/${j}`,
            'symmetry',
            `must equal the element ${j}/${i}, which is ${other}`,
          ),
        ];
    }
  return [];
}

function weightFaults({ glide, assets, rebalance, horizon }: SimulationInput, member: string): Fault[] {
  const faults: Fault[] = [];
  for (const [at, { month, weights }] of glide.entries()) {
    const pointer = member === 'glide' ? `/glide/${at}` : '';
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (weights.length !== assets.length)
      faults.push(fault(`${pointer}/weights`, 'length', `must have ${assets.length} weights, one per asset`));
    else if (Math.abs(sum - 1) > NEARLY)
      faults.push(fault(`${pointer}/weights`, 'sum', `must sum to 1; the sum is ${sum}`));
    if (at === 0 && month !== 1) faults.push(fault(`${pointer}/month`, 'first_month', 'must be 1'));
    if (at > 0 && month <= glide[at - 1]!.month)
      faults.push(fault(`${pointer}/month`, 'ascending', 'must be after the month of the previous point'));
    if (month > horizon)
      faults.push(fault(`${pointer}/month`, 'maximum', `must be at most the horizon, ${horizon}`));
  }
  if (glide.length > 1 && rebalance === 'never')
    faults.push(
      fault(
        '/rebalance',
        'glide_without_rebalancing',
        'must not be `never` with a glide path of several points',
      ),
    );
  return faults;
}

function flowFaults({ flows, horizon, initial_minor: initial }: SimulationInput): Fault[] {
  const faults = flows.flatMap(({ from, to }, at) => spanFaults(`/flows/${at}`, { from, to, horizon }));
  const first = initial === null ? undefined : firstMonthFault(flows, initial);
  return first ? [...faults, first] : faults;
}

/** Returns a fault if the flows of month 1 withdraw more than the initial wealth. */
export function firstMonthFault(flows: SimulationInput['flows'], initial: number): Fault | undefined {
  const first = flows.reduce((total, { from, amount_minor }) => total + (from === 1 ? amount_minor : 0), 0);
  if (initial + first >= 0) return undefined;
  const largest = flows.reduce(
    (place, { from, amount_minor }, at) =>
      from === 1 && (place < 0 || amount_minor < flows[place]!.amount_minor) ? at : place,
    -1,
  );
  return fault(
    `/flows/${largest}/amount_minor`,
    'above_wealth',
    `withdraws more in month 1 than the initial wealth of ${initial}: every path would be ruined`,
  );
}

function spanFaults(
  pointer: string,
  { from, to, horizon }: { from: number; to: number; horizon: number },
): Fault[] {
  const faults: Fault[] = [];
  if (to < from) faults.push(fault(`${pointer}/to`, 'before_from', `must be at least \`from\`, ${from}`));
  if (to > horizon) faults.push(fault(`${pointer}/to`, 'maximum', `must be at most the horizon, ${horizon}`));
  return faults;
}

function withdrawalFaults({ withdrawal, horizon }: SimulationInput): Fault[] {
  return withdrawal ? spanFaults('/withdrawal', { ...withdrawal, horizon }) : [];
}

function goalFaults({ goals, horizon }: SimulationInput): Fault[] {
  return goals.flatMap(({ name, at }, place) => [
    ...(at > horizon
      ? [fault(`/goals/${place}/at`, 'maximum', `must be at most the horizon, ${horizon}`)]
      : []),
    ...(goals.findIndex((each) => each.name === name) < place
      ? [fault(`/goals/${place}/name`, 'repeated', 'is the name of an earlier goal')]
      : []),
  ]);
}

function sizeFaults({ paths, horizon, assets }: SimulationInput): Fault[] {
  const most = Math.floor(CELLS_MAX / (horizon * assets.length));
  if (paths <= most) return [];
  return [
    fault('/paths', 'maximum', `must be at most ${most} for ${horizon} months of ${assets.length} assets`),
  ];
}
