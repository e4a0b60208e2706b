import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { describeFault } from '../portfolios/lot-fault-text.ts';
import { lotsOfGroup } from '../portfolios/portfolio-group.ts';
import { secondWeekdayAfter } from '../portfolios/settlement-date.ts';
import { constructPortfolio } from './construct-portfolio.ts';
import { constructionOf, type ConstructionData } from './construction-data.ts';
import { ORDERS_MAX, PRICES_MAX, SYMBOLS_MAX } from './construction-limits.ts';
import { ConstructionRefused, type ConstructionRefusal } from './construction-refusal.ts';
import type { ConstructionResult } from './construction-result.schema.ts';
import type { ConstructionOrders, ConstructionRunInput } from './construction-run.schema.ts';

type Refusal =
  | ConstructionRefusal
  | {
      code: 'portfolio_inconsistent' | 'factor_run_ineligible';
      detail: string;
      members: Readonly<Record<string, unknown>>;
    };

export type PortfolioConstruction =
  | {
      ok: true;
      input_data: { events_sha256: string; market_sha256: string };
      result: ConstructionResult;
      orders: ConstructionOrders;
    }
  | { ok: false; refusal: Refusal };

/** Derives the holdings of a portfolio and constructs its weights and trades. See `constructPortfolio`. */
export function portfolioConstruction(
  input: ConstructionRunInput,
  data: ConstructionData,
): PortfolioConstruction {
  const { portfolio, as_of: asOf, risk } = input;
  const { lots, faults } = lotsOfGroup(data.group);
  // Other portfolios change the basis by wash sales, which matters to taxes alone.
  const fault = faults.find((each) => each.portfolio === portfolio) ?? (input.tax ? faults[0] : undefined);
  if (fault) {
    const detail = `The lots of ${fault.portfolio} cannot be derived. ${describeFault(fault)}.`;
    return { ok: false, refusal: { code: 'portfolio_inconsistent', detail, members: {} } };
  }
  if (data.isTooLarge) return tooLarge(data, risk.window);
  try {
    const construction = constructionOf(
      input,
      data,
      lots.filter((lot) => lot.portfolio === portfolio),
    );
    if (construction.assets.filter(({ isEligible }) => isEligible).length > SYMBOLS_MAX)
      return tooLarge(data, risk.window);
    if (risk.factor_run_uid !== null && construction.factorModel === null) {
      const detail = `The run ${risk.factor_run_uid} has fewer than two months with all factors, or its taxonomy can no longer be read.`;
      return { ok: false, refusal: { code: 'factor_run_ineligible', detail, members: {} } };
    }
    const outcome = constructPortfolio(construction);
    if (!outcome.ok) return outcome;
    const { result } = outcome;
    if (result.trades.length > ORDERS_MAX) {
      const detail = `There are ${result.trades.length} trades. At most ${ORDERS_MAX} fit a file of orders.`;
      const members = { observed: result.trades.length, needed: ORDERS_MAX };
      return { ok: false, refusal: { code: 'too_large', detail, members } };
    }
    return { ok: true, input_data: hashesOf(data), result, orders: ordersOf(result, { portfolio, asOf }) };
  } catch (error) {
    if (error instanceof ConstructionRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function tooLarge({ symbols }: ConstructionData, window: number): PortfolioConstruction {
  const detail =
    `The universe, the holdings and the benchmark have ${symbols} symbols with ${window} returns each. A universe ` +
    `may have ${SYMBOLS_MAX} symbols, and all together may have ${PRICES_MAX} prices.`;
  return { ok: false, refusal: { code: 'too_large', detail, members: {} } };
}

function hashesOf(data: ConstructionData) {
  const { group, listed, instruments, exposures, closes, prices, volumes, feature, factorRun } = data;
  return {
    events_sha256: sha256(group.events),
    market_sha256: canonicalHash({
      splits: group.splits,
      listed,
      instruments,
      exposures,
      closes,
      prices,
      volumes,
      feature,
      factor_run: factorRun?.run ?? null,
    }),
  };
}

/** The trades as a file for `assay batch import`; null without trades. */
function ordersOf(
  { trades, currency }: ConstructionResult,
  { portfolio, asOf }: { portfolio: string; asOf: string },
): ConstructionOrders {
  if (trades.length === 0) return null;
  return {
    batch_reference: `construct-${portfolio}-${asOf}`,
    portfolio_uid: portfolio,
    orders: trades.map(({ symbol, side, quantity, price }) => ({
      instrument: { symbol },
      side,
      quantity,
      order_type: 'market',
      reference_price: price,
      currency,
      account_reference: portfolio,
      time_in_force: 'day',
      settlement_date: secondWeekdayAfter(asOf),
    })),
  };
}
