import { portfolioRisk } from '#lib/investment/risk/portfolio-risk.ts';
import { riskContentHash } from '#lib/investment/risk/risk-content-hash.ts';
import { riskInputs } from '#lib/investment/risk/risk-data.ts';
import { REPORT_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import { tooLarge } from '#lib/investment/risk/risk-refusal.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './risk-reports.ts';

export const compute: ComputationOf<typeof runner> = (_input, loaded, control) => {
  if (loaded.data === null)
    return { ok: false, refusal: tooLarge(loaded.symbols, loaded.rows - 1, REPORT_LIMITS)! };
  const [found] = riskInputs(loaded.data) as [ReturnType<typeof riskInputs>[number]];
  if (found.state === 'inconsistent')
    return { ok: false, refusal: { code: 'portfolio_inconsistent', detail: found.detail } };
  control.progress(0.5);
  const outcome = portfolioRisk(found.input);
  if (!outcome.ok) return outcome;
  const input_data = { content_sha256: riskContentHash(found.input) };
  return { ok: true, output: { input_data, result: outcome.result }, attachments: {} };
};
