import { valueAt, type Account } from './account.ts';
import type { Order } from './ledger.ts';
import type { Market } from './market.ts';
import { orderCost, totalCost, type Liquidity } from './order-cost.ts';
import { orderSize } from './order-size.ts';
import type { Terms } from './terms.ts';

/** Orders of one decision that wait for their session. */
export type Pending = {
  decided: number;
  /** Target weights; NaN leaves a position unchanged. */
  targets: Float64Array;
  /** Signed quantities that were sized at the decision, or null if they are sized at the trade. */
  sized: Float64Array | null;
};

/** A lack of cash up to this share of the purchases counts as a rounding error. */
const TOLERANCE = 1e-12;
/** An amount up to this share of the value counts as a rounding error and causes no order. */
const DUST = 1e-10;

/**
 * Sizes the orders of a decision at the prices of a session. The amount of each order depends only on the value before
 * all orders, so the order of the symbols changes nothing: amount = w (1 - cash_min) V - q p. A target of 0 sells the
 * whole position. The result has one signed quantity for each symbol; it is 0 for no order and NaN for an order that
 * lapses because its price is not known, or because a volume is needed and not known.
 */
export function sizeOrders(
  account: Account,
  { targets, session }: { targets: Float64Array; session: number },
  market: Market,
  terms: Terms,
): Float64Array {
  const investable = valueAt(account, market.trade, session) * (1 - terms.cashMin);
  const sizes = new Float64Array(market.symbols);
  for (let symbol = 0; symbol < market.symbols; symbol += 1) {
    const held = account.quantity[symbol]!;
    const weight = targets[symbol]!;
    if (Number.isNaN(weight) || (weight === 0 && held === 0)) continue;
    const price = market.trade[session * market.symbols + symbol]!;
    if (!(price > 0)) {
      sizes[symbol] = Number.NaN;
      continue;
    }
    const amount = weight * investable - held * price;
    if (weight === 0) sizes[symbol] = -held;
    else if (Math.abs(amount) > DUST * investable) {
      const size = orderSize(terms, amount, price, liquidityOf(market, session, symbol));
      sizes[symbol] = withinHolding(size, held, weight);
    }
  }
  return sizes;
}

/**
 * Fills the orders of a decision: limits them to the permitted share of the volume, scales all purchases
 * down by one factor if cash does not suffice, and records quantities, cash and costs. Appends the filled
 * orders to `log`, if given.
 */
export function trade(
  account: Account,
  { decided, targets, sized }: Pending,
  session: number,
  { market, terms, log }: { market: Market; terms: Terms; log: Order[] | null },
): void {
  const sizes = sized ?? sizeOrders(account, { targets, session }, market, terms);
  for (let symbol = 0; symbol < sizes.length; symbol += 1) {
    if (sizes[symbol] !== 0)
      sizes[symbol] = fillable(account, sizes[symbol]!, session, symbol, market, terms);
  }
  const scale = purchaseScale(account, sizes, session, market, terms);
  for (let symbol = 0; symbol < sizes.length; symbol += 1) {
    let quantity = sizes[symbol]!;
    if (quantity === 0) continue;
    const price = market.trade[session * market.symbols + symbol]!;
    const liquidity = liquidityOf(market, session, symbol);
    if (quantity > 0 && scale < 1) {
      const outlay = quantity * price + totalCost(orderCost(terms, quantity, price, liquidity));
      quantity = orderSize(terms, outlay * scale, price, liquidity);
      if (quantity === 0) continue;
    }
    book(account, { decided, session, symbol, quantity, price }, { terms, liquidity, log });
  }
}

/**
 * Returns the quantity of an order that the session can fill; 0 if the order lapses. A sale lapses if its
 * costs are at least its proceeds.
 */
function fillable(
  account: Account,
  quantity: number,
  session: number,
  symbol: number,
  market: Market,
  terms: Terms,
): number {
  const price = market.trade[session * market.symbols + symbol]!;
  const { volume, volatility } = liquidityOf(market, session, symbol);
  const needsVolume = terms.participationMax !== null || terms.impact !== 0;
  const isKnown =
    price > 0 && (!needsVolume || volume > 0) && (terms.impact === 0 || Number.isFinite(volatility));
  if (
    Number.isNaN(quantity) ||
    !isKnown ||
    costsItsProceeds(quantity, price, { volume, volatility }, terms)
  ) {
    account.lapsed += 1;
    return 0;
  }
  if (terms.participationMax === null) return quantity;
  const bound = terms.participationMax * volume;
  const max = terms.wholeShares ? Math.floor(bound) : bound;
  if (Math.abs(quantity) <= max) return quantity;
  account.capped += 1;
  return quantity > 0 ? max : -max;
}

/** Whether the costs of a sale are at least its proceeds. */
function costsItsProceeds(quantity: number, price: number, liquidity: Liquidity, terms: Terms): boolean {
  return quantity < 0 && totalCost(orderCost(terms, quantity, price, liquidity)) >= -quantity * price;
}

/** Returns the factor, at most 1, by which the outlays of all purchases are multiplied so that cash suffices. */
function purchaseScale(
  account: Account,
  sizes: Float64Array,
  session: number,
  market: Market,
  terms: Terms,
): number {
  if (terms.creditMax === Infinity) return 1;
  let spent = 0;
  let available = account.cash + terms.creditMax;
  for (let symbol = 0; symbol < sizes.length; symbol += 1) {
    const quantity = sizes[symbol]!;
    if (quantity === 0) continue;
    const price = market.trade[session * market.symbols + symbol]!;
    const cost = totalCost(orderCost(terms, quantity, price, liquidityOf(market, session, symbol)));
    if (quantity > 0) spent += quantity * price + cost;
    else available += -quantity * price - cost;
  }
  return spent <= available + TOLERANCE * spent ? 1 : Math.max(0, available / spent);
}

function book(
  account: Account,
  order: Omit<Order, 'amount' | 'cost'>,
  { terms, liquidity, log }: { terms: Terms; liquidity: Liquidity; log: Order[] | null },
): void {
  const { symbol, quantity, price } = order;
  const parts = orderCost(terms, quantity, price, liquidity);
  const cost = totalCost(parts);
  const amount = quantity * price;
  account.quantity[symbol] = account.quantity[symbol]! + quantity;
  account.cash -= amount + cost;
  account.costs.commission += parts.commission;
  account.costs.spread += parts.spread;
  account.costs.impact += parts.impact;
  account.costs.tax += parts.tax;
  account.filled += 1;
  account.traded += Math.abs(amount);
  log?.push({ ...order, amount, cost });
}

/**
 * Limits a sale to the long position if the target is long too, so that rounding cannot make the position short. Limits
 * a purchase that covers a short position in the same way.
 */
function withinHolding(quantity: number, held: number, weight: number): number {
  return (weight > 0 && quantity < -held && held > 0) || (weight < 0 && quantity > -held && held < 0)
    ? -held
    : quantity;
}

function liquidityOf({ volume, volatility, symbols }: Market, session: number, symbol: number): Liquidity {
  const at = session * symbols + symbol;
  return { volume: volume?.[at] ?? Number.NaN, volatility: volatility?.[at] ?? Number.NaN };
}
