import { formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import type { Construction } from './construction.ts';
import type { ConstructionHolding } from './construction-input.ts';
import type { ConstructionResult } from './construction-result.schema.ts';
import { fixedToNumber, minorScale } from './fixed-point.ts';
import { byTax, lotKey, takeLots, taxOf } from './sold-lots.ts';
import { type LotStretch, ratesOf } from './trade-costs.ts';
import { fault } from './construction-refusal.ts';
import { type Trade, type TradeTarget, tradeList } from './trade-list.ts';

type Wire = Pick<
  ConstructionResult,
  'trades' | 'cash_left_minor' | 'cost_minor' | 'tax_minor' | 'realised_gain_minor'
>;

const DAYS_PER_YEAR = 252;
/** Weights that differ by at most this amount count as equal. */
const ROUNDING = 1e-12;

/** Lists the trades that lead from the holdings to the weights, with costs, closed lots and taxes. */
export function constructionTrades(
  construction: Construction,
  weights: Float64Array,
  stretches: readonly (readonly LotStretch[])[],
): Wire {
  const { position, constraints, input, assets } = construction;
  const lotSize = parseDecimal(constraints.lot_size ?? '1')!;
  if (lotSize === 0n) throw fault('/constraints/lot_size', 'exclusive_minimum', 'must be above 0');
  const list = tradeList(targetsOf(construction, weights), {
    valueMinor: position.valueMinor,
    cashMinor: position.cashMinor,
    cashMinMinor: BigInt(Math.ceil((constraints.cash_min ?? 0) * Number(position.valueMinor))),
    minorDigits: input.minorDigits,
    lotSize,
    minimumTradeMinor: BigInt(constraints.minimum_trade_minor ?? 0),
  });
  const place = new Map(assets.map(({ symbol }, k) => [symbol, k]));
  const order = (symbol: string) => (place.has(symbol) ? stretches[place.get(symbol)!] : undefined) ?? [];
  const holdings = new Map(input.holdings.map((holding) => [holding.symbol, holding]));
  let [cost, tax, gain] = [0n, 0n, 0n];
  const trades = list.trades.map((trade) => {
    const sale = saleOf(construction, trade, {
      holding: holdings.get(trade.symbol),
      order: order(trade.symbol),
    });
    cost += trade.costMinor;
    tax += sale.tax;
    gain += sale.gain;
    return {
      symbol: trade.symbol,
      side: trade.side,
      quantity: formatDecimal(trade.quantity),
      price: formatDecimal(trade.price),
      amount_minor: Number(trade.amountMinor),
      cost_minor: Number(trade.costMinor),
      tax_minor: Number(sale.tax),
      lots: sale.lots,
    };
  });
  return {
    trades,
    cash_left_minor: Number(list.cashLeftMinor),
    cost_minor: Number(cost),
    tax_minor: Number(tax),
    realised_gain_minor: Number(gain),
  };
}

function targetsOf({ assets, position, costs, problem }: Construction, weights: Float64Array): TradeTarget[] {
  const { linear_bps = 0, half_spread_bps = 0, impact } = costs;
  const linear = (linear_bps + half_spread_bps) / 10_000;
  const own = assets.flatMap(({ symbol, price, volume }, k): TradeTarget[] => {
    const holding = position.holdings[k];
    const known = holding?.price ?? price;
    if (known === null) return []; // The asset is in the benchmark only.
    const daily = problem.volatilities[k]! / Math.sqrt(DAYS_PER_YEAR);
    const depth = impact && volume ? (2 / 3) * impact.y * daily : 0;
    const costRate = (shares: number) => linear + (depth === 0 ? 0 : depth * Math.sqrt(shares / volume!));
    // Rounding errors of the solver must not open, keep or trade a position.
    if (Math.abs(weights[k]! - problem.before[k]!) <= ROUNDING) return [];
    const weight = Math.abs(weights[k]!) > ROUNDING ? weights[k]! : 0;
    return [{ symbol, quantity: holding?.quantity ?? 0n, price: known, weight, costRate }];
  });
  const sold = position.outside.map(({ symbol, quantity, price }): TradeTarget => ({
    symbol,
    quantity,
    price: price!,
    weight: 0,
    costRate: () => linear,
  }));
  return [...own, ...sold];
}

function saleOf(
  { tax, input }: Construction,
  { side, quantity, amountMinor: proceedsMinor }: Trade,
  { holding, order }: { holding: ConstructionHolding | undefined; order: readonly LotStretch[] },
) {
  if (side === 'buy' || !holding || holding.lots.length === 0) return { lots: [], tax: 0n, gain: 0n };
  const rates = tax && ratesOf(tax);
  const valueOf = (each: bigint) =>
    fixedToNumber(each) * fixedToNumber(holding.price!) * minorScale(input.minorDigits);
  const byLot = new Map(holding.lots.map((lot) => [lotKey(lot), lot]));
  const chosen = order.flatMap(({ key }) => byLot.get(key) ?? []);
  const lots =
    chosen.length === holding.lots.length
      ? chosen
      : rates
        ? byTax(holding.lots, { rates, valueOf }).map(({ lot }) => lot)
        : holding.lots;
  const sold = takeLots(lots, { quantity, proceedsMinor });
  const terms = new Map(lots.map((lot) => [lotKey(lot), lot.term]));
  return {
    lots: sold.map((each) => ({
      lot: each.lot,
      slice: each.slice,
      quantity: formatDecimal(each.quantity),
      proceeds_minor: Number(each.proceedsMinor),
      basis_minor: Number(each.basisMinor),
      gain_minor: Number(each.gainMinor),
    })),
    tax: rates ? taxOf(sold, { terms, rates }) : 0n,
    gain: sold.reduce((sum, { gainMinor }) => sum + gainMinor, 0n),
  };
}
