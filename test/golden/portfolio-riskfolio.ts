import { sampleCovariance } from '#lib/numerics/covariance/sample.ts';
import { conditionalDrawdown } from '#lib/numerics/optimisation/conditional-drawdown.ts';
import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { meanAbsoluteDeviation } from '#lib/numerics/optimisation/mean-absolute-deviation.ts';
import { riskBudget } from '#lib/numerics/optimisation/risk-budget.ts';
import { riskContributions } from '#lib/numerics/optimisation/risk-contributions.ts';
import type { ReturnTable, RiskMeasure } from '#lib/numerics/optimisation/risk-measure.ts';
import { asMembers, asNumber, parseGoldenFile } from './golden-file.ts';
import { minimise, minimumTail, polyhedronOf, returnTable } from './portfolio-solve.ts';
import { readWidePrices, simpleReturns } from './price-table.ts';
import { type Report, Tally } from './report.ts';

const PRICES = 'data/market/riskfolio/stock_prices.csv';
const RETURNS = 200;
/** The tolerance of weights that were published with an error of up to 4e-6. */
const PUBLISHED = 4e-6;
const OURS = 1e-9;
/**
 * The tolerance of weights of tail measures. Among weights whose risk is within 1e-9 of the smallest, Assay
 * returns those with the smallest variance.
 */
const OURS_OF_TAILS = 1e-6;
const RISK = 1e-9;

const tails: Readonly<Record<string, (table: ReturnTable) => RiskMeasure>> = {
  MAD: (table) => meanAbsoluteDeviation(table),
  CVaR: (table) => conditionalValueAtRisk(table, 0.95),
  // The worst realisation (WR) and the maximum drawdown (MDD) are tail means at a level that leaves one
  // observation in the tail.
  WR: (table) => conditionalValueAtRisk(table, 1 - 1 / RETURNS),
  MDD: (table) => conditionalDrawdown(table, 1 - 1 / (RETURNS + 1)),
};

/**
 * Compares the weights of minimum-risk and risk-parity portfolios of ten stocks with those in the golden file. Throws a
 * `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, path: string): Report {
  const cases = asMembers(parseGoldenFile(contents)['cases'], 'cases');
  const tally = new Tally();
  const prices = readWidePrices(PRICES, path);
  for (const [name, value] of Object.entries(cases)) {
    const entry = asMembers(value, name);
    const ours = asMembers(entry['our_weights'], `${name}.our_weights`);
    const published = asMembers(entry['published_weights'], `${name}.published_weights`);
    const symbols = Object.keys(ours);
    const series = symbols.map((symbol) => simpleReturns(prices.get(symbol)!.slice(-(RETURNS + 1))));
    const found = solved(name, series);
    if (!found) {
      tally.note(`${name} is not known`);
      continue;
    }
    tally.case();
    const within = name in tails ? OURS_OF_TAILS : OURS;
    for (const [k, symbol] of symbols.entries()) {
      const near = (expected: unknown, within: number) =>
        Math.abs(found.weights[k]! - asNumber(expected, symbol)) <= within;
      tally.equal(`${name}.our_weights.${symbol} within ${within}`, true, near(ours[symbol], within));
      tally.equal(
        `${name}.published_weights.${symbol} within ${PUBLISHED}`,
        true,
        near(published[symbol], PUBLISHED),
      );
    }
    if (entry['objective_ours'] !== undefined)
      tally.number(`${name}.objective_ours`, asNumber(entry['objective_ours'], name), found.risk, RISK);
  }
  return tally.report;
}

function solved(
  name: string,
  series: readonly Float64Array[],
): { weights: Float64Array; risk: number } | undefined {
  const S = sampleCovariance(series);
  const measure = tails[name]?.(returnTable(series));
  if (measure) return minimumTail(polyhedronOf(S), measure);
  if (name !== 'MV' && name !== 'RP_MV') return undefined;
  const weights =
    name === 'MV'
      ? minimise(polyhedronOf(S), { risk: 1 })
      : riskBudget(S, new Float64Array(series.length).fill(1)).weights;
  return { weights, risk: riskContributions(S, weights).volatility ** 2 };
}
