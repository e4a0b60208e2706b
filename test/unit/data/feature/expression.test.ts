import { expect } from 'chai';
import fc from 'fast-check';
import { evaluate } from '#lib/data/feature-expression/evaluate.ts';
import { reachOf } from '#lib/data/feature-expression/reach.ts';
import {
  acrossFunctions,
  columnsOf,
  movingFunctions,
  operators,
  type Expression,
} from '#lib/data/feature-expression/expression.ts';
import { parseExpression } from '#lib/data/feature-expression/parse.ts';
import { printExpression } from '#lib/data/feature-expression/print.ts';
import { stagesOf } from '#lib/data/feature-expression/stages.ts';
import { ExpressionRefused } from '#lib/data/feature-expression/token.ts';
import { repetitions } from '../../../support/repetitions.ts';

const SOURCE = { columns: ['close', 'volume'], keyed: ['metric'] } as const;

const { whole: anyExpression } = fc.letrec<{ whole: Expression }>((tie) => {
  const of = tie('whole');
  const periods = fc.integer({ min: 2, max: 10_000 });
  return {
    whole: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ type: fc.constant('column' as const), name: fc.constantFrom('close', 'volume') }),
      fc.record({
        type: fc.constant('keyed' as const),
        source: fc.constant('metric' as const),
        key: fc.string({ minLength: 1, maxLength: 9 }).filter((key) => !/["\\\p{Cc}]/u.test(key)),
      }),
      fc.record({
        type: fc.constant('number' as const),
        value: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      }),
      fc.record({ type: fc.constant('negative' as const), of }),
      fc.record({ type: fc.constant('absolute' as const), of }),
      fc.record({
        type: fc.constant('binary' as const),
        operator: fc.constantFrom(...operators),
        left: of,
        right: of,
      }),
      fc.record({
        type: fc.constant('moving' as const),
        name: fc.constantFrom(...movingFunctions),
        of,
        periods,
      }),
      fc.record({
        type: fc.constant('ewma' as const),
        of,
        by: fc.constant('alpha' as const),
        amount: fc.double({ min: 0.001, max: 1, noNaN: true }),
      }),
      fc.record({ type: fc.constant('across' as const), name: fc.constantFrom(...acrossFunctions), of }),
    ),
  };
});

const parse = (text: string) => parseExpression(text, SOURCE);

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ExpressionRefused) return `${error.position}: ${error.reason}`;
    throw error;
  }
  return expect.fail(`${text} was read`);
}

describe('the expression language of features', () => {
  it('gives the same expression after printing and parsing', () => {
    fc.assert(
      fc.property(
        anyExpression.filter((each) => columnsOf(each).length > 0),
        (expression) => {
          expect(parse(printExpression(expression))).to.deep.equal(expression);
        },
      ),
      { numRuns: repetitions.roundTrips },
    );
  });

  it('follows the precedence of arithmetic and prints no unnecessary parentheses', () => {
    for (const [text, printed] of [
      ['close-volume-1', 'close - volume - 1'],
      ['close-(volume-1)', 'close - (volume - 1)'],
      ['((close))*(volume+1)/2', 'close * (volume + 1) / 2'],
      ['close/(volume*2)', 'close / (volume * 2)'],
      ['-(close+1)*- -volume', '-(close + 1) * --volume'],
      ['ratio(close,lag( close , 1))-1', 'close / lag(close, 1) - 1'],
      ['zscore(log_return(metric("eps"),\n4))', 'zscore(log_return(metric("eps"), 4))'],
      ['ewma(close, half_life=12) + 1e-3', 'ewma(close, half_life=12) + 0.001'],
    ]) {
      expect(printExpression(parse(text!))).to.equal(printed);
    }
  });

  it('reports a fault with its character position', () => {
    const refusals: Record<string, string> = {
      '': '1: a number, a column or a function is missing before the end',
      '1 + 2': '1: the expression does not read any column of its source',
      open: '1: "open" is not a column or function of the source; available are close, volume, metric("...")',
      'series("GDP")':
        '1: "series" is not a column or function of the source; available are close, volume, metric("...")',
      'close +': '8: a number, a column or a function is missing before the end',
      'close volume': '7: an operator is missing before "volume"',
      'lag(close)': '10: "," is missing before the number of periods of lag, before ")"',
      'lag(close, 1.5)': '12: lag requires a whole number of periods from 1 to 10000',
      'lag(close, -1)': '12: lag requires a whole number of periods from 1 to 10000',
      'sd(close, 1)': '11: sd requires a whole number of periods from 2 to 10000',
      'mean(close, volume)': '13: mean requires a whole number of periods from 1 to 10000',
      'ewma(close, 3)': '13: ewma requires alpha=... or half_life=...',
      'ewma(close, alpha=2)': '19: alpha requires a number from 0.001 to 1',
      '(close + 1': '11: ")" is missing for the ( at character 1, before the end',
      'metric(eps)': '8: metric requires a name in double quotes',
      'metric("eps': '8: a quoted text must have 1 to 100 characters and end with "',
      'close; drop table price': '6: ";" is not allowed here',
      'close.constructor': '6: "." is not allowed here',
      __proto__:
        '1: "__proto__" is not a column or function of the source; available are close, volume, metric("...")',
      'close * 1e999': '9: the number is too large',
      [`${'('.repeat(60)}close${')'.repeat(60)}`]: '41: the expression is nested deeper than 40 levels',
      ['close+'.repeat(400)]: '2001: the expression is longer than 2000 characters',
    };
    for (const [text, reason] of Object.entries(refusals)) expect(refusal(text), text).to.equal(reason);
  });

  it('computes each distinct cross-sectional function once, inner functions first', () => {
    const { stages, rest } = stagesOf(
      parse('zscore(close) - lag(zscore(close), 1) + rank(zscore(close) * 2)'),
    );
    expect(stages.map(({ column, name, of }) => [column, name, printExpression(of)])).to.deep.equal([
      ['#1', 'zscore', 'close'],
      ['#2', 'rank', '#1 * 2'],
    ]);
    expect(printExpression(rest)).to.equal('#1 - lag(#1, 1) + #2');
  });
});

