import { Matrix } from 'ml-matrix';
import { ledoitWolf } from '#lib/numerics/covariance/ledoit-wolf.ts';
import { sampleCovariance } from '#lib/numerics/covariance/sample.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { hierarchicalRiskParity } from '#lib/numerics/optimisation/hierarchical-risk-parity.ts';
import { inverseRiskWeights } from '#lib/numerics/optimisation/inverse-risk.ts';
import { linearRange } from '#lib/numerics/optimisation/linear-range.ts';
import { riskBudget } from '#lib/numerics/optimisation/risk-budget.ts';
import { asList, asMembers, asNumber, type Members } from './golden-file.ts';
import { largestRatio, minimise, minimumTail, polyhedronOf, returnTable } from './portfolio-solve.ts';
import { type PriceTable, simpleReturns } from './price-table.ts';
import type { Tally } from './report.ts';

const DAYS = 252;
/** The maximum absolute difference between an expected and an actual weight. */
const WEIGHT_TOLERANCE = 1e-9;
/**
 * The maximum difference for CVaR portfolios. Among weights whose tail risk is within 1e-9 of the smallest,
 * Assay returns those with the smallest variance.
 */
const TAIL_WEIGHTS = 1e-5;

type Universe = { symbols: string[]; series: Float64Array[]; S: Matrix; mu: Float64Array };

/** Compares the mean returns, the Ledoit-Wolf covariance matrix, and the weights of each portfolio. */
export function checkConstruction(tally: Tally, file: Members, prices: PriceTable): void {
  const symbols = [...prices.keys()];
  const series = symbols.map((symbol) => simpleReturns(prices.get(symbol)!));
  const universe = {
    symbols,
    series,
    S: sampleCovariance(series).mul(DAYS),
    mu: Float64Array.from(series, (values) => mean(values) * DAYS),
  };
  tally.equal('observations', file['observations'], series[0]?.length);
  for (const [symbol, value] of Object.entries(asMembers(file['mu'] ?? {}, 'mu')))
    tally.number(`mu.${symbol}`, asNumber(value, 'mu'), universe.mu[symbols.indexOf(symbol)]!, 1e-12);
  checkShrinkage(tally, asMembers(file['ledoit_wolf'] ?? {}, 'ledoit_wolf'), series);
  for (const [name, value] of Object.entries(asMembers(file['portfolios'], 'portfolios'))) {
    const portfolio = asMembers(value, name);
    const weights = weightsOf(name, portfolio, universe);
    if (!weights) tally.note(`portfolios.${name} is not known`);
    else comparePortfolio(tally, `portfolios.${name}`, { portfolio, weights, universe });
  }
}

function checkShrinkage(tally: Tally, expected: Members, series: readonly Float64Array[]): void {
  if (expected['shrinkage'] === undefined) return;
  tally.case();
  const { covariance, shrinkage } = ledoitWolf(series);
  tally.number('ledoit_wolf.shrinkage', asNumber(expected['shrinkage'], 'shrinkage'), shrinkage, 1e-12);
  tally.number('ledoit_wolf.trace', asNumber(expected['trace'], 'trace'), covariance.trace(), 1e-12);
  for (const [k, value] of asList(expected['first_row'], 'first_row').entries())
    tally.number(`ledoit_wolf.first_row[${k}]`, asNumber(value, 'first_row'), covariance.get(0, k), 1e-12);
}

