import { errorsOf } from '#lib/numerics/simulation/central-moments.ts';
import { wilsonInterval } from '#lib/numerics/simulation/wilson-interval.ts';
import { QUANTILES } from '#lib/numerics/scenario/sample-statistics.ts';
import { minorOf } from '#lib/investment/portfolio-scenarios/round-to-total.ts';
import {
  countOf,
  intervalOf,
  joinedMoments,
  orderedColumn,
  quantileOf,
  ranksOf,
  type Ordered,
} from './ordered-figures.ts';
import { spellFigures } from './spell-figures.ts';
import type { PathStore } from './path-store.ts';
import type { PreparedSimulation } from './prepare-simulation.ts';
import type { SimulationResult } from './simulation-result.schema.ts';
import type { SimulationSetup } from './simulation-setup.ts';

const TAIL_LEVELS = [0.95, 0.99] as const;

/** Returns the result of a simulation from the statistics of all its paths, in order. */
export function simulationResult(
  { setup, history, form, shown }: PreparedSimulation,
  stores: readonly PathStore[],
  progress: (share: number) => void = () => {},
): SimulationResult {
  const { paths: n, fanMonths, plan } = setup;
  const last = fanMonths.length - 1;
  const fan = fanMonths.map((month, column) => {
    progress(column / fanMonths.length);
    const ordered = orderedColumn(stores, column, ranksOf(n, QUANTILES));
    return { month, ordered, ...meanOf(setup, stores, column) };
  });
  const { ordered: drawdowns, ...drawdownMean } = {
    ordered: orderedColumn(stores, last + 1, ranksOf(n, QUANTILES)),
    ...meanOf(setup, stores, last + 1),
  };
  const { layout } = stores[0]!;
  return {
    history,
    ...shown,
    terminal: terminalFigures(setup, stores, last),
    probabilities: [...QUANTILES],
    fan: fan.map(({ month, ordered, mean, meanError }) => ({
      month,
      mean_minor: minorOf(mean),
      mean_error_minor: minorOf(meanError),
      quantiles_minor: QUANTILES.map((p) => minorOf(quantileOf(ordered, n, p))),
      intervals_minor: QUANTILES.map((p) => intervalOf(ordered, n, p).map(minorOf)),
    })),
    fan_resolution: Math.max(...fan.map(({ ordered }) => ordered.resolution)),
    goals: setup.goals.map(({ name, month, amount }, goal) => ({
      name,
      at: month,
      target_minor: minorOf(amount),
      ...chanceOf(countOf(stores, layout.goalsAt + goal), n),
      ...shortfallOf(setup, stores, 1 + goal),
    })),
    ruin: ruinFigures(setup, stores),
    drawdown: {
      mean: drawdownMean.mean,
      mean_error: drawdownMean.meanError,
      quantiles: QUANTILES.map((p) => ({
        p,
        value: quantileOf(drawdowns, n, p),
        interval: intervalOf(drawdowns, n, p),
      })),
      quantile_resolution: drawdowns.resolution,
    },
    time_under_water: spellFigures(stores, n, setup.horizon),
    withdrawal: null,
    closed_form: form && {
      mean_minor: minorOf(plan.initial * form.mean),
      standard_deviation_minor: minorOf(plan.initial * form.deviation),
      quantiles:
        form.quantile &&
        QUANTILES.map((p) => ({ p, value_minor: minorOf(plan.initial * form.quantile!(p)) })),
      goals:
        form.reaches && setup.goals.map(({ month, amount }) => form.reaches!(month, amount / plan.initial)),
    },
  };
}

/**
 * Returns the largest withdrawal that the required share of the paths can pay. The column of the withdrawals follows
 * the column of the drawdowns.
 */
