import { isLinear, linearRate, orderCost, totalCost, type Liquidity } from './order-cost.ts';
import type { Terms } from './terms.ts';

/**
 * Number of halvings of the interval that contains the quantity. The interval is then as narrow as a rounding error.
 */
const BISECTIONS = 60;
/** Maximum number of doublings of a sale until its proceeds reach the amount. */
const DOUBLINGS = 20;

/**
 * Returns the signed quantity whose outlay, costs included, equals an amount. A purchase (`amount` above 0) spends
 * exactly the amount: q p + cost(q) = amount. A sale raises exactly the absolute value of the amount: |q| p - cost(q) =
 * |amount|. With whole shares, a purchase is rounded down and a sale is rounded up. Returns 0 if the costs exceed the
 * amount of a purchase, and the largest tried quantity if the costs of a sale exceed its proceeds at every size.
 *
 * Linear costs are solved in closed form: q = amount / (p (1 + c)) for a purchase, amount / (p (1 - c)) for a sale.
 * Other costs are solved by bisection.
 *
 * Example: an amount of 1,001 at a price of 10 with a proportional cost of 0.001 buys 100 shares.
 */
export function orderSize(terms: Terms, amount: number, price: number, liquidity: Liquidity): number {
  if (amount === 0) return 0;
  const size =
    amount > 0 ? purchase(terms, amount, price, liquidity) : -sale(terms, -amount, price, liquidity);
  return size;
}

function purchase(terms: Terms, amount: number, price: number, liquidity: Liquidity): number {
  const outlay = (shares: number) =>
    shares === 0 ? 0 : shares * price + totalCost(orderCost(terms, shares, price, liquidity));
  const exact = isLinear(terms)
    ? amount / (price * (1 + linearRate(terms, true)))
    : largestWithin(outlay, amount, amount / price);
  if (!terms.wholeShares) return exact;
  const whole = Math.floor(exact);
  // Rounding may leave a quantity just below the whole number that the amount pays for.
  return outlay(whole + 1) <= amount ? whole + 1 : whole;
}

function sale(terms: Terms, amount: number, price: number, liquidity: Liquidity): number {
  const proceeds = (shares: number) =>
    shares * price - totalCost(orderCost(terms, -shares, price, liquidity));
  if (isLinear(terms)) {
    const exact = amount / (price * (1 - linearRate(terms, false)));
    return terms.wholeShares ? Math.ceil(exact) : exact;
  }
  let high = amount / price;
  for (let tried = 0; proceeds(high) < amount && tried < DOUBLINGS; tried += 1) high *= 2;
  const exact = proceeds(high) < amount ? high : smallestReaching(proceeds, amount, high);
  return terms.wholeShares ? Math.ceil(exact) : exact;
}

/** Returns the largest quantity from 0 to `high` whose outlay is at most an amount. */
function largestWithin(outlay: (shares: number) => number, amount: number, high: number): number {
  if (outlay(high) <= amount) return high;
  let low = 0;
  for (let at = 0; at < BISECTIONS; at += 1) {
    const middle = (low + high) / 2;
    if (outlay(middle) <= amount) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the smallest quantity from 0 to `high` whose proceeds are at least an amount. */
function smallestReaching(proceeds: (shares: number) => number, amount: number, high: number): number {
  let low = 0;
  for (let at = 0; at < BISECTIONS; at += 1) {
    const middle = (low + high) / 2;
    if (proceeds(middle) >= amount) high = middle;
    else low = middle;
  }
  return high;
}
