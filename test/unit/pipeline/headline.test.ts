import { expect } from 'chai';
import { exampleOf } from '#api/derive/example.ts';
import { HEADLINES_MAX, type RunKind } from '#lib/core/run.ts';
import { headlineOf } from '#lib/pipeline/headline.ts';
import { runs } from '#lib/runs.ts';

const figure = (pointer: string) => ({
  key: 'a.run',
  headline: [{ name: 'figure', unit: 'minor', pointer }],
});

describe('the headline of a run', () => {
  it('contains the values at its pointers into the sealed members, or null for a pointer without a target', () => {
    const members = { input: { 'a/b': { '~c': ['x', 5] } }, result: { cva: -1.5, none: null } };
    for (const [pointer, value] of [
      ['/result/cva', -1.5],
      ['/input/a~1b/~0c/1', 5],
      ['/input/a~1b/~0c/0', 'x'],
      ['/result/none', null],
      ['/result/unknown', null],
      ['/result/cva/deeper', null],
      ['/result/toString', null],
    ] as const) {
      expect(headlineOf(figure(pointer), members), pointer).to.deep.equal([
        { name: 'figure', value, unit: 'minor' },
      ]);
    }
  });

  it('cannot contain a list, an object or a boolean', () => {
    for (const value of [[1], { a: 1 }, true]) {
      expect(() => headlineOf(figure('/result/value'), { result: { value } })).to.throw(/neither a number/);
    }
  });

  it('is empty for a kind of run that declares no headline', () => {
    expect(headlineOf({ key: 'a.run' }, { result: {} })).to.deep.equal([]);
  });

  // A pointer without a target would give null in every list of runs.
  for (const run of Object.values<RunKind>(runs)) {
    it(`of ${run.key} has pointers to values in the example result, and different names`, () => {
      const { headline = [] } = run;
      expect(headline.length).to.be.at.most(HEADLINES_MAX);
      expect(new Set(headline.map(({ name }) => name)).size).to.equal(headline.length);
      const members = { input: exampleOf(run.input), ...(exampleOf(run.output) as object) };
      for (const { name, value } of headlineOf(run, members)) expect(value, name).to.not.equal(null);
      for (const { name, unit } of headline) expect([name, unit].join(' ')).to.match(/^[a-z_]+ [a-z_]+$/);
    });
  }

  it('is declared by at least one kind of run', () => {
    expect(Object.values<RunKind>(runs).some(({ headline }) => headline)).to.equal(true);
  });
});
