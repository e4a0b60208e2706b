import { compareText } from '#lib/core/compare-text.ts';
import { amountMinor, divideUp, divideDown, divideHalfEven, ONE } from '#lib/core/decimal.ts';
import { fixedToNumber, minorScale } from './fixed-point.ts';

/** A position and its target weight. Quantities and prices are decimals times 10^8. */
export type TradeTarget = {
  symbol: string;
  quantity: bigint;
  price: bigint;
  weight: number;
  /**
   * Returns the cost of a trade of this many shares, as a share of its amount. The result never decreases
   * with the number of shares.
   */
  costRate: (shares: number) => number;
};

export type TradeTerms = {
  valueMinor: bigint;
  cashMinor: bigint;
  /** The minimum amount of cash after the trades. */
  cashMinMinor: bigint;
  minorDigits: number;
  lotSize: bigint;
  minimumTradeMinor: bigint;
};

export type Trade = {
  symbol: string;
  side: 'buy' | 'sell';
  quantity: bigint;
  price: bigint;
  amountMinor: bigint;
  costMinor: bigint;
};

export type TradeList = { trades: Trade[]; cashLeftMinor: bigint };

/**
 * If the cash is not enough, all purchases are multiplied by a factor below 1, which is a multiple of 1 /
 * `SCALE_STEPS`.
 */
const SCALE_STEPS = 1 << 20;

/**
 * Returns the trades that lead from the quantities to the target weights, ordered by symbol. Purchases are
 * rounded down and sales are rounded up to the lot size, so that the cash is enough before costs. A weight of
 * 0 sells the whole position. If the costs need more cash, all purchases are scaled down together. Remaining
 * cash then buys one more lot of the purchases whose rounding removed the largest fraction; ties are in the
 * order of the symbols.
 *
 * Cash is exact to the minor unit: cash left = cash + sales - purchases - costs. The cash left is at least
 * `cashMinMinor`, unless the cash was lower before and no sale is needed. Each symbol occurs once. Costs are
 * rounded up to the minor unit.
 */
export function tradeList(targets: readonly TradeTarget[], terms: TradeTerms): TradeList {
  const sorted = targets.toSorted((a, b) => compareText(a.symbol, b.symbol));
  const wanted = sorted.map((target) => wantedQuantity(target, terms));
  const sales = sorted.flatMap((target, at) => (wanted[at]! < 0n ? saleOf(target, wanted[at]!, terms) : []));
  let cash = terms.cashMinor;
  for (const { amountMinor: amount, costMinor } of sales) cash += amount - costMinor;
  const purchases = affordable(
    sorted
      .map((target, at) => ({ target, wanted: wanted[at]! }))
      .filter((each) => each.wanted > 0n && isLargeEnough(each, terms)),
    cash - terms.cashMinMinor,
    terms,
  );
  for (const { amountMinor: amount, costMinor } of purchases) cash -= amount + costMinor;
  const trades = [...sales, ...purchases].sort((a, b) => compareText(a.symbol, b.symbol));
  return { trades, cashLeftMinor: cash };
}

/**
 * Inverse relative tolerance. A change of the quantity counts as a multiple of the lot size if the difference is at
 * most about the target quantity divided by `ROUNDING`.
 */
const ROUNDING = 1_000_000_000_000n;

/**
 * Returns the change of the quantity that leads to the target weight, before it is rounded to lots. Only
 * the weight is rounded, to 15 decimals.
 */
function wantedQuantity(
  { quantity, price, weight }: TradeTarget,
  { valueMinor, minorDigits, lotSize }: TradeTerms,
): bigint {
  const WEIGHT_UNIT = 1_000_000_000_000_000n;
  const share = BigInt(Math.round(weight * 1e15));
  const scale = BigInt(minorScale(minorDigits));
  // quantity x 10^8 = weight x value / (price / 10^8 x 10^digits) x 10^8
  const target = divideDown(valueMinor * share * ONE * ONE, WEIGHT_UNIT * price * scale);
  const wanted = target - quantity;
  const multiple = divideHalfEven(wanted, lotSize) * lotSize;
  const away = wanted > multiple ? wanted - multiple : multiple - wanted;
  return away <= (target < 0n ? -target : target) / ROUNDING + 1n ? multiple : wanted;
}

