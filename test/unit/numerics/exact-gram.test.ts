import { expect } from 'chai';
import fc from 'fast-check';
import { type SparseRows, emptyGram, exactGram, gramWithout } from '#lib/numerics/exact-gram.ts';

const entries = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 1_000_000 })), { maxLength: 4 });
const rows = fc.array(entries, { maxLength: 30 });

function sparse(lists: readonly (readonly (readonly [number, number])[])[], columns: number): SparseRows {
  const start = [0];
  const column: number[] = [];
  const micro: number[] = [];
  for (const list of lists) {
    const own = new Map(list);
    for (const k of [...own.keys()].sort((a, b) => a - b)) {
      column.push(k);
      micro.push(own.get(k)!);
    }
    start.push(column.length);
  }
  return {
    rows: lists.length,
    columns,
    start: Int32Array.from(start),
    column: Int32Array.from(column),
    micro: Float64Array.from(micro),
    value: Float64Array.from(micro, (value) => value / 1e6),
  };
}

describe('exactGram', () => {
  it('equals the result of arbitrary-precision integers', () => {
    fc.assert(
      fc.property(rows, (lists) => {
        const gram = exactGram(sparse(lists, 6));
        const dense = lists.map((list) =>
          Array.from({ length: 6 }, (_, k) => BigInt(new Map(list).get(k) ?? 0)),
        );
        for (let k = 0; k < 6; k += 1) {
          expect(BigInt(gram.sums[k]!)).to.equal(dense.reduce((total, row) => total + row[k]!, 0n));
          expect(gram.counts[k]).to.equal(dense.filter((row) => row[k]! > 0n).length);
          for (let l = k; l < 6; l += 1) {
            const product = dense.reduce((total, row) => total + row[k]! * row[l]!, 0n);
            expect(BigInt(gram.products[k * 6 + l]!)).to.equal(product);
          }
        }
      }),
    );
  });

  // If symbols are missing, the model subtracts their rows from an existing sum instead of adding all other
  // rows again. The result must be the same.
  it('gives the same bits after rows are subtracted as if these rows had never been added', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(entries, fc.boolean()), { maxLength: 30 }), (marked) => {
        const all = sparse(
          marked.map(([list]) => list),
          6,
        );
        const missing = Int32Array.from([...marked.keys()].filter((row) => marked[row]![1]));
        const gram = emptyGram(6);
        gramWithout(gram, exactGram(all), all, { rows: missing, count: missing.length });
        const rest = marked.filter(([, isMissing]) => !isMissing).map(([list]) => list);
        expect(gram).to.deep.equal(exactGram(sparse(rest, 6)));
      }),
    );
  });

  it('is exact up to its limit of 9,007 rows with the greatest exposures, and throws above the limit', () => {
    const full = Array.from({ length: 9_007 }, () => [[0, 1_000_000]] as const);
    const gram = exactGram(sparse(full, 1));
    expect(BigInt(gram.products[0]!)).to.equal(9_007n * 10n ** 12n);
    expect(gram.products[0]).to.be.at.most(Number.MAX_SAFE_INTEGER);
    expect(() => exactGram(sparse([...full, [[0, 1] as const]], 1))).to.throw(RangeError, '9008');
  });
});
