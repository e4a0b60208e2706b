import Type from 'typebox';

const SYMBOL_PATTERN = '^[A-Za-z0-9][A-Za-z0-9.:_/-]{0,31}$';

/** The symbol of an instrument. */
export const Symbol = Type.String({
  pattern: SYMBOL_PATTERN,
  description: 'Symbol of an instrument.',
  examples: ['AAPL'],
});

/** Builds the schema of values by symbol, for at most 1,000 symbols. */
export function bySymbol<T extends Type.TSchema>(value: T, description: string) {
  return Type.Record(Type.String({ pattern: SYMBOL_PATTERN }), value, { maxProperties: 1000, description });
}

/** Builds the schema of a weight: a share of the portfolio value, below 0 for a short position. */
export const Weight = (description: string) =>
  Type.Number({ minimum: -10, maximum: 10, description, examples: [0.1] });

export const weightsBySymbol = (description: string) =>
  bySymbol(Weight('Share of the value, a fraction.'), description);

/** Builds the schema of a share from 0 to 1. */
export const Share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [0.2] });

/** Builds the schema of a rate in basis points of an amount. */
export const BasisPoints = (description: string, maximum: number) =>
  Type.Number({ minimum: 0, maximum, description, examples: [5] });
