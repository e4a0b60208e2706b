import { Matrix } from 'ml-matrix';
import { riskBudget } from '#lib/numerics/optimisation/risk-budget.ts';
import { riskContributions } from '#lib/numerics/optimisation/risk-contributions.ts';
import { asList, asNumber, type Members } from '../golden-file.ts';
import type { Tally } from '../report.ts';
import { weightsOf, type Universe } from './universe.ts';

const WEIGHT = 1e-8;
const VOLATILITY = 1e-9;

/** Compares the weights and the volatility of the portfolio that has given risk contributions. */
export function checkRiskBudget({
  tally,
  universe,
  problem,
  name,
}: {
  tally: Tally;
  universe: Universe;
  problem: Members;
  name: string;
}): void {
  const budget = asList(problem['budget'], `${name}.budget`).map((each) => asNumber(each, `${name}.budget`));
  const K = universe.symbols.length;
  const covariance = Matrix.from1DArray(K, K, universe.covariance);
  const { weights } = riskBudget(covariance, budget);
  const expected = weightsOf(universe, problem['weights'], `${name}.weights`);
  universe.symbols.forEach((symbol, k) =>
    tally.number(`${name}.weights.${symbol}`, expected[k]!, weights[k]!, WEIGHT),
  );
  const { volatility } = riskContributions(covariance, weights);
  tally.number(`${name}.volatility`, asNumber(problem['volatility'], name), volatility, VOLATILITY);
}
