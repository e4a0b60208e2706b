import { expect } from 'chai';
import { linePlot } from '#api/cli/quant/line-plot.ts';

const label = (value: number) => value.toFixed(0);

describe('linePlot', () => {
  it('places the largest value in the first row and the smallest in the last', () => {
    const lines = linePlot([0, 1, 2, 3], { width: 4, height: 4 }, { label });
    expect(lines).to.deep.equal(['3 ┤   •', '  ┤  •', '  ┤ •', '0 ┤•']);
  });

  it('shows the last value of each column, so that the last value of the series is always shown', () => {
    const values = Array.from({ length: 1_000 }, (_, t) => (t === 999 ? 5 : 0));
    const [top] = linePlot(values, { width: 10, height: 4 }, { label });
    expect(top).to.equal('5 ┤         •');
  });

  it('fills the area above an underwater curve', () => {
    const lines = linePlot([0, -2, 0], { width: 3, height: 3 }, { label, fills: true });
    expect(lines.map((line) => line.slice(line.indexOf('┤') + 1))).to.deep.equal(['•░•', ' ░', ' •']);
  });

  it('draws a constant series in the middle', () => {
    const lines = linePlot([7, 7, 7], { width: 3, height: 3 }, { label });
    expect(lines[1]).to.contain('•••');
  });
});