function saleOf(target: TradeTarget, wanted: bigint, terms: TradeTerms): Trade[] {
  const { quantity, weight } = target;
  const lots = divideUp(-wanted, terms.lotSize) * terms.lotSize;
  const isWhole = quantity > 0n && (weight === 0 || (weight > 0 && lots > quantity));
  return tradeOf(target, { side: 'sell', quantity: isWhole ? quantity : lots }, terms);
}

function tradeOf(
  { symbol, price, costRate }: TradeTarget,
  { side, quantity }: { side: 'buy' | 'sell'; quantity: bigint },
  { minorDigits, minimumTradeMinor }: TradeTerms,
): Trade[] {
  const amount = amountMinor(quantity, price, minorDigits);
  if (quantity === 0n || amount < minimumTradeMinor) return [];
  const costMinor = BigInt(Math.ceil(Number(amount) * costRate(fixedToNumber(quantity))));
  return [{ symbol, side, quantity, price, amountMinor: amount, costMinor }];
}

type Purchase = { target: TradeTarget; wanted: bigint };

const isLargeEnough = (
  { target, wanted }: Purchase,
  { minorDigits, minimumTradeMinor }: TradeTerms,
): boolean => amountMinor(wanted, target.price, minorDigits) >= minimumTradeMinor;

function affordable(purchases: readonly Purchase[], cash: bigint, terms: TradeTerms): Trade[] {
  const at = (step: number): bigint[] =>
    purchases.map(({ wanted }) => {
      const scaled = divideDown(wanted * BigInt(step), BigInt(SCALE_STEPS));
      return divideDown(scaled, terms.lotSize) * terms.lotSize;
    });
  const buy = (quantities: readonly bigint[]): Trade[] =>
    purchases.flatMap(({ target }, k) => tradeOf(target, { side: 'buy', quantity: quantities[k]! }, terms));
  let [enough, short] = [0, SCALE_STEPS + 1];
  while (short - enough > 1) {
    const middle = Math.floor((enough + short) / 2);
    if (spent(buy(at(middle))) <= cash) enough = middle;
    else short = middle;
  }
  const quantities = at(enough);
  let left = cash - spent(buy(quantities));
  for (const k of byFraction(purchases, quantities)) {
    const more = quantities[k]! + terms.lotSize;
    if (more > divideUp(purchases[k]!.wanted, terms.lotSize) * terms.lotSize) continue;
    const { target } = purchases[k]!;
    const [before, after] = [quantities[k]!, more].map((quantity) =>
      spent(tradeOf(target, { side: 'buy', quantity }, terms)),
    ) as [bigint, bigint];
    if (after - before > left) continue;
    quantities[k] = more;
    left -= after - before;
  }
  return buy(quantities);
}

function spent(trades: readonly Trade[]): bigint {
  let total = 0n;
  for (const { amountMinor: amount, costMinor } of trades) total += amount + costMinor;
  return total;
}

/**
 * Returns the indices of the purchases, ordered by the fraction of a lot that rounding removed, largest
 * first. The purchases must be in the order of the symbols.
 */
function byFraction(purchases: readonly Purchase[], quantities: readonly bigint[]): number[] {
  const cut = purchases.map(({ wanted }, k) => wanted - quantities[k]!);
  return purchases
    .map((_, k) => k)
    .filter((k) => cut[k]! > 0n)
    .sort((a, b) => (cut[b]! > cut[a]! ? 1 : cut[b]! < cut[a]! ? -1 : a - b));
}
