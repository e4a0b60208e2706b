import type { FactorModel } from './factor-model.ts';
import type { WeightedPosition } from './prepared-risk.ts';

const MONTHS = 12;

/**
 * Returns the systematic and the specific risk of a portfolio by the factor model of a sealed run: variance =
 * x' C x + sum w_i^2 s_i^2, with the exposures x = sum w_i e_i.
 *
 * Positions outside the universe of the run, and positions without a specific risk in the run, are left out
 * and listed; weights are not rescaled. Variances are monthly, volatilities annual (sqrt 12). The components
 * of the factors and the specific variance add up to the total variance.
 * Source: Grinold and Kahn, "Active Portfolio Management" (2000), chapter 3.
 */
export function factorRisk(held: readonly WeightedPosition[], model: FactorModel) {
  const exposures = new Float64Array(model.factors.length);
  const missing: string[] = [];
  let [specific, covered, gross] = [0, 0, 0];
  for (const { position, weight } of held) {
    gross += Math.abs(weight);
    const own = model.exposuresOf.get(position.symbol);
    const deviation = model.specificOf.get(position.symbol);
    if (own === undefined || deviation === undefined) {
      missing.push(position.symbol);
      continue;
    }
    covered += Math.abs(weight);
    specific += weight * weight * deviation * deviation;
    for (let k = 0; k < exposures.length; k += 1) exposures[k]! += weight * own[k]!;
  }
  const components = model.covariance.map((row, k) => {
    let total = 0;
    for (const [l, each] of row.entries()) total += each * exposures[l]!;
    return exposures[k]! * total;
  });
  const systematic = components.reduce((total, each) => total + each, 0);
  const variance = systematic + specific;
  const share = (part: number) => (variance > 0 ? part / variance : null);
  return {
    run: model.run.uid,
    result_hash: model.run.result_hash,
    variance_monthly: variance,
    volatility: Math.sqrt(Math.max(0, variance) * MONTHS),
    systematic: { variance_monthly: systematic, share: share(systematic) },
    specific: { variance_monthly: specific, share: share(specific) },
    factors: model.factors.map((factor, k) => ({
      factor,
      exposure: exposures[k]!,
      component: components[k]!,
      percent: share(components[k]!),
    })),
    coverage: { value_share: gross > 0 ? covered / gross : null, symbols_missing: missing },
  };
}
