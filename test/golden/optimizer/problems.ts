import { cappedProgram } from '#lib/numerics/optimisation/capped-program.ts';
import { conditionalDrawdown } from '#lib/numerics/optimisation/conditional-drawdown.ts';
import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { maximumSharpe } from '#lib/numerics/optimisation/maximum-sharpe.ts';
import { meanAbsoluteDeviation } from '#lib/numerics/optimisation/mean-absolute-deviation.ts';
import { minimumRisk } from '#lib/numerics/optimisation/minimum-risk.ts';
import { portfolioProgram } from '#lib/numerics/optimisation/portfolio-program.ts';
import type { RiskMeasure } from '#lib/numerics/optimisation/risk-measure.ts';
import { asList, asMembers, asNumber, type Members } from '../golden-file.ts';
import type { Tally } from '../report.ts';
import { checkConflict } from './conflicts.ts';
import { checkRiskBudget } from './risk-budgets.ts';
import { polyhedronOf, returnRow, weightsOf, type Universe } from './universe.ts';

export type ProblemCheck = (of: { tally: Tally; universe: Universe; problem: Members; name: string }) => void;
type Checked = Parameters<ProblemCheck>[0];

const WEIGHT = 1e-8;
const OBJECTIVE = 1e-9;

/** The check of each problem by its name. A problem that is not listed is reported as not known. */
export const problemChecks: Readonly<Record<string, ProblemCheck>> = {
  minimum_variance: (of) => checkVariance(of, of.problem, of.name),
  efficient_frontier: (of) =>
    asList(of.problem['points'], `${of.name}.points`).forEach((value, at) => {
      const point = asMembers(value, `${of.name}.points[${at}]`);
      checkVariance(of, { ...of.problem, ...point }, `${of.name}.points[${at}]`);
    }),
  mean_variance_utility: checkUtility,
  maximum_sharpe: checkSharpe,
  maximum_return_within_tracking_error: checkTrackingError,
  minimum_cvar: (of) => {
    const level = asNumber(of.problem['level'], `${of.name}.level`);
    checkRisk(of, conditionalValueAtRisk(of.universe.table, level));
  },
  minimum_cdar: (of) => {
    const level = asNumber(of.problem['level'], `${of.name}.level`);
    checkRisk(of, conditionalDrawdown(of.universe.table, level));
  },
  minimum_mean_absolute_deviation: (of) => checkRisk(of, meanAbsoluteDeviation(of.universe.table)),
  infeasible: checkConflict,
  risk_budget: checkRiskBudget,
};

function checkVariance({ tally, universe }: Checked, problem: Members, name: string): void {
  const target = problem['target_return'];
  const rows = target === undefined ? [] : [returnRow(universe, asNumber(target, `${name}.target_return`))];
  const polyhedron = polyhedronOf(universe, problem, name, rows);
  const linear = new Float64Array(universe.symbols.length);
  const verdict = portfolioProgram(polyhedron, { risk: 1, linear, costWeight: 0 });
  if (!verdict.ok) throw new RangeError(`${name} is ${verdict.reason}`);
  const { weights, variance } = verdict.solution;
  compareWeights({ tally, universe, problem, name }, weights);
  if (problem['volatility'] !== undefined) {
    tally.number(`${name}.volatility`, asNumber(problem['volatility'], name), Math.sqrt(variance), OBJECTIVE);
  } else {
    tally.number(`${name}.variance`, asNumber(problem['variance'], `${name}.variance`), variance, OBJECTIVE);
  }
}

function checkUtility(of: Checked): void {
  const { tally, universe, problem, name } = of;
  const risk = asNumber(problem['risk_aversion'], `${name}.risk_aversion`);
  const linear = universe.means.map((mean) => -mean);
  const verdict = portfolioProgram(polyhedronOf(universe, problem, name), { risk, linear, costWeight: 0 });
  if (!verdict.ok) throw new RangeError(`${name} is ${verdict.reason}`);
  compareWeights(of, verdict.solution.weights);
  tally.number(`${name}.variance`, asNumber(problem['variance'], name), verdict.solution.variance, OBJECTIVE);
}

function checkSharpe(of: Checked): void {
  const { tally, universe, problem, name } = of;
  const riskFree = asNumber(problem['risk_free'], `${name}.risk_free`);
  const verdict = maximumSharpe(polyhedronOf(universe, problem, name), { means: universe.means, riskFree });
  if (!verdict.ok) throw new RangeError(`${name} is ${verdict.reason}`);
  compareWeights(of, verdict.solution.weights);
  tally.number(`${name}.sharpe`, asNumber(problem['sharpe'], name), verdict.solution.sharpe, OBJECTIVE);
}

/**
 * Compares the portfolio with the largest return under a maximum tracking error. The source uses only a part
 * of the allowed tracking error. If the share s is unused, the objective is exact to about s, and the weights
 * to about the square root of s.
 */
function checkTrackingError(of: Checked): void {
  const { tally, universe, problem, name } = of;
  const max = asNumber(problem['tracking_error_max'], `${name}.tracking_error_max`);
  const reference = weightsOf(universe, problem['benchmark'], `${name}.benchmark`);
  const linear = universe.means.map((mean) => -mean);
  const objective = { risk: 0, linear, costWeight: 0 };
  const verdict = cappedProgram(polyhedronOf(universe, problem, name), objective, [{ reference, max }]);
  if (!verdict.ok) throw new RangeError(`${name} is ${verdict.reason}`);
  const { solution } = verdict;
  const attained = asNumber(problem['tracking_error'], `${name}.tracking_error`);
  compareWeights(of, solution.weights, Math.sqrt(Math.max(0, 1 - attained / max)));
  tally.number(
    `${name}.expected_return`,
    asNumber(problem['expected_return'], name),
    -solution.objective,
    OBJECTIVE,
  );
  tally.number(`${name}.tracking_error_max`, max, solution.caps[0]!.volatility, 1e-12);
}

function checkRisk({ tally, universe, problem, name }: Checked, measure: RiskMeasure): void {
  const target = problem['target_return_annual'] ?? null;
  const rows = target === null ? [] : [returnRow(universe, asNumber(target, `${name}.target_return_annual`))];
  const verdict = minimumRisk(polyhedronOf(universe, problem, name, rows), measure);
  if (!verdict.ok) throw new RangeError(`${name} is ${verdict.reason}`);
  const expected = asNumber(problem['objective_period'] ?? problem['objective'], `${name}.objective`);
  tally.number(`${name}.objective`, expected, verdict.solution.risk, OBJECTIVE);
  tally.number(`${name}.weights' risk`, expected, measure.at(verdict.solution.weights).value, OBJECTIVE);
}

/** Compares weights w as 1 + w, so that the relative tolerance acts as an absolute tolerance. */
export function compareWeights(
  { tally, universe, problem, name }: Checked,
  weights: Float64Array,
  allowance = 0,
): void {
  const tolerance = problem['tolerance'] === undefined ? WEIGHT : asNumber(problem['tolerance'], name);
  const expected = weightsOf(universe, problem['weights'], `${name}.weights`);
  universe.symbols.forEach((symbol, i) =>
    tally.number(
      `${name}.weights.${symbol} + 1`,
      1 + expected[i]!,
      1 + weights[i]!,
      Math.max(tolerance, allowance),
    ),
  );
}
