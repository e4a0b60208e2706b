import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { runs, type RunKey } from '#lib/runs.ts';
import { readDefinition, scopesOf } from '#lib/workflows/definition.ts';
import { library } from '#lib/workflows/library.ts';
import { checkParameters } from '#lib/workflows/parameters.ts';
import { ADMISSION_STEP, planOf } from '#lib/workflows/plan.ts';
import { forecastWorkflow, waitingWorkflow } from '../../support/workflow.ts';

const faultsOf = (definition: unknown) => {
  const read = readDefinition(definition, runs);
  return read.ok ? [] : read.faults.map(({ pointer }) => pointer);
};
const approval = (key: string, more: object = {}) => ({ key, kind: 'approval', question: 'Go on?', ...more });
const report = (value: unknown) => ({ key: 'report', kind: 'report', title: 'Report', figures: { value } });

describe('the definition of a workflow', () => {
  for (const [key, definition] of Object.entries(library)) {
    it(`is valid for the workflow ${key} of the library, which has its key in the definition`, () => {
      expect(faultsOf(definition)).to.deep.equal([]);
      expect(definition).to.deep.include({ key });
    });
  }

  it('has the digest of its canonical form, for any order of members', () => {
    const turned = Object.fromEntries(Object.entries(waitingWorkflow).toReversed());
    const [one, other] = [waitingWorkflow, turned].map((each) => readDefinition(each, runs));
    expect(one!.ok && other!.ok && one!.digest === other!.digest && one!.digest).to.equal(
      canonicalHash(waitingWorkflow),
    );
  });

  it('determines the scopes that the application of a run needs', () => {
    const read = readDefinition(forecastWorkflow, runs);
    expect(read.ok && scopesOf(read.definition, runs)).to.deep.equal(['planning:forecast:create']);
  });

  it('is rejected with a pointer to each name that is repeated or not defined', () => {
    const steps = [
      approval('a'),
      approval('a', { needs: ['later'] }),
      report({ step: 'elsewhere', pointer: '' }),
      { ...report({ parameter: 'none' }), key: 'other' },
    ];
    expect(faultsOf({ ...waitingWorkflow, steps })).to.deep.equal([
      '/steps/1/key',
      '/steps/1/needs',
      '/steps/2/figures/value',
      '/steps/3/figures/value',
    ]);
    const cost_estimate = { currency: 'XXX', per_run_minor: 1 };
    expect(faultsOf({ ...waitingWorkflow, cost_estimate })).to.deep.equal(['/cost_estimate/currency']);
    expect(faultsOf({ ...waitingWorkflow, surplus: 1 })).to.not.deep.equal([]);
  });

  it('may start any declared kind of run, with literals, lists and parameters as input', () => {
    const run = (job: string, input: object) => ({
      ...{ key: 'run', kind: 'run', job, input },
      ...{ attempts: 1, wait_seconds: 0 },
    });
    for (const job of Object.keys(runs)) {
      const read = readDefinition({ ...waitingWorkflow, steps: [run(job, {})] }, runs);
      expect(read.ok && scopesOf(read.definition, runs)).to.deep.equal([runs[job as RunKey].scope]);
    }
    const faults = (job: string, input: object) => faultsOf({ ...waitingWorkflow, steps: [run(job, input)] });
    const known = 'generative.anomaly';
    expect(faults('bench.no-op', {})).to.deep.equal(['/steps/0/job']);
    expect(faults('constructor.x', {})).to.deep.equal(['/steps/0/job']);
    expect(faults(known, { rows: { literal: [[1, 2]] }, columns: ['a', 'b'] })).to.deep.equal([]);
    expect(faults(known, { columns: ['a', { parameter: 'none' }] })).to.deep.equal([
      '/steps/0/input/columns/1',
    ]);
    expect(faults(known, { rows: { literal: 'x'.repeat(65_536) } })).to.deep.equal(['/steps/0/input/rows']);
  });

  it('may refer only to the output of a step that is certain to have succeeded before', () => {
    const beside = [approval('a'), approval('b', { needs: [] }), report({ step: 'a', pointer: '/x' })];
    expect(faultsOf({ ...waitingWorkflow, steps: beside })).to.deep.equal(['/steps/2/figures/value']);
    const behind = [approval('a'), approval('b'), report({ step: 'a', pointer: '/x' })];
    expect(faultsOf({ ...waitingWorkflow, steps: behind })).to.deep.equal([]);
  });

  it('is planned so that the approval of the admission precedes every step without predecessors', () => {
    const steps = [approval('a'), approval('b', { needs: [] }), approval('c')];
    const read = readDefinition({ ...waitingWorkflow, steps }, runs);
    const plan = read.ok ? planOf(read.definition, [{ code: 'approval_required' }]) : [];
    expect(plan.map(({ key, needs }) => [key, ...needs])).to.deep.equal([
      [ADMISSION_STEP],
      ['a', ADMISSION_STEP],
      ['b', ADMISSION_STEP],
      ['c', 'b'],
    ]);
  });
});

describe('the parameters of a workflow run', () => {
  const parameters = [
    { name: 'metric', type: 'text', description: 'A metric.', required: true },
    { name: 'horizon', type: 'integer', description: 'Periods.', required: false, minimum: 1, maximum: 60 },
    { name: 'day', type: 'date', description: 'A day.', required: false },
  ] as const;
  const check = (given: Record<string, unknown>) => checkParameters({ parameters: [...parameters] }, given);

  it('are null if they are optional and omitted', () => {
    expect(check({ metric: 'm' })).to.deep.equal({
      ok: true,
      values: { metric: 'm', horizon: null, day: null },
    });
  });

  it('are rejected with their names if they are missing, unknown, of another type or out of range', () => {
    const faults = (given: Record<string, unknown>) => {
      const checked = check(given);
      return checked.ok ? [] : checked.faults.map(({ name }) => name);
    };
    expect(faults({})).to.deep.equal(['metric']);
    expect(faults({ metric: 'm', surplus: 1 })).to.deep.equal(['surplus']);
    expect(faults({ metric: 7, horizon: 61, day: '2026-02-29' })).to.deep.equal(['metric', 'horizon', 'day']);
    expect(faults({ metric: 'm', horizon: 1.5 })).to.deep.equal(['horizon']);
    expect(faults({ metric: 'm', horizon: 0 })).to.deep.equal(['horizon']);
  });
});
