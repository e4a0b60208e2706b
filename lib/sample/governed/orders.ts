/** The orders of the sample batch, with their confirmed amounts in minor units. */
export const sampleOrders = [
  {
    isin: 'DE0007164600',
    side: 'buy',
    quantity: '100',
    limit_price: '180.50',
    currency: 'EUR',
    amount: 1_805_000,
  },
  {
    isin: 'NL0010273215',
    side: 'sell',
    quantity: '20',
    limit_price: '650.25',
    currency: 'EUR',
    amount: 1_300_500,
  },
] as const;
