import { expect } from 'chai';
import { columnsOfCondition, parseCondition } from '#lib/data/feature-expression/condition.ts';

const source = { columns: ['m', 'v'], keyed: [] };
const parse = (text: string) => parseCondition(text, source);

/** Returns a condition as text with all brackets. */
function shown(condition: ReturnType<typeof parse>): string {
  switch (condition.type) {
    case 'comparison':
      return `[${condition.left.type} ${condition.operator} ${condition.right.type}]`;
    case 'not':
      return `(not ${shown(condition.of)})`;
    case 'and':
    case 'or':
      return `(${shown(condition.left)} ${condition.type} ${shown(condition.right)})`;
  }
}

describe('the language of conditions', () => {
  it('gives `not` precedence over `and`, and `and` precedence over `or`', () => {
    const one = '[column > number]';
    expect(shown(parse('not m > 0 and v > 0 or m > 1'))).to.equal(`(((not ${one}) and ${one}) or ${one})`);
    expect(shown(parse('m > 0 or v > 0 and m > 1'))).to.equal(`(${one} or (${one} and ${one}))`);
  });

  it('reads brackets around conditions and around numbers', () => {
    expect(shown(parse('(m > 0 or v < 1) and (m + v) * 2 >= -v'))).to.equal(
      '(([column > number] or [column < number]) and [binary >= negative])',
    );
    expect(shown(parse('((m)) = (((v)))'))).to.equal('[column = column]');
  });

  it('names the columns in the order of their first use', () => {
    expect(columnsOfCondition(parse('mean(v, 3) > 1 and m < v'))).to.deep.equal(['v', 'm']);
  });

  const refused: [text: string, message: string][] = [
    ['m', 'character 1: a comparison such as < or >= is missing after the expression'],
    ['m > 0 and v', 'character 11: a comparison such as < or >= is missing'],
    ['(m > 0) + 1 > 2', 'character 1: a condition cannot be used as a number'],
    ['mean((m > 0), 3) > 0', 'character 6: a condition cannot be used as a number'],
    ['1 < (m > 0)', 'character 5: a condition cannot be used as a number'],
    ['m < v < 3', 'character 7: comparisons cannot be chained; combine them with `and`'],
    ['m > 0 or', 'character 9: a number, a column or a function is missing before the end'],
    ['1 > 2', 'character 1: the expression does not read any column of its source'],
    ['x > 2', 'character 1: "x" is not a column or function of the source; available are m, v'],
    ['m = 0)', 'character 6: an operator is missing before ")"'],
    [`${'not '.repeat(50)}m > 0`, 'the expression is nested deeper than 40 levels'],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${text.slice(0, 40)} at the position of the fault`, () => {
      expect(() => parse(text)).to.throw(message);
    });
  }
});
