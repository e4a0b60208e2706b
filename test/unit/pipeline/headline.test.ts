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
  it('is read from the sealed members', () => {
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

  it('throws for a list, an object or a boolean', () => {
    for (const value of [[1], { a: 1 }, true]) {
      expect(() => headlineOf(figure('/result/value'), { result: { value } })).to.throw(/neither a number/);
    }
  });

  it('is empty for a run that declares none', () => {
    expect(headlineOf({ key: 'a.run' }, { result: {} })).to.deep.equal([]);
  });

  // A pointer that leads nowhere would show null in every list.
  for (const run of Object.values<RunKind>(runs)) {
    it(`of ${run.key} leads to values, with different names`, () => {
      const { headline = [] } = run;
      expect(headline.length).to.be.at.most(HEADLINES_MAX);
      expect(new Set(headline.map(({ name }) => name)).size).to.equal(headline.length);
      const members = { input: exampleOf(run.input), ...(exampleOf(run.output) as object) };
      for (const { name, value } of headlineOf(run, members)) expect(value, name).to.not.equal(null);
      for (const { name, unit } of headline) expect([name, unit].join(' ')).to.match(/^[a-z_]+ [a-z_]+$/);
    });
  }

  it('is declared by some runs', () => {
    expect(Object.values<RunKind>(runs).some(({ headline }) => headline)).to.equal(true);
  });
});
