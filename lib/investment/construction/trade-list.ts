import {
  amountMinor,
  divideCeiling,
  divideFloor,
  divideHalfEven,
  fixedToNumber,
  minorScale,
} from './fixed-point.ts';

/** A position and the weight it should have. Quantities and prices are decimals times 10^8. */
export type TradeTarget = {
  symbol: string;
  quantity: bigint;
  price: bigint;
  weight: number;
  /** Cost of a trade as a share of its amount, for a number of shares. It does not fall with the number. */
  costRate: (shares: number) => number;
};

export type TradeTerms = {
  valueMinor: bigint;
  cashMinor: bigint;
  /** Cash that has to be left. */
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

/** Purchases are scaled in steps of this share where the cash does not suffice. */
const SCALE_STEPS = 1 << 20;

/**
 * Returns the trades that lead from the quantities to the weights, in the order of the symbols. Purchases are floored
 * and sales ceiled to the lot, so that the cash suffices before costs; a weight of 0 sells the whole position. Where the
 * costs need more, all purchases are scaled down together. The cash that remains buys one more lot of the purchases with
 * the largest fraction cut off, then by symbol.
 *
 * Cash is conserved to the minor unit: cash left = cash + sales - purchases - costs. It is at least `cashMinMinor` unless
 * the cash was below it and no sale was due.
 * Shapes: each symbol once. Units: costs are rounded up to the minor unit.
 */
export function tradeList(targets: readonly TradeTarget[], terms: TradeTerms): TradeList {
  const sorted = targets.toSorted((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0));
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
  const trades = [...sales, ...purchases].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return { trades, cashLeftMinor: cash };
}

/** A change this near to a multiple of the lot, relative to the quantity, is that multiple. */
const ROUNDING = 1_000_000_000_000n;

/** The change of the quantity, exact but for the double of the weight. */
function wantedQuantity(
  { quantity, price, weight }: TradeTarget,
  { valueMinor, minorDigits, lotSize }: TradeTerms,
): bigint {
  const WEIGHT_UNIT = 1_000_000_000_000_000n;
  const share = BigInt(Math.round(weight * 1e15));
  const scale = BigInt(minorScale(minorDigits));
  // quantity x 10^8 = weight x value / (price / 10^8 x 10^digits) x 10^8
  const target = divideFloor(valueMinor * share * 100_000_000n * 100_000_000n, WEIGHT_UNIT * price * scale);
  const wanted = target - quantity;
  const multiple = divideHalfEven(wanted, lotSize) * lotSize;
  const away = wanted > multiple ? wanted - multiple : multiple - wanted;
  return away <= (target < 0n ? -target : target) / ROUNDING + 1n ? multiple : wanted;
}

function saleOf(target: TradeTarget, wanted: bigint, terms: TradeTerms): Trade[] {
  const { quantity, weight } = target;
  const lots = divideCeiling(-wanted, terms.lotSize) * terms.lotSize;
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
      const scaled = divideFloor(wanted * BigInt(step), BigInt(SCALE_STEPS));
      return divideFloor(scaled, terms.lotSize) * terms.lotSize;
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
    if (more > divideCeiling(purchases[k]!.wanted, terms.lotSize) * terms.lotSize) continue;
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

/** Places of the purchases, the largest part that was cut off first. The purchases are in the order of the symbols. */
function byFraction(purchases: readonly Purchase[], quantities: readonly bigint[]): number[] {
  const cut = purchases.map(({ wanted }, k) => wanted - quantities[k]!);
  return purchases
    .map((_, k) => k)
    .filter((k) => cut[k]! > 0n)
    .sort((a, b) => (cut[b]! > cut[a]! ? 1 : cut[b]! < cut[a]! ? -1 : a - b));
}
