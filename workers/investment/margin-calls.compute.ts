import { fitsTheWire, wireMinor } from '#lib/core/money.ts';
import { agreementWarnings, appliedTerms } from '#lib/investment/netting/applied-terms.ts';
import { marginStatement, type MarginStatement } from '#lib/investment/collateral/collateral-margin.ts';
import type { MarginStatementOnWire } from '#lib/investment/collateral/margin-calls.schema.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './margin-calls.ts';

export const compute: ComputationOf<typeof runner> = (input, agreement) => {
  const { terms } = agreement;
  const outcome = marginStatement(
    {
      agreementType: terms.agreement_type,
      thresholdMinor: terms.threshold_minor === null ? null : BigInt(terms.threshold_minor),
      minimumTransferMinor: BigInt(terms.minimum_transfer_minor),
      independentAmountMinor: BigInt(terms.independent_amount_minor),
    },
    {
      markToMarketMinor: BigInt(input.mark_to_market_minor),
      collateralBalanceMinor: BigInt(input.collateral_balance_minor),
      openMarginMinor: BigInt(input.open_margin_minor),
      roundingMinor: BigInt(input.rounding_minor),
    },
  );
  if (!outcome.ok) return { ok: false, refusal: outcome.refusal };
  const amounts = Object.values(outcome.statement).filter((value) => typeof value === 'bigint');
  if (!amounts.every(fitsTheWire)) {
    const detail = 'An amount of the statement exceeds the range of a JSON integer.';
    return { ok: false, refusal: { code: 'amount_range', detail } };
  }
  return {
    ok: true,
    output: {
      netting_set: appliedTerms(agreement),
      warnings: agreementWarnings(input.conflicts_open),
      result: onWire(outcome.statement),
    },
    attachments: {},
  };
};

function onWire(statement: MarginStatement): MarginStatementOnWire {
  return {
    credit_support_amount_minor: wireMinor(statement.creditSupportAmountMinor),
    shortfall_minor: wireMinor(statement.shortfallMinor),
    margin_call_minor: wireMinor(statement.marginCallMinor),
    direction: statement.direction,
    return_leg_minor: wireMinor(statement.returnLegMinor),
    delivery_leg_minor: wireMinor(statement.deliveryLegMinor),
    balance_after_minor: wireMinor(statement.balanceAfterMinor),
    exposure_before_minor: wireMinor(statement.exposureBeforeMinor),
    exposure_after_minor: wireMinor(statement.exposureAfterMinor),
    negative_exposure_after_minor: wireMinor(statement.negativeExposureAfterMinor),
    replacement_cost_margined_minor: wireMinor(statement.replacementCostMarginedMinor),
  };
}
