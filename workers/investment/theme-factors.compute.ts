import { readPriceText } from '#lib/data/price-text.ts';
import { themeFactors } from '#lib/investment/theme-factors/theme-factors.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './theme-factors.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control) => {
  const prices = data.prices.map(readPriceText);
  const outcome = themeFactors(input, { taxonomy: data.taxonomy, prices }, control);
  if (!outcome.ok) {
    const { code, detail, observed, needed } = outcome.refusal;
    return { ok: false, refusal: { code, detail, members: { observed, needed } } };
  }
  const { result } = outcome;
  return {
    ok: true,
    output: {
      input_data: { market_sha256: result.market_data.sha256, taxonomy_sha256: result.taxonomy.sha256 },
      exposure_mode: outcome.exposureMode,
      warnings: outcome.warnings,
      result,
    },
    attachments: { specific_returns: outcome.specificReturns },
  };
};
