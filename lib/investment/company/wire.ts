import Type from 'typebox';
import { IsoDate } from '#lib/core/schema.ts';

/** A decimal number, exactly as imported. */
export function Decimal(description: string, example: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description, examples: [example] });
}

export function Day(description: string) {
  return Type.String({ ...IsoDate, description });
}

export function Text(maxLength: number, description: string, example: string) {
  return Type.String({ maxLength, description, examples: [example] });
}

export function Fraction(description: string, example: number) {
  return Type.Number({ description, examples: [example] });
}
