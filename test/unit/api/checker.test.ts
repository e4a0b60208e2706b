import { expect } from 'chai';
import Type from 'typebox';
import { createChecker } from '#api/derive/checker.ts';
import { Closed, Nullable } from '#lib/core/schema.ts';

const Row = Closed({ name: Type.String({ maxLength: 5 }), size: Type.Integer({ default: 1 }) });
const Body = Closed({
  title: Type.String(),
  rows: Type.Array(Row, { minItems: 600, maxItems: 400_000 }),
  more: Type.Optional(Nullable(Type.Array(Type.Integer()))),
});

describe('the check of a request body', () => {
  const check = createChecker({ useDefaults: true })(Body, 'body');
  const rows = (count: number, row: object) => Array.from({ length: count }, () => ({ ...row }));
  const pointers = (value: unknown) => check(value).map(({ pointer }) => pointer);

  it('fills in defaults and accepts a valid body', () => {
    const body = { title: 'a', rows: rows(600, { name: 'a' }) };
    expect(check(body)).to.deep.equal([]);
    expect(body.rows.at(-1)).to.deep.equal({ name: 'a', size: 1 });
  });

  it('reports every fault of a body with at most 500 elements and members and at most 50 faults', () => {
    const body = { rows: [{ name: 'too long' }, { name: 1, size: 'x' }], surplus: 1 };
    expect(pointers(body)).to.have.members([
      '/title',
      '/surplus',
      '/rows',
      '/rows/0/name',
      '/rows/1/name',
      '/rows/1/size',
    ]);
  });

  it('reports a fault at the end of a long list, and no faults that the body does not have', () => {
    const body = { title: 'a', rows: [...rows(5_000, { name: 'a' }), { name: 1 }] };
    expect(pointers(body)).to.deep.equal(['/rows/5000/name']);
    const late = { more: Array.from({ length: 1_000 }, () => 1), rows: rows(600, { name: 'a' }), title: 1 };
    expect(pointers(late)).to.deep.equal(['/title']);
  });

  it('stops after 50 faults, so that a body with more faults takes hardly more time', () => {
    const few = { title: 'a', rows: rows(600, { name: 1 }) };
    expect(check(few)).to.have.length(50);
    const many = { title: 'a', rows: rows(100_000, { a: 1 }) };
    const began = performance.now();
    check(structuredClone(few));
    const of600 = performance.now() - began;
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      expect(check(many)).to.have.length(50);
      return performance.now() - start;
    });
    expect(Math.min(...times)).to.be.lessThan(of600 * 20 + 5);
  });
});
