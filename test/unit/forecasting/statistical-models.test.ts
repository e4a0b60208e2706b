import { expect } from 'chai';
import { methodPool } from '#lib/forecasting/engine/method-pool.ts';
import { statisticalModels } from '#lib/forecasting/statistical-models.ts';

const season = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
const seasonal = Float64Array.from(
  { length: 72 },
  (_, at) => 100 + at + 10 * season[at % 12]! + ((at * 7) % 5),
);
const sparse = seasonal.map((value, at) => (at % 3 === 0 ? value : 0));
const falling = seasonal.map((value) => -value);

// The parameters that a method estimates must be among the parameters that its description declares.
describe('the descriptions of the statistical models', () => {
  for (const { key, method } of methodPool) {
    it(`declare every parameter that ${key} estimates`, () => {
      const { parameters } = statisticalModels.find((model) => model.key === key)!;
      const declared = parameters.map(({ name }) => new RegExp(`^${name.replace('<n>', '\\d+')}$`));
      for (const values of [seasonal, sparse, falling]) {
        for (const period of [1, 12]) {
          const series = { values, period };
          if (!method.serves(series)) continue;
          const names = Object.keys(method.fit(series, method.choose(series)).parameters);
          expect(names.filter((name) => !declared.some((each) => each.test(name)))).to.deep.equal([]);
        }
      }
    });
  }

  it('contain every method exactly once', () => {
    const keys = statisticalModels.map(({ key }) => key);
    expect(new Set(keys).size).to.equal(keys.length);
    expect(keys).to.deep.equal(methodPool.map(({ key }) => key));
    for (const { parameters } of statisticalModels) {
      for (const { name, description } of parameters) expect(description, name).to.be.a('string');
    }
  });
});
