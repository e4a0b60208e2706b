import { expect } from 'chai';
import { noCost } from '../../capacity/cost.ts';
import { fleetOf } from '../../capacity/fleet.ts';
import { cell } from '../../support/capacity-cell.ts';

const cost = { ...noCost, walBytes: 5_000, storedBytes: { table: 2_000, index: 1_000, toast: 0 } };
const prices = { corePerHour: 0.05, storageGbPerMonth: 0.1, iopsPerMonth: 0.01, iopsIncluded: 1_000 };
const of = { cell, cost, capacity: { perDay: 1e6 }, prices };

describe('the cells for a number of runs a day', () => {
  it('are whole, and at least one', () => {
    expect([1, 1e6, 1_000_001, 2.5e6].map((runs) => fleetOf(runs, of).cells)).to.deep.equal([1, 1, 2, 3]);
  });

  it('cost their processors, the stored records and their disk operations', () => {
    const fleet = fleetOf(2e6, of);
    expect(fleet.cores).to.equal(8);
    expect(fleet.storedGb).to.be.closeTo(600, 1e-9); // 2e6 runs x 100 days x 3 kB
    expect(fleet.walGbPerDay).to.be.closeTo(10, 1e-9);
    expect(fleet.perMonth.processors).to.be.closeTo(8 * 730 * 0.05, 1e-9);
    expect(fleet.perMonth.storage).to.be.closeTo(100, 1e-9); // 600 GB on disks that are 60 % full
    expect(fleet.perMonth.operations).to.be.closeTo(40, 1e-9); // 2 cells x 2,000 IOPS that are not included
    expect(fleet.perMonth.all).to.be.closeTo(292 + 140, 1e-9);
    expect(fleet.perMillionRuns).to.be.closeTo(432 / ((2 * 730) / 24), 1e-9);
  });

  it('grow with the runs, and cost no more for each run once all cells are full', () => {
    const fleets = [1e6, 1e8, 1e9].map((runs) => fleetOf(runs, of));
    expect(fleets.map(({ cells }) => cells)).to.deep.equal([1, 100, 1_000]);
    expect(fleets[2]!.perMillionRuns).to.be.closeTo(fleets[1]!.perMillionRuns, 1e-9);
  });

  it('are refused for no runs, and for a cell that carries none', () => {
    expect(() => fleetOf(0, of)).to.throw(RangeError);
    expect(() => fleetOf(1, { ...of, capacity: { perDay: 0 } })).to.throw(RangeError);
  });
});
