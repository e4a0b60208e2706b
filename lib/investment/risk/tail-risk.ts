import { toMinor, wireMinor } from '#lib/core/money.ts';
import { esCornishFisher, varCornishFisher } from '#lib/numerics/risk/cornish-fisher.ts';
import { esRockafellarUryasev } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import { filteredReturns } from '#lib/numerics/risk/filtered-historical.ts';
import { esGaussian, varGaussian } from '#lib/numerics/risk/gaussian.ts';
import { esHistoricalOrder, varHistoricalOrder } from '#lib/numerics/risk/historical-order.ts';
import { esStrictlyBeyond, varHistoricalType7 } from '#lib/numerics/risk/historical-type7.ts';
import { populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { DECAY } from './risk-limits.ts';

/**
 * Returns the value at risk and the expected shortfall of one period at each level, by name of the
 * calculation method. Also returns the two main measures as amounts.
 *
 * `returns`: n simple returns as fractions. `valueMinor`: the portfolio value, in minor units. Losses are
 * above 0; a measure below 0 is a gain. An amount that exceeds the range of a JSON integer is null.
 */
export function tailRisk(returns: Float64Array, levels: readonly number[], valueMinor: bigint) {
  const ascending = sortDoubles(returns);
  const moments = populationMoments(returns);
  const filtered = sortDoubles(filteredReturns(returns, DECAY));
  const minor = (fraction: number) => {
    const amount = toMinor(fraction * Number(valueMinor));
    return amount.ok ? wireMinor(amount.minor) : null;
  };
  return levels.map((level) => {
    const historical = varHistoricalType7(ascending, level);
    const shortfall = esRockafellarUryasev(ascending, level);
    return {
      level,
      var: {
        historical_type7: historical,
        historical_order: varHistoricalOrder(ascending, level),
        gaussian: varGaussian(moments, level),
        cornish_fisher: varCornishFisher(moments, level),
        filtered_historical: varHistoricalType7(filtered, level),
      },
      es: {
        historical_type7: esStrictlyBeyond(ascending, level),
        historical_order: esHistoricalOrder(ascending, level),
        gaussian: esGaussian(moments, level),
        cornish_fisher: esCornishFisher(moments, level),
        filtered_historical: esRockafellarUryasev(filtered, level),
        rockafellar_uryasev: shortfall,
      },
      var_historical_type7_minor: minor(historical),
      es_rockafellar_uryasev_minor: minor(shortfall),
    };
  });
}
