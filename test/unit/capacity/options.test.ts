import { expect } from 'chai';
import { noCost, units, type Cost, type Unit } from '../../capacity/cost.ts';
import { readMix, readOptions, readSkew } from '../../capacity/options.ts';
import { queueOfCell } from '../../capacity/queue-of-cell.ts';
import { serviceClassLimits } from '#lib/database/base.ts';

describe('the options of the capacity command', () => {
  it('describe a cell, a mix, prices and a simulation by default', () => {
    const { cell, mix, prices, runsPerDay, simulation } = readOptions([]);
    expect(cell).to.include({ cores: 8, memoryGb: 32, iops: 3_000, utilisation: 0.6, peakFactor: 3 });
    expect(cell.layout).to.deep.equal({});
    expect(mix).to.include({ forecast_run: 0.8, read: 2 });
    expect(prices).to.include({ corePerHour: 0.0408, currency: 'USD' });
    expect(runsPerDay).to.deep.equal([1e6, 1e8, 1e9]);
    expect(simulation).to.include({ workspaces: 1_000, seed: 27 });
  });

  it('are read as numbers, lists, mixes and laws', () => {
    const { cell, mix, runsPerDay, simulation } = readOptions(
      '--cores 64 --workers 3 --runs 5,7e3 --mix no_op_run=1,read=0.5 --skew pareto:1.2'.split(' '),
    );
    expect(cell).to.deep.include({ cores: 64, layout: { workers: 3 } });
    expect(mix).to.deep.equal({ no_op_run: 1, read: 0.5 });
    expect(runsPerDay).to.deep.equal([5, 7_000]);
    expect(simulation.skew.sharesOf(10, 1)).to.have.lengthOf(10);
  });

  it('refuse a mix whose runs do not add up to 1, an unknown unit and a negative number', () => {
    for (const mix of [
      'read=1',
      'no_op_run=0.9',
      'no_op_run=1,other=1',
      'no_op_run=1,read=-1',
      'no_op_run',
      'no_op_run=1=1',
    ])
      expect(() => readMix(mix), mix).to.throw();
    expect(readMix('no_op_run=0.5,factor_run=0.5')).to.deep.equal({ no_op_run: 0.5, factor_run: 0.5 });
  });

  it('refuse an unknown law of shares', () => {
    for (const skew of ['zipf', 'zipf:0', 'normal:1', 'pareto:x'])
      expect(() => readSkew(skew), skew).to.throw();
    expect(readSkew('zipf:1').sharesOf(2, 1)).to.deep.equal([2 / 3, 1 / 3]);
  });
});

describe('the queue of a cell', () => {
  it('has the places of the cell, and processors as the parts share the time of a run', () => {
    const run: Cost = { ...noCost, processorMs: { api: 2, worker: 12, postgres: 6, redis: 0 }, slotMs: 40 };
    const costs = Object.fromEntries(units.map((unit) => [unit, noCost])) as Record<Unit, Cost>;
    const { cell } = readOptions(['--cores', '10']);
    const queue = queueOfCell(cell, { ...costs, factor_run: run }, { factor_run: 1 });
    expect(queue.kinds).to.deep.equal([{ share: 1, computeMs: 12 }]);
    const { runningRuns: runningMax, queuedRuns: queuedMax } = serviceClassLimits.standard;
    expect(queue.system).to.deep.equal({
      places: 20, // 10 processors / 20 ms x 40 ms in a place
      processors: 6,
      runningMax,
      queuedMax,
      database: { servers: 3, submitMs: 2, startMs: 2, endMs: 2 },
    });
  });

  it('has the workers of the options, if they are given', () => {
    const run: Cost = { ...noCost, processorMs: { api: 1, worker: 1, postgres: 1, redis: 0 } };
    const costs = Object.fromEntries(units.map((unit) => [unit, run])) as Record<Unit, Cost>;
    const { cell } = readOptions(['--workers', '3', '--concurrency', '4']);
    expect(queueOfCell(cell, costs, { no_op_run: 1 }).system.places).to.equal(12);
  });
});
