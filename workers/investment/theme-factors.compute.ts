import type { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import { themeFactors, type ThemeFactorsData } from '#lib/investment/theme-factors.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof themeFactorsJob, ThemeFactorsData> = (input, data, control) => {
  const outcome = themeFactors(input, data, control);
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
