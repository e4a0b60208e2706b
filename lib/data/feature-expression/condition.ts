import { columnsOf, type Expression } from './expression.ts';
import { ExpressionParser, type SourceColumns } from './parse.ts';
import { tokensOf, type Token } from './token.ts';

export const comparisons = ['<=', '>=', '<', '>', '='] as const;
export type Comparison = (typeof comparisons)[number];

/** A condition over the columns of an entity: true, false, or unknown if a needed value is missing. */
export type Condition =
  | { type: 'comparison'; operator: Comparison; left: Expression; right: Expression }
  | { type: 'and' | 'or'; left: Condition; right: Condition }
  | { type: 'not'; of: Condition };

/** The reserved words of conditions. A column cannot have one of these names. */
export const conditionWords = ['and', 'or', 'not'] as const;

/**
 * Parses a condition over the columns of a source: expressions, compared with `<`, `<=`, `>`, `>=` or `=`, and combined
 * with `not`, `and` and `or`, in this order of precedence. Throws an `ExpressionRefused` with the position of the first
 * error.
 *
 * Example: `a > 0 and not (b < 1 or a = b)`.
 */
export function parseCondition(text: string, source: SourceColumns): Condition {
  return new ConditionParser(tokensOf(text), source).wholeCondition();
}

/** Returns the expressions that a condition compares, from left to right. */
export function comparedIn(condition: Condition): Expression[] {
  switch (condition.type) {
    case 'comparison':
      return [condition.left, condition.right];
    case 'not':
      return comparedIn(condition.of);
    case 'and':
    case 'or':
      return [...comparedIn(condition.left), ...comparedIn(condition.right)];
  }
}

/** Returns the distinct columns that a condition reads, in the order of their first use. */
export function columnsOfCondition(condition: Condition): string[] {
  return [...new Set(comparedIn(condition).flatMap(columnsOf))];
}

class ConditionParser extends ExpressionParser {
  /**
   * Conditions in brackets. The key is the placeholder expression that represents a condition until it is known how the
   * brackets are used.
   */
  readonly #bracketed = new Map<Expression, { condition: Condition; open: Token }>();

  wholeCondition(): Condition {
    const condition = this.#either();
    this.end();
    return condition;
  }

  /** Reads brackets: around a condition, or around a part of an expression. */
  protected override group(open: Token): Expression {
    const inner = this.nested(() => this.#disjunction());
    if (!isCondition(inner)) return inner;
    const stand: Expression = { type: 'number', value: Number.NaN };
    this.#bracketed.set(stand, { condition: inner, open });
    return stand;
  }

  #either(): Condition {
    const { next } = this;
    const read = this.#disjunction();
    if (isCondition(read)) return read;
    return this.refuse('a comparison such as < or >= is missing after the expression', next);
  }

  #disjunction(): Expression | Condition {
    return this.#joined('or', () => this.#joined('and', () => this.#negated()));
  }

  #joined(word: 'and' | 'or', part: () => Expression | Condition): Expression | Condition {
    const start = this.next;
    let left = part();
    while (this.#takeWord(word)) {
      const right = this.next;
      left = {
        type: word,
        left: this.#condition(left, start),
        right: this.#condition(part(), right),
      };
    }
    return left;
  }

  #negated(): Expression | Condition {
    if (!this.#takeWord('not')) return this.#compared();
    const start = this.next;
    return {
      type: 'not',
      of: this.#condition(
        this.nested(() => this.#negated()),
        start,
      ),
    };
  }

  #compared(): Expression | Condition {
    const left = this.sum();
    const held = this.#bracketed.get(left);
    const operator = this.takeSign(...comparisons);
    if (operator === undefined) {
      if (held) this.#bracketed.delete(left);
      else this.#demandNumbers();
      return held?.condition ?? left;
    }
    const right = this.sum();
    this.#demandNumbers();
    if (comparisons.some((each) => each === this.next.text && this.next.type === 'sign')) {
      this.refuse('comparisons cannot be chained; combine them with `and`');
    }
    return { type: 'comparison', operator, left, right };
  }

  #condition(read: Expression | Condition, at: Token): Condition {
    return isCondition(read) ? read : this.refuse('a comparison such as < or >= is missing', at);
  }

  /** Refuses a condition in brackets that is used as a number. */
  #demandNumbers(): void {
    const [first] = this.#bracketed.values();
    if (first) this.refuse('a condition cannot be used as a number', first.open);
  }

  #takeWord(word: string): boolean {
    const isNext = this.next.type === 'name' && this.next.text === word;
    if (isNext) this.take();
    return isNext;
  }
}

function isCondition(read: Expression | Condition): read is Condition {
  return read.type === 'comparison' || read.type === 'and' || read.type === 'or' || read.type === 'not';
}
