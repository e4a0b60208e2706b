import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { describeFault } from '../portfolios/lot-fault-text.ts';
import { lotsOfGroup, parseGroup } from '../portfolios/portfolio-group.ts';
import { orderFile, ORDERS_MAX } from '../portfolios/order-file.ts';
import { type BenchmarkWeights, benchmarkWeights } from './benchmark-portfolio.ts';
import { constructPortfolio } from './construct-portfolio.ts';
import { constructionOf, type ConstructionData } from './construction-data.ts';
import type { ConstructionInput } from './construction-input.ts';
import { MATRIX_SYMBOLS_MAX, PRICES_MAX, SYMBOLS_MAX } from './construction-limits.ts';
import { ConstructionRefused, type ConstructionRefusal } from './construction-refusal.ts';
import type { ConstructionResult } from './construction-result.schema.ts';
import type { Covariance } from './covariance.schema.ts';
import type { ConstructionOrders, ConstructionRunInput } from './construction-run.schema.ts';

/** A refusal of a construction, or of the events and the factor run that it reads. */
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
      /** Null if the matrix has more than `MATRIX_SYMBOLS_MAX` symbols. */
      covariance: Covariance | null;
    }
  | { ok: false; refusal: Refusal };

/** The input of a construction from the recorded events and the market data, or the refusal. */
export type DerivedConstruction =
  | { ok: true; construction: ConstructionInput }
  | { ok: false; refusal: Refusal };

/** Derives the holdings of a portfolio and constructs its weights and trades. See `constructPortfolio`. */
export function portfolioConstruction(
  input: ConstructionRunInput,
  data: ConstructionData,
): PortfolioConstruction {
  const derived = derivedConstruction(input, data);
  if (!derived.ok) return derived;
  const outcome = constructPortfolio(derived.construction);
  if (!outcome.ok) return outcome;
  const { result, covariance } = outcome;
  if (result.trades.length > ORDERS_MAX) {
    const detail = `There are ${result.trades.length} trades. A file of orders can have at most ${ORDERS_MAX}.`;
    const members = { observed: result.trades.length, needed: ORDERS_MAX };
    return { ok: false, refusal: { code: 'too_large', detail, members } };
  }
  const { trades, currency } = result;
  const { portfolio, as_of: asOf } = input;
  return {
    ok: true,
    input_data: hashesOf(data),
    result,
    orders: orderFile(trades, { purpose: 'construct', portfolio, asOf, currency }),
    covariance: keptCovariance(covariance),
  };
}

/** Returns a covariance matrix that is small enough to be stored with its run; otherwise null. */
export function keptCovariance(covariance: Covariance): Covariance | null {
  return covariance.symbols.length <= MATRIX_SYMBOLS_MAX ? covariance : null;
}

/** Derives the input of a construction: the holdings, the cash, the benchmark and the returns. */
export function derivedConstruction(
  input: ConstructionRunInput,
  data: ConstructionData,
): DerivedConstruction {
  const { portfolio, risk } = input;
  const group = parseGroup(data.group);
  const { lots, faults } = lotsOfGroup(group);
  // Through wash sales, other portfolios change the cost basis of this portfolio. The basis matters only to taxes,
  // so a fault of another portfolio is a fault of this request only with `tax`.
  const fault = faults.find((each) => each.portfolio === portfolio) ?? (input.tax ? faults[0] : undefined);
  if (fault) {
    const detail = `The lots of ${fault.portfolio} cannot be derived. ${describeFault(fault)}.`;
    return { ok: false, refusal: { code: 'portfolio_inconsistent', detail, members: {} } };
  }
  if (data.isTooLarge) return tooLarge(data, risk.window);
  try {
    const compared = comparedWith(input, data);
    if (!compared.ok) {
      const { code, detail } = compared;
      return { ok: false, refusal: { code, detail, members: {} } };
    }
    const own = lots.filter((lot) => lot.portfolio === portfolio);
    const construction = constructionOf({ ...input, benchmark: compared.weights }, data, {
      lots: own,
      events: group.events,
    });
    if (construction.assets.filter(({ isEligible }) => isEligible).length > SYMBOLS_MAX)
      return tooLarge(data, risk.window);
    if (risk.factor_run_uid !== null && construction.factorModel === null) {
      const detail = `The run ${risk.factor_run_uid} has fewer than two months with all factors, or its taxonomy can no longer be read.`;
      return { ok: false, refusal: { code: 'factor_run_ineligible', detail, members: {} } };
    }
    return { ok: true, construction };
  } catch (error) {
    if (error instanceof ConstructionRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

/** Returns the weights of the benchmark: those of the request, or those of a portfolio. */
function comparedWith(
  { benchmark, benchmark_portfolio: sealed, portfolio }: ConstructionRunInput,
  { benchmarkGroup, closes, group }: ConstructionData,
): BenchmarkWeights | { ok: true; weights: ConstructionRunInput['benchmark'] } {
  if (!sealed) return { ok: true, weights: benchmark };
  if (!benchmarkGroup) throw new Error('the events of the benchmark were not read');
  const currency = group.portfolios.find((each) => each.portfolio === portfolio)!.baseCurrency;
  return benchmarkWeights({ key: sealed.portfolio, group: benchmarkGroup, closes, currency });
}

function tooLarge({ symbols }: ConstructionData, window: number): DerivedConstruction {
  const detail =
    `The universe, the holdings and the benchmark have ${symbols} symbols with ${window} returns each. A universe ` +
    `may have ${SYMBOLS_MAX} symbols, and all together may have ${PRICES_MAX} prices.`;
  return { ok: false, refusal: { code: 'too_large', detail, members: {} } };
}

/** Returns the hashes of the events and of the market data that a construction reads. */
export function hashesOf(data: ConstructionData) {
  const {
    group,
    benchmarkGroup,
    listed,
    instruments,
    exposures,
    closes,
    prices,
    volumes,
    feature,
    factorRun,
  } = data;
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
      ...(benchmarkGroup && { benchmark: [benchmarkGroup.events, benchmarkGroup.splits] }),
    }),
  };
}
