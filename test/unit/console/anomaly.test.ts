import { expect } from 'chai';
import fc from 'fast-check';
import { lines } from '#api/console/charts/lines.ts';
import { px } from '#api/console/charts/scale.ts';
import { scoreModel } from '#api/console/runs/anomaly.ts';

const scores = fc
  .array(fc.record({ score: fc.double({ min: 0, max: 100, noNaN: true }), flagged: fc.boolean() }), {
    minLength: 1,
    maxLength: 3_000,
  })
  .map((rows) => rows.map((each, row) => ({ ...each, row })));

describe('the chart of anomaly scores', () => {
  it('shows the highest score and every flag, whatever the number of rows', () => {
    fc.assert(
      fc.property(scores, (rows) => {
        const { labels, lines: drawn, rings = [] } = scoreModel(rows);
        const values = drawn[0]!.values as number[];
        expect(labels.length).to.be.within(1, 600);
        expect(values).to.have.length(labels.length);
        expect(Math.max(...values)).to.equal(Math.max(...rows.map(({ score }) => score)));
        expect(rings.length > 0).to.equal(rows.some(({ flagged }) => flagged));
        expect(rings.length).to.be.at.most(rows.filter(({ flagged }) => flagged).length);
      }),
    );
  });

  it('has a ring at each flagged row, and reads the flag aloud', () => {
    const model = scoreModel([1, 5, 2].map((score, row) => ({ row, score, flagged: score === 5 })));
    const { markup, columns } = lines(model, { width: 800, height: 260 });
    expect(markup.match(/class="flag"/g)).to.have.length(1);
    const { x, marks } = columns[1]!;
    expect(markup).to.include(`class="flag" cx="${px(x)}" cy="${px(marks[0]![0])}"`);
    expect(columns.map(({ figures }) => figures.some(([name]) => name === 'flagged'))).to.deep.equal([
      false,
      true,
      false,
    ]);
  });
});
