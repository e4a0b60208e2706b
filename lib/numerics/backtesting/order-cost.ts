import type { Terms } from './terms.ts';

/** The liquidity of a symbol: shares traded in the session, and the deviation of one-session returns. */
export type Liquidity = { volume: number; volatility: number };

/** The costs of one order, in units of the currency. */
export type OrderCost = { commission: number; spread: number; impact: number; tax: number };

/**
 * Returns the costs of an order. `quantity` is negative for sales, `price` above 0.
 *
 * - Commission: the fraction `proportional` of the amount, plus the larger of `minimum` and `perShare` times the number
 *   of shares.
 * - Spread: the share `halfSpread` of the amount.
 * - Impact: (2/3) Y sigma |q| sqrt(|q| / V) p, with the volume V and the deviation sigma of the session.
 * - Tax: the share `buyTax` of the amount of a purchase.
 *
 * Source of the impact: Toth et al., "Anomalous price impact and the critical nature of liquidity in financial
 * markets", Physical Review X 1, 2011; integrated over the execution of the order.
 *
 * Example: 100 shares at 10 with a proportional cost of 0.001 have a commission of 1.
 */
export function orderCost(terms: Terms, quantity: number, price: number, liquidity: Liquidity): OrderCost {
  const shares = Math.abs(quantity);
  const amount = shares * price;
  const { volume, volatility } = liquidity;
  return {
    commission: terms.proportional * amount + Math.max(terms.minimum, terms.perShare * shares),
    spread: terms.halfSpread * amount,
    impact:
      terms.impact === 0
        ? 0
        : (2 / 3) * terms.impact * volatility * shares * Math.sqrt(shares / volume) * price,
    tax: quantity > 0 ? terms.buyTax * amount : 0,
  };
}

/** Returns the sum of the costs of an order. */
export function totalCost({ commission, spread, impact, tax }: OrderCost): number {
  return commission + spread + impact + tax;
}

/** Whether all costs are proportional to the amount, so that an order can be sized in closed form. */
export function isLinear(terms: Terms): boolean {
  return terms.impact === 0 && terms.perShare === 0 && terms.minimum === 0;
}

/** Returns the costs of a purchase or a sale as a fraction of its amount. Valid only if `isLinear`. */
export function linearRate(terms: Terms, isPurchase: boolean): number {
  return terms.proportional + terms.halfSpread + (isPurchase ? terms.buyTax : 0);
}
