import { expect } from 'chai';
import { maxDrawdown } from '#lib/numerics/drawdown.ts';
import { expMinusOne } from '#lib/numerics/exponential-minus-one.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { pathDrawdowns } from '#lib/numerics/scenario/path-drawdown.ts';

describe('the drawdown of paths', () => {
  it('is measured from the highest level of the path, including its start', () => {
    const paths = [
      [ln(1.5), ln(0.75), ln(1.2)],
      [-0.1, -0.2, 0.3],
      [0.1, 0.2, 0.2],
    ];
    const [one, other, none] = pathDrawdowns(Float64Array.from(paths.flat()), 3);
    expect(one).to.be.closeTo(-0.5, 1e-15);
    expect(other).to.equal(expMinusOne(-0.2));
    expect(none).to.equal(0);
  });

  it('equals the drawdown of the compounded returns', () => {
    const monthly = Array.from({ length: 40 }, (_, at) => ((at * 37) % 23) / 100 - 0.12);
    let total = 0;
    const cumulative = Float64Array.from(monthly, (each) => (total += each));
    const simple = monthly.map((each) => expMinusOne(each));
    expect(pathDrawdowns(cumulative, 40)[0]).to.be.closeTo(maxDrawdown(simple), 1e-14);
  });

  it('is computed for complete paths or no path, and otherwise throws', () => {
    expect([...pathDrawdowns(new Float64Array(0), 5)]).to.deep.equal([]);
    expect(() => pathDrawdowns(new Float64Array(4), 3)).to.throw(RangeError);
    expect(() => pathDrawdowns(new Float64Array(4), 0)).to.throw(RangeError);
  });
});
