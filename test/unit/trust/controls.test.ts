import { expect } from 'chai';
import { aggregate, cellsOf, type LogCount } from '#lib/trust/aggregates.ts';
import { controls, resultOf, testControl, type Control, type ControlEntry } from '#lib/trust/controls.ts';

const entry = (index: number, op: string, actor: string | null, subject = 'sub_1'): ControlEntry => ({
  index,
  leafHash: 'ab'.repeat(32),
  op,
  subject,
  actor,
  actorKind: actor === null ? 'system' : 'person',
});
const control: Control = {
  key: 'second',
  title: 'Second',
  statement: 'Another.',
  ops: ['x.approved'],
  check: { kind: 'second_person', before: ['x.drafted', 'x.submitted'] },
};
const approved = entry(5, 'x.approved', 'per_1');
const verdict = (...history: ControlEntry[]) => {
  const { passed, failed, not_evaluated } = testControl(control, [approved], history);
  return { passed, failed, not_evaluated };
};

describe('the controls of an evidence pack', () => {
  it('count as a second person only a person without earlier actions on the same subject', () => {
    const passes = { passed: 1, failed: 0, not_evaluated: 0 };
    const fails = { passed: 0, failed: 1, not_evaluated: 0 };
    expect(verdict(entry(1, 'x.drafted', 'per_2'))).to.deep.equal(passes);
    expect(verdict(entry(1, 'x.drafted', 'per_1'))).to.deep.equal(fails);
    expect(verdict(entry(1, 'x.drafted', 'per_2'), entry(2, 'x.submitted', 'per_1'))).to.deep.equal(fails);
  });

  it('are not evaluated for an entry without an earlier entry that can be compared', () => {
    const unknown = { passed: 0, failed: 0, not_evaluated: 1 };
    expect(verdict()).to.deep.equal(unknown);
    expect(verdict(entry(1, 'x.drafted', 'per_1', 'sub_2'))).to.deep.equal(unknown);
    expect(verdict(entry(9, 'x.drafted', 'per_2'))).to.deep.equal(unknown);
    expect(verdict(entry(1, 'x.renamed', 'per_2'))).to.deep.equal(unknown);
    expect(verdict(entry(1, 'x.drafted', null))).to.deep.equal(unknown);
  });

  it('fail for an entry that no required entry precedes', () => {
    const evaluated: Control = { ...control, check: { kind: 'preceded', before: ['x.evaluated'] } };
    const count = (...history: ControlEntry[]) => testControl(evaluated, [approved], history).failed;
    expect(count(entry(1, 'x.evaluated', null))).to.equal(0);
    expect(count()).to.equal(1);
    expect(count(entry(9, 'x.evaluated', null))).to.equal(1);
    expect(count(entry(1, 'x.evaluated', null, 'sub_2'))).to.equal(1);
  });

  it('I-126: are satisfied only if every entry of a population was tested and none failed', () => {
    const results = (failed: number, not_evaluated: number, tested: number) =>
      resultOf({ failed, not_evaluated, tested });
    expect(results(0, 0, 0)).to.equal('not_evaluated');
    expect(results(0, 0, 1)).to.equal('satisfied');
    expect(results(0, 1, 1)).to.equal('not_evaluated');
    expect(results(1, 1, 2)).to.equal('not_satisfied');
  });

  it('list at most 20 failures first, and then the newest of the other tests', () => {
    const population = Array.from({ length: 60 }, (_, at) =>
      entry(at, 'x.approved', `per_${at % 2}`, `s${at}`),
    );
    const history = population.map(({ subject }) => entry(-1, 'x.drafted', 'per_0', subject));
    const { failed, passed, observed } = testControl(control, population, history);
    expect([failed, passed]).to.deep.equal([30, 30]);
    expect(observed.map(({ index }) => index)).to.deep.equal([
      ...Array.from({ length: 20 }, (_, at) => at * 2),
      55,
      57,
      59,
    ]);
  });

  it('have unique keys, and never compare an operation with itself', () => {
    expect(new Set(controls.map(({ key }) => key)).size).to.equal(controls.length);
    for (const { check, ops } of controls) {
      if (check.kind === 'second_person') for (const op of ops) expect(check.before).to.not.include(op);
    }
  });
});

describe('the aggregates of an evidence pack', () => {
  const count = (op: string, entries: number, status = 'done', code: string | null = null): LogCount => ({
    op,
    entries,
    status,
    code,
  });

  it('sum to the number of entries, with counts below three merged into one count', () => {
    const counts = [
      count('b.b', 2),
      count('b.b', 1, 'refused', 'no'),
      count('a.a', 2),
      count('key.issued', 1),
      count('x.conflict', 3),
    ];
    const { entries, refused, by_operation, credential_changes, conflicts } = aggregate(counts);
    expect({ entries, refused, credential_changes, conflicts }).to.deep.equal({
      entries: 9,
      refused: 1,
      credential_changes: 1,
      conflicts: 3,
    });
    expect(by_operation).to.deep.equal([
      { key: 'b.b', entries: 3 },
      { key: 'x.conflict', entries: 3 },
      { key: 'other', entries: 3 },
    ]);
    expect(cellsOf([], ({ op }) => op)).to.deep.equal([]);
  });
});
