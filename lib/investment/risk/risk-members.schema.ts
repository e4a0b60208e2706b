import Type from 'typebox';
import { IsoDate, Nullable } from '#lib/core/schema.ts';
import { REPORT_LIMITS } from './risk-limits.ts';
import { SymbolKey } from './risk-request.schema.ts';

export const POSITIONS_MAX = REPORT_LIMITS.positions;
export const LEVELS_MAX = 4;
export const FACTORS_MAX = 61;

export const Amount = (description: string) => Type.Number({ description });
export const Maybe = (description: string) => Nullable(Type.Number(), description);
export const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
export const Count = (description: string) => Type.Integer({ minimum: 0, description });
export const DateOf = (description: string) => ({ ...IsoDate, description });
export const MaybeMinor = (description: string) => Nullable(Type.Integer(), description);
export const Symbols = (description: string) =>
  Type.Array(SymbolKey, { maxItems: POSITIONS_MAX, description });
export const Numbers = (description: string) =>
  Type.Array(Type.Number(), {
    maxItems: POSITIONS_MAX,
    description: `${description} One number for each symbol, in the order of \`symbols\`.`,
  });
export const Level = Type.Number({
  minimum: 0.5,
  maximum: 0.9999,
  description: 'Confidence level.',
  examples: [0.95],
});
export const ByLevel = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Array(item, { maxItems: LEVELS_MAX, description });
