import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { lines, type LinesModel } from '#api/console/charts/lines.ts';
import { neededPositions } from '#api/console/charts/scale.ts';

const style = readFileSync(new URL('../../../api/console/style.css', import.meta.url), 'utf8');

/** Returns the colours of a theme by name. */
function tokensOf(selector: string): Map<string, string> {
  const block = style.slice(style.indexOf(`${selector} {`)).split('}')[0]!;
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name!, value!]),
  );
}

/** Returns the contrast ratio of two colours, by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const digits =
    colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.slice(1).match(/../g)!;
  const [red, green, blue] = digits.map((pair) => {
    const share = Number.parseInt(pair, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the bars of the console', () => {
  for (const [theme, selector] of [
    ['light', ':root'],
    ['dark', ":root[data-theme='dark']"],
  ] as const)
    it(`give texts and lines of charts enough contrast in the ${theme} theme`, () => {
      const tokens = tokensOf(selector);
      const paper = tokens.get('paper')!;
      for (const name of ['ink', 'dim', 'accent-ink', 'up', 'down', 'warn', 't1', 't2', 't3', 't4', 't5'])
        expect(contrast(tokens.get(name)!, paper), `--${name} as text`).to.be.at.least(
          /^t\d$/.test(name) ? 3 : 4.5,
        );
      expect(contrast(tokens.get('faint')!, paper), 'arrows of graphs').to.be.at.least(3);
    });

  it('keep the style sheet within 8 kB as it is sent', () => {
    expect(brotliCompressSync(style).length).to.be.at.most(8_000);
  });

  it('keep the extremes of every series at any width, and the gaps', () => {
    const value = fc.option(fc.integer({ min: -1_000, max: 1_000 }), { freq: 8 });
    const series = fc.array(fc.array(value, { minLength: 900, maxLength: 900 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(series, fc.integer({ min: 40, max: 300 }), (all, width) => {
        const needed = neededPositions(900, width, all);
        expect(needed.length).to.be.at.most(all.length * 3 * width + 2);
        expect([...new Set(needed)].toSorted((one, other) => one - other)).to.deep.equal(needed);
        for (const values of all) {
          const present = values.filter((each) => each !== null);
          const kept = needed.flatMap((index) => values[index] ?? []);
          if (present.length === 0) continue;
          expect([Math.min(...kept), Math.max(...kept)]).to.deep.equal([
            Math.min(...present),
            Math.max(...present),
          ]);
          expect(needed.some((index) => values[index] === null)).to.equal(present.length < 900);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('draw 100,000 points with their extremes, in a path that does not grow with their number', () => {
    const values = Array.from(
      { length: 100_000 },
      (_, index) => Math.sin(index / 500) + (index === 77_777 ? 9 : 0),
    );
    const model: LinesModel = {
      scale: 'linear',
      labels: values.map((_, index) => `row ${index}`),
      lines: [{ name: 'value', values, tone: 1 }],
    };
    const { markup, columns } = lines(model, { width: 800, height: 320 });
    expect(markup.length).to.be.at.most(60_000);
    expect(columns.some(({ label }) => label === 'row 77777')).to.equal(true);
  });
});
