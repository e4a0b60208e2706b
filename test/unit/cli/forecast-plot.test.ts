import { expect } from 'chai';
import { forecastPlot, shortNumber } from '#api/cli/forecasting/forecast-plot.ts';

const band = (points: readonly number[], by: number) => ({
  lower: points.map((point) => point - by),
  upper: points.map((point) => point + by),
});

describe('the plot of a forecast', () => {
  it('has one column for each period and shows both intervals around each forecast point', () => {
    const points = [4, 4];
    const size = { width: 6, height: 5 };
    const plotted = { history: [1, null, 3], points, inner: band(points, 1), outer: band(points, 2) };
    expect(forecastPlot(plotted, size)).to.deep.equal([
      '6.000 ┤   ┊░░',
      '      ┤   ┊▒▒',
      '      ┤  •┊●●',
      '2.250 ┤   ┊░░',
      '      ┤•  ┊',
    ]);
  });

  it('shows only the newest part of a history that exceeds the maximum width', () => {
    const history = Array.from({ length: 500 }, (_, at) => at);
    const plotted = { history, points: [500, 501], inner: undefined, outer: undefined };
    const lines = forecastPlot(plotted, { width: 20, height: 4 });
    const columns = lines.map((line) => [...line.split('┤')[1]!].length);
    expect(Math.max(...columns)).to.equal(20);
    expect(lines.join('').match(/•/g)).to.have.lengthOf(17);
  });

  it('draws every forecast point if all values are equal or the forecast exceeds the width', () => {
    for (const value of [0, 7, -3, 1e12]) {
      const points = [value, value];
      const plotted = {
        history: [value, value, value],
        points,
        inner: band(points, 0),
        outer: band(points, 0),
      };
      expect(forecastPlot(plotted).join('').match(/●/g), String(value)).to.have.lengthOf(2);
    }
    const long = {
      history: [1, 2],
      points: Array.from({ length: 60 }, () => 1),
      inner: undefined,
      outer: undefined,
    };
    expect(forecastPlot(long, { width: 10, height: 3 }).join('').match(/●/g)).to.have.lengthOf(60);
  });

  it('writes numbers with four significant digits, and large or small numbers with an exponent', () => {
    expect([0, 1.23456, 12.3456, -123.456, 12_345.6, 2e12, 0.0001].map(shortNumber)).to.deep.equal([
      '0.000',
      '1.235',
      '12.35',
      '-123.5',
      '12,346',
      '2.000e+12',
      '1.000e-4',
    ]);
  });
});
