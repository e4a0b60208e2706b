import { expect } from 'chai';
import fc from 'fast-check';
import { lines } from '#api/console/charts/lines.ts';
import { px } from '#api/console/charts/scale.ts';
import { scoreModel } from '#api/console/runs/anomaly.ts';
import { panelsOf, seasonalPanels } from '#api/console/runs/seasonal-panels.ts';

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

describe('the panels of a seasonal decomposition', () => {
  const values = Array.from(
    { length: 48 },
    (_, row) => 100 + row + 10 * Math.sin((row * Math.PI) / 6) + (row === 30 ? 80 : 0),
  );
  const run = (changes: object = {}) =>
    ({
      input: { columns: ['revenue'], rows: values.map((value) => [value]), period: 12, ...changes },
      result: { method: 'stl_gesd' },
      scores: values.map((_, row) => ({ row, flagged: row === 30 })),
    }) as never;

  it('add up to the observed values, and put the outlier into the remainder with a ring', () => {
    const panels = panelsOf(run(), values);
    expect(panels.map(({ title }) => title)).to.deep.equal(['Observed', 'Trend', 'Season', 'Remainder']);
    const [observed, trend, season, remainder] = panels.map(
      ({ model }) => model.lines[0]!.values as number[],
    );
    for (const [row, value] of values.entries()) {
      expect(observed![row]).to.equal(value);
      expect(trend![row]! + season![row]! + remainder![row]!).to.be.closeTo(value, 1e-9);
    }
    const largest = Math.max(...remainder!.map(Math.abs));
    expect(Math.abs(remainder![30]!)).to.equal(largest);
    expect(panels.map(({ model }) => model.rings)).to.deep.equal([[30], [], [], [30]]);
    const markup = (seasonalPanels(run(), values) as { markup: string }).markup;
    expect(markup.match(/data-chart="lines"/g)).to.have.length(4);
  });

  it('are left out for another method, a separate reference, and fewer than two seasons', () => {
    const other = { ...(run() as object), result: { method: 'matrix_profile' } } as never;
    expect(panelsOf(other, values)).to.deep.equal([]);
    expect(panelsOf(run({ reference: [[1]] }), values)).to.deep.equal([]);
    expect(panelsOf(run({ period: 24 }), values)).to.deep.equal([]);
  });
});