export function withdrawalFigures(
  { paths: n, fanMonths }: SimulationSetup,
  stores: readonly PathStore[],
  solve: number,
): NonNullable<SimulationResult['withdrawal']> {
  // All paths from this rank on can afford the amount of this rank. They are at least the share `solve` of
  // the n paths.
  const rank = Math.max(0, n - Math.ceil(n * solve - 1e-9));
  const ordered = orderedColumn(stores, fanMonths.length + 1, [
    { from: rank, to: rank + 1 },
    ...ranksOf(n, [1 - solve]),
  ]);
  return {
    solve,
    amount_minor: minorOf(Math.floor(ordered.at(rank))),
    interval_minor: intervalOf(ordered, n, 1 - solve).map(minorOf),
    quantile_resolution: ordered.resolution,
  };
}

function terminalFigures(setup: SimulationSetup, stores: readonly PathStore[], column: number) {
  const { paths: n } = setup;
  const counts = TAIL_LEVELS.map((level) => Math.max(1, Math.ceil(n * (1 - level) - 1e-9)));
  const ranks = [{ from: 0, to: Math.max(...counts) }, ...ranksOf(n, QUANTILES)];
  const ordered = orderedColumn(stores, column, ranks);
  const { mean, meanError, deviation, deviationError } = meanOf(setup, stores, column);
  return {
    mean_minor: minorOf(mean),
    mean_error_minor: minorOf(meanError),
    standard_deviation_minor: minorOf(deviation),
    standard_deviation_error_minor: minorOf(deviationError),
    quantiles: QUANTILES.map((p) => ({
      p,
      value_minor: minorOf(quantileOf(ordered, n, p)),
      interval_minor: intervalOf(ordered, n, p).map(minorOf),
    })),
    tails: TAIL_LEVELS.map((level, at) => tailFigures(ordered, level, counts[at]!)),
    loss: chanceOf(countOf(stores, stores[0]!.layout.lossAt), n),
    quantile_resolution: ordered.resolution,
  };
}

/**
 * Returns the mean of the smallest values and its standard error, which includes the standard error of the quantile at
 * which the tail ends. Source: Manistre and Hancock, "Variance of the CTE estimator", North American Actuarial Journal
 * 9 (2005).
 */
function tailFigures(ordered: Ordered, level: number, count: number) {
  const mean = ordered.meanOfSmallest(count);
  const distance = ordered.at(count - 1) - mean;
  const variance = ordered.varianceOfSmallest(count, mean) + level * distance * distance;
  return { level, mean_minor: minorOf(mean), mean_error_minor: minorOf(Math.sqrt(variance / count)) };
}

/**
 * Returns the mean and deviation of a column. With antithetic paths, the standard error of the mean is
 * computed from the means of the pairs.
 */
function meanOf(setup: SimulationSetup, stores: readonly PathStore[], column: number) {
  const step = setup.antithetic ? 2 : 1;
  const moments = joinedMoments(stores, step * column);
  const { deviation, meanError, deviationError } = errorsOf(moments);
  if (!setup.antithetic) return { mean: moments.mean, deviation, meanError, deviationError };
  const pairs = errorsOf(joinedMoments(stores, step * column + 1));
  return { mean: moments.mean, deviation, meanError: pairs.meanError, deviationError };
}

function chanceOf(happened: number, n: number) {
  return { probability: happened / n, interval: wilsonInterval(happened, n) };
}

/** Returns the mean of a conditional sum: number 0 belongs to the ruined paths, the others to the goals. */
function shortfallOf(setup: SimulationSetup, stores: readonly PathStore[], which: number) {
  const columns = stores[0]!.layout.columns.length * (setup.antithetic ? 2 : 1);
  const moments = joinedMoments(stores, columns + which);
  return {
    shortfall_minor: minorOf(moments.mean),
    shortfall_error_minor: minorOf(errorsOf(moments).meanError),
  };
}

function ruinFigures(setup: SimulationSetup, stores: readonly PathStore[]) {
  const { ruinAt } = stores[0]!.layout;
  const months: SimulationResult['ruin']['months'] = [];
  let ruined = 0;
  for (let month = 1; month <= setup.horizon; month += 1) {
    const now = countOf(stores, ruinAt + month - 1);
    ruined += now;
    if (now > 0) months.push({ month, ...chanceOf(ruined, setup.paths) });
  }
  return { ...chanceOf(ruined, setup.paths), months, ...shortfallOf(setup, stores, 0) };
}
