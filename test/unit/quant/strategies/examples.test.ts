import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAjv } from '#lib/core/ajv.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import { strategyFamily } from '#lib/quant/strategies/strategy-family.ts';
import { Strategy } from '#lib/quant/strategies/strategy.schema.ts';

const folder = new URL('../../../../lib/quant/strategies/examples/', import.meta.url);
const sample = new URL('../../../../lib/sample/', import.meta.url);
const names = [
  'buy-and-hold',
  'dual-momentum',
  'hrp',
  'low-volatility',
  'mean-reversion',
  'momentum-top-n',
  'risk-parity',
  'sixty-forty',
  'theme-rotation',
  'volatility-target',
];
const read = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Strategy;

describe('the example strategies', () => {
  const isStrategy = createAjv().compile(Strategy);
  const priced = new Set(
    gunzipSync(readFileSync(new URL('prices_monthly.csv.gz', sample)))
      .toString()
      .split('\n')
      .map((line) => line.split(',')[0]!),
  );

  it('are ten files', () => {
    expect(readdirSync(folder).sort()).to.deep.equal(names.map((name) => `${name}.json`));
  });

  for (const name of names) {
    it(`resolve ${name} on symbols of the sample data`, () => {
      const strategy = read(name);
      expect(isStrategy(strategy), JSON.stringify(isStrategy.errors)).to.equal(true);
      const resolution = resolveStrategy(strategy);
      if (!resolution.ok) throw new Error(JSON.stringify(resolution.faults));
      const unknown = resolution.strategy.universe.symbols.filter((symbol) => !priced.has(symbol));
      expect(unknown).to.deep.equal([]);
    });
  }

  it('belong to ten families', () => {
    expect(new Set(names.map((name) => strategyFamily(read(name)))).size).to.equal(10);
  });
});
