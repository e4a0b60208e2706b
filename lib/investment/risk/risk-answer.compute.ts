import { canonicalHash } from '#lib/core/seal.ts';
import { portfolioRisk } from './portfolio-risk.ts';
import { riskContentHash } from './risk-content-hash.ts';
import { type RiskData, riskInputs } from './risk-data.ts';
import type { RiskRefusal } from './risk-refusal.ts';
import type { RiskResult, RiskSummaryRow } from './risk-result.schema.ts';
import { riskSummary, withoutFigures } from './risk-summary.ts';

export type RiskAnswerInput = {
  data: RiskData;
  /** Whether the result is the risk of one portfolio instead of one row for each portfolio. */
  isOne: boolean;
  /**
   * The release of Assay. It is part of the validator, because another release can compute different figures.
   */
  release: string;
  /** Validators of the results that the caller already has. */
  held: readonly string[];
};

export type RiskAnswer = { validator: string } & (
  | { state: 'held' }
  | { state: 'inconsistent'; detail: string }
  | { state: 'refused'; refusal: RiskRefusal }
  | { state: 'one'; result: RiskResult }
  | { state: 'summary'; rows: RiskSummaryRow[] }
);

/**
 * Computes a result of GET /investment/risk in a thread. The validator is the hash of the inputs. If the
 * caller already has the result with this validator, nothing is computed.
 */
export default function riskAnswer({ data, isOne, release, held }: RiskAnswerInput): RiskAnswer {
  const inputs = riskInputs(data);
  const hashes = inputs.map((each) =>
    each.state === 'consistent' ? riskContentHash(each.input) : { inconsistent: each.detail },
  );
  const validator = canonicalHash({ release, isOne, hashes });
  if (held.some((each) => validator.startsWith(each))) return { validator, state: 'held' };
  if (!isOne) {
    const rows = inputs.map((each, at): RiskSummaryRow =>
      each.state === 'consistent'
        ? riskSummary(each.input)
        : inconsistentRow(data.subjects[at]!.uid, data.asOf),
    );
    return { validator, state: 'summary', rows };
  }
  const [only] = inputs as [(typeof inputs)[number]];
  if (only.state === 'inconsistent') return { validator, ...only };
  const outcome = portfolioRisk(only.input);
  return outcome.ok
    ? { validator, state: 'one', result: outcome.result }
    : { validator, state: 'refused', refusal: outcome.refusal };
}

function inconsistentRow(portfolio: string, asOf: string): RiskSummaryRow {
  return { portfolio, as_of: asOf, ...withoutFigures, why: 'portfolio_inconsistent' };
}
