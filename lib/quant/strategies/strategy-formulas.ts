import {
  comparedIn,
  conditionWords,
  parseCondition,
  type Condition,
} from '#lib/data/feature-expression/condition.ts';
import {
  acrossFunctions,
  movingFunctions,
  partsOf,
  type Expression,
} from '#lib/data/feature-expression/expression.ts';
import { parseExpression } from '#lib/data/feature-expression/parse.ts';
import { reachOf } from '#lib/data/feature-expression/reach.ts';
import { ExpressionRefused } from '#lib/data/feature-expression/token.ts';

/** The columns of expressions over prices. */
export const priceColumns = ['open', 'high', 'low', 'close', 'adj_close', 'volume', 'dollar_volume'] as const;
export type PriceColumn = (typeof priceColumns)[number];

/** Words that cannot be the name of a signal, because expressions give them another meaning. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...priceColumns,
  ...conditionWords,
  ...movingFunctions,
  ...acrossFunctions,
  'abs',
  'ratio',
  'ewma',
]);

/** The largest number of earlier sessions that an expression may use. */
export const REACH_MAX = 5_040;
const PARTS_MAX = 200;

export type Read<Parsed> = { ok: true; parsed: Parsed } | { ok: false; message: string };

/** Parses the expression of a signal. Returns the reason instead if the expression is refused. */
export function readSignal(text: string): Read<Expression> {
  return read(
    () => parseExpression(text, { columns: priceColumns, keyed: [] }),
    (parsed) => [parsed],
  );
}

/** Parses a condition over columns. Returns the reason instead if the condition is refused. */
export function readCondition(text: string, columns: readonly string[]): Read<Condition> {
  return read(() => parseCondition(text, { columns, keyed: [] }), comparedIn);
}

/** Returns the number of earlier sessions that a condition needs. */
export function reachOfCondition(condition: Condition): number {
  return Math.max(0, ...comparedIn(condition).map(reachOf));
}

function read<Parsed>(parse: () => Parsed, expressionsOf: (parsed: Parsed) => Expression[]): Read<Parsed> {
  try {
    const parsed = parse();
    const expressions = expressionsOf(parsed);
    if (expressions.reduce((count, each) => count + countOf(each), 0) > PARTS_MAX)
      return { ok: false, message: `the expression has more than ${PARTS_MAX} parts` };
    if (expressions.some((each) => reachOf(each) > REACH_MAX))
      return { ok: false, message: `the functions together look back more than ${REACH_MAX} sessions` };
    return { ok: true, parsed };
  } catch (error) {
    if (error instanceof ExpressionRefused) return { ok: false, message: error.message };
    throw error;
  }
}

function countOf(expression: Expression): number {
  return partsOf(expression).reduce((count, part) => count + countOf(part), 1);
}
