import { optimalBlockLength } from '#lib/numerics/bootstrap/optimal-block-length.ts';
import type { BootstrapPlan } from '#lib/numerics/bootstrap/bootstrap-rows.ts';
import { bootstrapExpectation } from '#lib/numerics/simulation/bootstrap-expectation.ts';
import { walkWealth, wealthChunk } from '#lib/numerics/simulation/wealth-paths.ts';
import { historyGrowth } from '#lib/quant/simulations/growth-source.ts';
import { prepareSimulation } from '#lib/quant/simulations/prepare-simulation.ts';
import { runSimulation } from '#lib/quant/simulations/run-simulation.ts';
import type { SimulationInput } from '#lib/quant/simulations/simulations.schema.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const SEED = 20_261_123;
const PATHS = 100_000;
/** Maximum difference between a figure and the exact figure, in standard errors of the figure. */
const ERRORS_MAX = 4;
/** Maximum difference between a reported standard error and the exact standard error, as a share. */
const ERROR_APART_MAX = 0.1;
const EXACT = 1e-12;
/**
 * Minor units per unit of wealth in the file. The number is so large that rounding to minor units is far
 * below the Monte Carlo error.
 */
const MINOR = 1e12;

/** Compares simulations with a file of block lengths and closed forms. */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const members = asMembers(value, `cases[${at}]`);
    const kind = asText(members['kind'], 'kind');
    const name = `${kind}, ${asText(members['name'], 'name')}`;
    const compare = Object.hasOwn(checks, kind) ? checks[kind] : undefined;
    if (!compare) {
      tally.note(`${name} is not known`);
      continue;
    }
    tally.case();
    compare(tally, name, members);
  }
  return tally.report;
}

const checks: Readonly<Record<string, (tally: Tally, name: string, members: Members) => void>> = {
  optimal_block_length(tally, name, members) {
    const found = optimalBlockLength(numbers(members, 'values'));
    const tolerance = number(members, 'tolerance_relative');
    for (const method of ['stationary', 'circular'] as const)
      tally.number(`${name}.${method}`, number(members, method), found[method], tolerance);
  },
  terminal_wealth_lognormal: lognormal,
  terminal_wealth_with_flows_at_constant_rate(tally, name, members) {
    const horizon = number(members, 'months');
    const growth = new Float64Array(24).fill(1 + number(members, 'rate_month'));
    const plan = { method: 'stationary', block: 4, rows: growth.length, horizon } as const;
    const out = new Float64Array(3 * horizon);
    historyGrowth(growth, plan, { allocation: oneAsset(horizon), seed: SEED })(out, 0, 3);
    const chunk = wealthChunk(3, 1);
    const flows = new Float64Array(horizon).fill(number(members, 'paid_at_the_start_of_each_month'));
    const slots = new Int32Array(horizon).fill(-1);
    slots[horizon - 1] = 0;
    walkWealth(chunk, out, { initial: number(members, 'start'), flows, units: null, slots }, 0);
    for (const [path, wealth] of chunk.wealth.entries())
      tally.number(
        `${name}.path[${path}]`,
        number(members, 'terminal'),
        wealth,
        number(members, 'tolerance_relative'),
      );
  },
  bootstrap_expectation(tally, name, members) {
    const growth = numbers(members, 'values').map((value) => 1 + value);
    const horizon = number(members, 'periods');
    const plan: BootstrapPlan =
      members['block'] === undefined
        ? { method: 'independent', block: 1, rows: growth.length, horizon }
        : { method: 'circular', block: number(members, 'block'), rows: growth.length, horizon };
    const expected = number(members, 'expected_terminal');
    tally.number(`${name}.closed_form`, expected, bootstrapExpectation(growth, plan), EXACT);
    const out = new Float64Array(PATHS * horizon);
    historyGrowth(growth, plan, { allocation: oneAsset(horizon), seed: SEED })(out, 0, PATHS);
    let [total, squares] = [0, 0];
    for (let path = 0; path < PATHS; path += 1) {
      let wealth = 1;
      for (let t = 0; t < horizon; t += 1) wealth *= out[path * horizon + t]!;
      total += wealth;
      squares += wealth * wealth;
    }
    const mean = total / PATHS;
    const error = Math.sqrt((squares / PATHS - mean * mean) / PATHS);
    within(tally, `${name}.mean`, expected, { actual: mean, most: ERRORS_MAX * error });
  },
};