/** Returns the weights of a portfolio by its name in the file; undefined if the name is not known. */
function weightsOf(
  name: string,
  portfolio: Members,
  { S, mu, symbols, series }: Universe,
): Float64Array | undefined {
  const K = symbols.length;
  switch (name) {
    case 'min_variance_long_only':
      return minimise(polyhedronOf(S), { risk: 1 });
    case 'min_variance_unconstrained':
      return minimise(polyhedronOf(S, { bounds: [-Infinity, Infinity] }), { risk: 1 });
    case 'min_variance_box_1_10pct':
      return minimise(polyhedronOf(S, { bounds: [0.01, 0.1] }), { risk: 1 });
    case 'max_sharpe_long_only_rf_2pct':
      return largestRatio(polyhedronOf(S), mu, 0.02);
    case 'mean_variance_target_return_18pct':
      return minimise(polyhedronOf(S, { rows: [linearRange(mu, { min: 0.18 })] }), { risk: 1 });
    case 'risk_parity':
      return riskBudget(S, new Float64Array(K).fill(1)).weights;
    case 'risk_budgeting_rank':
      return riskBudget(S, asList(portfolio['budget'], 'budget') as number[]).weights;
    case 'hrp_single_linkage':
      return hierarchicalRiskParity(S).weights;
    case 'max_diversification':
      return largestRatio(
        polyhedronOf(S),
        mu.map((_, k) => Math.sqrt(S.get(k, k))),
        0,
      );
    case 'min_cvar_95':
      return minimumTail(polyhedronOf(S), conditionalValueAtRisk(returnTable(series), 0.95)).weights;
    case 'min_cvar_99':
      return minimumTail(polyhedronOf(S), conditionalValueAtRisk(returnTable(series), 0.99)).weights;
    case 'inverse_variance':
      return inverseRiskWeights(symbols.map((_, k) => S.get(k, k)));
    case 'mean_variance_utility_gamma5_cost20bps_from_equal': {
      const cost = new Float64Array(K).fill(0.002);
      const term = { from: new Float64Array(K).fill(1 / K), purchase: cost, sale: cost };
      const objective = { risk: 5, linear: mu.map((each) => -each), costWeight: 1 };
      return minimise(polyhedronOf(S, { absolutes: [term] }), objective);
    }
    default:
      return undefined;
  }
}

function comparePortfolio(
  tally: Tally,
  name: string,
  { portfolio, weights, universe }: { portfolio: Members; weights: Float64Array; universe: Universe },
): void {
  tally.case();
  const { symbols, S, mu } = universe;
  const within = name.includes('cvar')
    ? TAIL_WEIGHTS
    : asNumber(portfolio['tolerance'] ?? WEIGHT_TOLERANCE, name);
  for (const [symbol, value] of Object.entries(asMembers(portfolio['weights'], `${name}.weights`))) {
    const found = weights[symbols.indexOf(symbol)]!;
    tally.equal(
      `${name}.${symbol} within ${within}`,
      true,
      Math.abs(found - asNumber(value, symbol)) <= within,
    );
  }
  const risk = S.mmul(columnOf(weights));
  const variance = weights.reduce((sum, weight, k) => sum + weight * risk.get(k, 0), 0);
  const expected = weights.reduce((sum, weight, k) => sum + weight * mu[k]!, 0);
  if (name.includes('variance') && !name.includes('utility') && portfolio['objective'] !== undefined)
    tally.number(`${name}.objective`, asNumber(portfolio['objective'], 'objective'), variance, 1e-9);
  if (portfolio['sharpe'] !== undefined) {
    const sharpe = (expected - 0.02) / Math.sqrt(variance);
    tally.number(`${name}.sharpe`, asNumber(portfolio['sharpe'], 'sharpe'), sharpe, 1e-9);
  }
  if (portfolio['diversification_ratio'] !== undefined) {
    const ratio =
      weights.reduce((sum, weight, k) => sum + weight * Math.sqrt(S.get(k, k)), 0) / Math.sqrt(variance);
    tally.number(
      `${name}.diversification_ratio`,
      asNumber(portfolio['diversification_ratio'], 'ratio'),
      ratio,
      1e-9,
    );
  }
  if (name.includes('utility'))
    compareUtility(tally, name, { portfolio, weights, value: 2.5 * variance - expected });
  if (portfolio['objective_daily'] !== undefined) {
    const level = name.endsWith('99') ? 0.99 : 0.95;
    const risk = conditionalValueAtRisk(returnTable(universe.series), level).at(weights).value;
    tally.number(
      `${name}.objective_daily`,
      asNumber(portfolio['objective_daily'], 'objective_daily'),
      risk,
      1e-9,
    );
  }
  if (portfolio['order'] !== undefined) {
    const order = hierarchicalRiskParity(S).order.map((k) => symbols[k]);
    tally.equal(`${name}.order`, asList(portfolio['order'], 'order').join(), order.join());
  }
}

function compareUtility(
  tally: Tally,
  name: string,
  { portfolio, weights, value }: { portfolio: Members; weights: Float64Array; value: number },
): void {
  const distance = weights.reduce((sum, weight) => sum + Math.abs(weight - 1 / weights.length), 0);
  tally.number(
    `${name}.objective`,
    asNumber(portfolio['objective'], 'objective'),
    value + 0.002 * distance,
    1e-9,
  );
  const turnover = asNumber(portfolio['turnover_one_way'], 'turnover_one_way');
  tally.equal(`${name}.turnover`, true, Math.abs(distance / 2 - turnover) <= 1e-6);
}

const columnOf = (values: Float64Array) => Matrix.columnVector(Array.from(values));