/**
 * The expected values are computed by hand from the definitions of pandas: pct_change, rolling(k),
 * rolling(k).std(), ewm(alpha, adjust=True).
 */
describe('the values of an expression', () => {
  const closes = [100, 110, 99, Number.NaN, 121, 121, 121];
  const read = (_: string, place: number) => closes[place] ?? Number.NaN;
  const values = (text: string) => [...evaluate(parse(text), read, 0, closes.length - 1)];
  const NO = Number.NaN;

  it('equal values computed by hand from the documented definitions', () => {
    const expected: Record<string, number[]> = {
      'lag(close, 2)': [NO, NO, 100, 110, 99, NO, 121],
      'return(close, 1)': [NO, 0.1, -0.1, NO, NO, 0, 0],
      'return(close, 2)': [NO, NO, -0.01, NO, 121 / 99 - 1, NO, 0],
      'log_return(close, 1)': [NO, 0.09531017980432493, -0.10536051565782628, NO, NO, 0, 0],
      'mean(close, 2)': [NO, 105, 104.5, NO, NO, 121, 121],
      'sd(close, 2)': [NO, 7.0710678118654755, 7.7781745930520225, NO, NO, 0, 0],
      'sd(close, 3)': [NO, NO, 6.082762530298219, NO, NO, NO, 0],
      'min(close, 2)': [NO, 100, 99, NO, NO, 121, 121],
      'max(close, 2)': [NO, 110, 110, NO, NO, 121, 121],
      'ewma(close, alpha=0.5)': [
        100,
        320 / 3,
        (100 * 0.25 + 110 * 0.5 + 99) / 1.75,
        NO,
        (100 * 0.0625 + 110 * 0.125 + 99 * 0.25 + 121) / 1.4375,
        (100 * 0.03125 + 110 * 0.0625 + 99 * 0.125 + 121 * 1.5) / 1.71875,
        (100 * 0.015625 + 110 * 0.03125 + 99 * 0.0625 + 121 * 1.75) / 1.859375,
      ],
      'ratio(close, close - 100)': [NO, 11, -99, NO, 121 / 21, 121 / 21, 121 / 21],
      'abs(-close) / 0': closes.map(() => NO),
      'return(close - 105, 1)': [NO, NO, -2.2, NO, NO, 0, 0],
      'log_return(-close, 1)': closes.map(() => NO),
      'sd(return(close, 1) * 0 + 0.1, 2)': [NO, NO, 0, NO, NO, NO, 0],
    };
    for (const [text, wanted] of Object.entries(expected)) {
      const computed = values(text);
      expect(computed.map(Number.isNaN), text).to.deep.equal(wanted.map(Number.isNaN));
      for (const [at, value] of computed.entries()) {
        if (!Number.isNaN(value)) expect(value, `${text} at ${at}`).to.be.closeTo(wanted[at]!, 1e-13 * 121);
      }
    }
  });

  it('are the same for a half-life of one period and alpha 0.5', () => {
    const [halved, decayed] = ['half_life=1', 'alpha=0.5'].map((by) => values(`ewma(close, ${by})`));
    for (const [at, value] of halved!.entries()) {
      if (!Number.isNaN(value)) expect(value).to.be.closeTo(decayed![at]!, 1e-12);
    }
  });

  it('depend only on the data within their window, to the bit', () => {
    const text = 'mean(log_return(close, 1), 3) / sd(ewma(close, alpha=0.7), 2)';
    const expression = parse(text);
    const series = Float64Array.from({ length: 300 }, (_, at) => 100 + ((at * 7919) % 97) / 7);
    const from = (start: number) => (__: string, place: number) =>
      place < start ? NO : (series[place] ?? NO);
    const all = evaluate(expression, from(0), 0, 299);
    for (const place of [150, 222, 299]) {
      const alone = evaluate(expression, from(place - reachOf(expression)), place, place);
      expect(alone[0]).to.equal(all[place]);
    }
  });
});
