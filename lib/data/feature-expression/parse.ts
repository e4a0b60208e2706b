import {
  acrossFunctions,
  keyedFunctions,
  movingFunctions,
  type Expression,
  type KeyedFunction,
  type Operator,
} from './expression.ts';
import { ExpressionRefused, tokensOf, type Token } from './token.ts';

/** The columns and functions of a source that expressions can use. */
export type SourceColumns = { columns: readonly string[]; keyed: readonly KeyedFunction[] };

/** The maximum number of periods that one function can look back. */
export const PERIODS_MAX = 10_000;
const DEPTH_MAX = 40;

/**
 * Parses an expression over the columns of a source. Throws an `ExpressionRefused` with the position of the
 * first error. A sign binds closest, then `*` and `/`, then `+` and `-`. Operators of equal precedence
 * associate to the left.
 *
 * Example: `parseExpression('return(close, 12)', { columns: ['close'], keyed: [] })` is `{ type: 'moving',
 * name: 'return', of: { type: 'column', name: 'close' }, periods: 12 }`.
 */
export function parseExpression(text: string, source: SourceColumns): Expression {
  return new ExpressionParser(tokensOf(text), source).whole();
}

/** Parses expressions by recursive descent. The parser of conditions extends it. */
export class ExpressionParser {
  readonly #tokens: readonly Token[];
  readonly #source: SourceColumns;
  #at = 0;
  #depth = 0;
  #reads = false;

  constructor(tokens: readonly Token[], source: SourceColumns) {
    this.#tokens = tokens;
    this.#source = source;
  }

  whole(): Expression {
    const expression = this.sum();
    this.end();
    return expression;
  }

  /** Throws unless the text ends here and reads at least one column. */
  protected end(): void {
    if (this.next.type !== 'end') this.refuse(`an operator is missing before ${shown(this.next)}`);
    if (!this.#reads) throw new ExpressionRefused('the expression does not read any column of its source', 1);
  }

  protected get next(): Token {
    return this.#tokens[this.#at]!;
  }

  protected refuse(reason: string, token = this.next): never {
    throw new ExpressionRefused(reason, token.position);
  }

  protected take(): Token {
    const token = this.next;
    if (token.type !== 'end') this.#at += 1;
    return token;
  }

  protected takeSign<Sign extends string>(...signs: readonly Sign[]): Sign | undefined {
    const { type, text } = this.next;
    const found = type === 'sign' ? signs.find((sign) => sign === text) : undefined;
    if (found !== undefined) this.#at += 1;
    return found;
  }

  protected demand(sign: string, where: string): void {
    if (this.takeSign(sign) === undefined) {
      this.refuse(`${JSON.stringify(sign)} is missing ${where}, before ${shown(this.next)}`);
    }
  }

  protected sum(): Expression {
    return this.nested(() => this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#signed())));
  }

  /** Reads a part of an expression that is nested one level deeper. */
  protected nested<Part>(read: () => Part): Part {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.refuse(`the expression is nested deeper than ${DEPTH_MAX} levels`);
    const part = read();
    this.#depth -= 1;
    return part;
  }

  /** Reads the inside of brackets. */
  protected group(_open: Token): Expression {
    return this.sum();
  }

  #chain(signs: readonly Operator[], part: () => Expression): Expression {
    let left = part();
    for (;;) {
      const operator = this.takeSign(...signs);
      if (operator === undefined) return left;
      left = { type: 'binary', operator, left, right: part() };
    }
  }

  #signed(): Expression {
    let signs = 0;
    while (this.takeSign('-') !== undefined) signs += 1;
    if (signs > DEPTH_MAX) this.refuse(`the expression is nested deeper than ${DEPTH_MAX} levels`);
    let read = this.#single();
    for (; signs > 0; signs -= 1) read = { type: 'negative', of: read };
    return read;
  }

  #single(): Expression {
    const token = this.take();
    if (token.type === 'number') return { type: 'number', value: this.#finite(token) };
    if (token.type === 'name') return this.#named(token);
    if (token.type === 'sign' && token.text === '(') {
      const inner = this.group(token);
      this.demand(')', `for the ( at character ${token.position}`);
      return inner;
    }
    return this.refuse(`a number, a column or a function is missing before ${shown(token)}`, token);
  }

  #named(token: Token): Expression {
    if (this.takeSign('(') === undefined) {
      if (!this.#source.columns.includes(token.text)) this.refuse(this.#unknown(token), token);
      this.#reads = true;
      return { type: 'column', name: token.text };
    }
    const read = this.#call(token);
    this.demand(')', `at the end of ${token.text}`);
    return read;
  }

  #call(token: Token): Expression {
    const { text: name } = token;
    const moving = movingFunctions.find((each) => each === name);
    if (moving) return { type: 'moving', name: moving, of: this.sum(), periods: this.#periods(moving) };
    const across = acrossFunctions.find((each) => each === name);
    if (across) return { type: 'across', name: across, of: this.sum() };
    const keyed = keyedFunctions.find((each) => each === name);
    if (keyed && this.#source.keyed.includes(keyed)) return this.#keyed(keyed);
    if (name === 'abs') return { type: 'absolute', of: this.sum() };
    if (name === 'ratio') {
      const left = this.sum();
      this.demand(',', 'between the two arguments of ratio');
      return { type: 'binary', operator: '/', left, right: this.sum() };
    }
    if (name === 'ewma') return this.#ewma();
    return this.refuse(this.#unknown(token), token);
  }

  #keyed(source: KeyedFunction): Expression {
    const token = this.take();
    if (token.type !== 'text') this.refuse(`${source} requires a name in double quotes`, token);
    this.#reads = true;
    return { type: 'keyed', source, key: token.text };
  }

  #periods(name: string): number {
    this.demand(',', `before the number of periods of ${name}`);
    const token = this.take();
    const min = name === 'sd' ? 2 : 1;
    const periods = token.type === 'number' ? Number(token.text) : Number.NaN;
    if (!Number.isInteger(periods) || periods < min || periods > PERIODS_MAX) {
      this.refuse(`${name} requires a whole number of periods from ${min} to ${PERIODS_MAX}`, token);
    }
    return periods;
  }

  #ewma(): Expression {
    const of = this.sum();
    this.demand(',', 'before alpha or half_life of ewma');
    const by = this.take();
    if (by.type !== 'name' || (by.text !== 'alpha' && by.text !== 'half_life')) {
      this.refuse('ewma requires alpha=... or half_life=...', by);
    }
    this.demand('=', `after ${by.text}`);
    const token = this.take();
    const amount = token.type === 'number' ? this.#finite(token) : 0;
    const max = by.text === 'alpha' ? 1 : 1_000;
    const min = by.text === 'alpha' ? 0.001 : 0.1;
    if (!(amount >= min && amount <= max)) {
      this.refuse(`${by.text} requires a number from ${min} to ${max}`, token);
    }
    return { type: 'ewma', of, by: by.text as 'alpha' | 'half_life', amount };
  }

  #finite(token: Token): number {
    const value = Number(token.text);
    return Number.isFinite(value) ? value : this.refuse('the number is too large', token);
  }

  #unknown({ text }: Token): string {
    const { columns, keyed } = this.#source;
    const offered = [...columns, ...keyed.map((name) => `${name}("...")`)].join(', ');
    return `${JSON.stringify(text)} is not a column or function of the source; available are ${offered}`;
  }
}

function shown({ type, text }: Token): string {
  return type === 'end' ? 'the end' : JSON.stringify(text);
}
