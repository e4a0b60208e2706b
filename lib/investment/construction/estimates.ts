import type { Matrix } from 'ml-matrix';
import { completeObservations } from '#lib/numerics/covariance/complete-observations.ts';
import { exponentiallyWeightedCovariance } from '#lib/numerics/covariance/exponentially-weighted.ts';
import { factorCovariance } from '#lib/numerics/covariance/factor-model.ts';
import { ledoitWolf } from '#lib/numerics/covariance/ledoit-wolf.ts';
import { sampleCovariance } from '#lib/numerics/covariance/sample.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import type { ConstructionAsset, ConstructionFactorModel, ConstructionInput } from './construction-input.ts';
import { refused } from './construction-refusal.ts';

/** Minimum number of periods in which every symbol has a return. */
const PERIODS_MIN = 24;

export type Estimates = {
  /** Annual covariance matrix, in the order of the assets. */
  covariance: Matrix;
  volatilities: Float64Array;
  /** Mean of the complete periods, times the number of periods per year. */
  historicalMeans: Float64Array;
  /** K series of the N returns of the complete periods. */
  series: Float64Array[];
  coverage: Float64Array;
  shrinkage: number | null;
};

/**
 * Returns the annual covariance matrix and the means of the assets, by the estimator of the request. Refuses
 * fewer than 24 complete periods (`market_history_insufficient`), and symbols that the factor model does not
 * contain.
 */
export function estimate(
  { request, periodsPerYear, factorModel }: ConstructionInput,
  assets: readonly ConstructionAsset[],
): Estimates {
  const { series, coverage } = completeObservations(assets.map(({ returns }) => returns));
  const observed = series[0]?.length ?? 0;
  if (observed < PERIODS_MIN) {
    throw refused(
      'market_history_insufficient',
      `Only ${observed} periods have a return of every symbol. At least ${PERIODS_MIN} periods are needed.`,
      { observed, needed: PERIODS_MIN, symbols: leastCovered(assets, coverage) },
    );
  }
  const { estimator = 'ledoit_wolf', half_life = observed / 4 } = request.risk ?? {};
  const ofReturns =
    estimator === 'factor_run'
      ? { covariance: byFactors(factorModel, assets), shrinkage: null }
      : annualCovariance(series, { estimator, halfLife: half_life, periodsPerYear });
  return {
    ...ofReturns,
    volatilities: volatilitiesOf(ofReturns.covariance),
    historicalMeans: Float64Array.from(series, (values) => mean(values) * periodsPerYear),
    series,
    coverage,
  };
}

/** The estimators that need only returns. */
export type ReturnEstimator = {
  estimator: 'ledoit_wolf' | 'sample' | 'ewma';
  /** Half-life of `ewma`, in periods. */
  halfLife: number;
  periodsPerYear: number;
};

/** Returns the annual covariance matrix of K series of N returns. */
export function annualCovariance(
  series: readonly Float64Array[],
  { estimator, halfLife, periodsPerYear }: ReturnEstimator,
): Pick<Estimates, 'covariance' | 'shrinkage'> {
  if (estimator === 'ledoit_wolf') {
    const { covariance, shrinkage } = ledoitWolf(series);
    return { covariance: covariance.mul(periodsPerYear), shrinkage };
  }
  const covariance =
    estimator === 'ewma' ? exponentiallyWeightedCovariance(series, { halfLife }) : sampleCovariance(series);
  return { covariance: covariance.mul(periodsPerYear), shrinkage: null };
}

/** Returns the volatilities on the diagonal of a covariance matrix. */
export function volatilitiesOf(covariance: Matrix): Float64Array {
  return Float64Array.from({ length: covariance.rows }, (_, k) =>
    Math.sqrt(Math.max(covariance.get(k, k), 0)),
  );
}

const SYMBOLS_NAMED = 20;

function leastCovered(assets: readonly ConstructionAsset[], coverage: Float64Array): string[] {
  const least = coverage.reduce((min, each) => Math.min(min, each), 1);
  return assets
    .filter((_, k) => coverage[k] === least)
    .map(({ symbol }) => symbol)
    .slice(0, SYMBOLS_NAMED);
}

function byFactors(model: ConstructionFactorModel | null, assets: readonly ConstructionAsset[]): Matrix {
  const missing = assets.filter(
    ({ symbol }) =>
      !model || !Object.hasOwn(model.exposures, symbol) || !Object.hasOwn(model.specificVariances, symbol),
  );
  if (!model || missing.length > 0) {
    const symbols = missing.map(({ symbol }) => symbol).slice(0, SYMBOLS_NAMED);
    const [observed, needed] = [assets.length - missing.length, assets.length];
    const detail = `The theme factor run has exposures and a specific risk for only ${observed} of the ${needed} symbols.`;
    throw refused('market_history_insufficient', detail, { observed, needed, symbols });
  }
  return factorCovariance({
    exposures: assets.map(({ symbol }) => model.exposures[symbol]!),
    factorCovariance: model.factorCovariance,
    specificVariances: assets.map(({ symbol }) => model.specificVariances[symbol]!),
  });
}
