/**
 * The observations of a symbol as one text, `date price,date price,...`. A text is passed to a thread faster than
 * thousands of objects.
 */
export type SymbolPriceText = { symbol: string; observations: string };

export type SymbolPrices = { symbol: string; observations: { date: string; price: string }[] };

/** Parses observations. Example: `2020-08-31 12.5,2020-09-30 13` is two observations. */
export function readPriceText({ symbol, observations }: SymbolPriceText): SymbolPrices {
  return {
    symbol,
    observations: observations.split(',').map((observation) => {
      const space = observation.indexOf(' ');
      return { date: observation.slice(0, space), price: observation.slice(space + 1) };
    }),
  };
}