function lognormal(tally: Tally, name: string, members: Members): void {
  const start = number(members, 'start');
  const deviationOfMonth = number(members, 'sd_log_month');
  const months = number(members, 'months');
  const input: SimulationInput = {
    source: {
      kind: 'parametric',
      means: [number(members, 'mean_log_month')],
      covariance: [[deviationOfMonth * deviationOfMonth]],
      law: 'normal',
      degrees: null,
    },
    assets: ['asset_1'],
    initial_minor: start * MINOR,
    glide: [{ month: 1, weights: [1] }],
    rebalance: 'monthly',
    band: null,
    horizon: months,
    paths: PATHS,
    flows: [],
    inflation: 0,
    fees_bps: 0,
    goals: [{ name: 'goal', at: months, amount_minor: number(members, 'goal') * MINOR, real: false }],
    withdrawal: null,
    antithetic: false,
    seed: SEED,
  };
  const prepared = prepareSimulation(input, { kind: 'parametric' });
  if (!prepared.ok) return tally.fail(name, 'a simulation', prepared.refusal.detail);
  const { terminal, goals, closed_form: form } = runSimulation(input, prepared, idle);
  const unit = (minor: number | null) => minor! / MINOR;
  const [expected, deviation] = [number(members, 'expected'), number(members, 'standard_deviation')];
  const error = deviation / Math.sqrt(PATHS);
  const meanError = unit(terminal.mean_error_minor);
  within(tally, `${name}.expected`, expected, {
    actual: unit(terminal.mean_minor),
    most: ERRORS_MAX * meanError,
  });
  within(tally, `${name}.mean_error`, error, { actual: meanError, most: ERROR_APART_MAX * error });
  within(tally, `${name}.standard_deviation`, deviation, {
    actual: unit(terminal.standard_deviation_minor),
    most: ERRORS_MAX * unit(terminal.standard_deviation_error_minor),
  });
  tally.number(`${name}.closed_form.mean`, expected, unit(form!.mean_minor), EXACT);
  tally.number(`${name}.closed_form.deviation`, deviation, unit(form!.standard_deviation_minor), 1e-10);
  for (const { p, value_minor, interval_minor } of terminal.quantiles) {
    const quantile = number(asMembers(members['quantiles'], 'quantiles'), String(p));
    const [low, high] = interval_minor.map(unit) as [number, number];
    // A quarter of the width of a 95 % confidence interval is about one standard error.
    within(tally, `${name}.quantiles.${p}`, quantile, {
      actual: unit(value_minor),
      most: ((high - low) / 4) * ERRORS_MAX,
    });
    const exact = form!.quantiles!.find((each) => each.p === p)!;
    tally.number(`${name}.closed_form.quantiles.${p}`, quantile, unit(exact.value_minor), EXACT);
  }
  const ofShare = (p: number) => ERRORS_MAX * Math.sqrt((p * (1 - p)) / PATHS);
  const ofGoal = number(members, 'probability_of_goal');
  const ofLoss = number(members, 'probability_of_loss');
  within(tally, `${name}.probability_of_goal`, ofGoal, {
    actual: goals[0]!.probability,
    most: ofShare(ofGoal),
  });
  within(tally, `${name}.probability_of_loss`, ofLoss, {
    actual: terminal.loss.probability,
    most: ofShare(ofLoss),
  });
  tally.number(`${name}.closed_form.goal`, ofGoal, form!.goals![0]!, EXACT);
  const [tail] = terminal.tails;
  within(tally, `${name}.expected_shortfall_95`, number(members, 'expected_shortfall_95'), {
    actual: start - unit(tail!.mean_minor),
    most: ERRORS_MAX * unit(tail!.mean_error_minor),
  });
}

/** Compares a simulated figure with the exact figure; `most` is the maximum accepted difference. */
function within(
  tally: Tally,
  name: string,
  expected: number,
  { actual, most }: { actual: number; most: number },
): void {
  const isWithin = Math.abs(actual - expected) <= most;
  tally.equal(name, true, isWithin);
  if (!isWithin) tally.note(`${name} is ${actual}, expected ${expected} within ${most}`);
}

const idle = { progress: () => {}, cancelled: () => false };

function oneAsset(horizon: number) {
  return {
    assets: 1,
    targets: new Float64Array(horizon).fill(1),
    rebalancing: 'monthly',
    band: 0,
    fee: 1,
  } as const;
}

function number(members: Members, name: string): number {
  return asNumber(members[name], name);
}

function numbers(members: Members, name: string): Float64Array {
  return Float64Array.from(asList(members[name], name).map((each) => asNumber(each, name)));
}
