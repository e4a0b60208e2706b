import { expect } from 'chai';
import fc from 'fast-check';
import {
  boundNames,
  capacityOf,
  layoutOf,
  type BoundName,
  type Cell,
  type Footprint,
} from '../../capacity/cell.ts';
import { costOfMix, noCost, units, type Cost, type Unit } from '../../capacity/cost.ts';
import { cell } from '../../support/capacity-cell.ts';

const footprint: Footprint = {
  memoryMb: { api: 300, worker: 400, scheduler: 200, connection: 10, redis: 50 },
  connections: { api: 10, worker: 6 },
  idleMsPerS: 0,
};
const cost: Cost = {
  processorMs: { api: 2, worker: 3, postgres: 4, redis: 1 },
  walBytes: 5_000,
  walFlushes: 2,
  pageWrites: 1,
  storedBytes: { table: 2_000, index: 1_000, toast: 0 },
  postgresTrips: 8,
  queueTrips: 4,
  connectionMs: 5,
  slotMs: 6,
};

function boundOf(name: BoundName, changed: Partial<Cell> = {}, of: Cost = cost): number {
  return capacityOf({ ...cell, ...changed }, of, footprint).bounds.find((bound) => bound.name === name)!
    .perSecond;
}

describe('the capacity of a cell', () => {
  it('is its resources times the utilisation, divided by what a run takes', () => {
    expect(boundOf('processor')).to.be.closeTo(240, 1e-9); // 4,000 ms x 0.6 / 10 ms
    expect(boundOf('queue_round_trips')).to.be.closeTo(600, 1e-9); // 1,000 ms x 0.6 / 1 ms
    expect(boundOf('wal_bandwidth')).to.be.closeTo(75e6 / (5_000 + 8_192), 1e-9); // 125 MB/s x 0.6, and a page for the page write
    expect(boundOf('disk_operations')).to.be.closeTo(600, 1e-9); // 3,000 x 0.6 / 3
    expect(boundOf('storage')).to.be.closeTo((0.6 * 3e12) / (100 * 86_400 * 3_000), 1e-9);
    // 1 API process with 10 connections and 3 workers with 6 each.
    expect(boundOf('connections')).to.be.closeTo((28 * 1_000 * 0.6) / 5, 1e-9);
    expect(boundOf('connections', { connections: 20 })).to.be.closeTo((20 * 1_000 * 0.6) / 5, 1e-9);
  });

  it('is that of the tightest limit, and of a day whose peak is a multiple of its average', () => {
    const { bounds, perSecond, perDay } = capacityOf(cell, cost, footprint);
    expect(perSecond).to.equal(Math.min(...bounds.map((bound) => bound.perSecond)));
    expect(perDay).to.be.closeTo((perSecond / 3) * 86_400, 1e-6);
    expect(bounds.map(({ name }) => name)).to.have.members(boundNames);
  });

  const work = (processorMs: Cost['processorMs']) => ({ slotMs: 0, processorMs });
  const scarce: Record<BoundName, [Partial<Cell>, Partial<Cost>]> = {
    processor: [{}, work({ api: 1, worker: 1, postgres: 100, redis: 0 })],
    api_process: [{ cores: 64, storageGb: 1e6, layout: { api: 1 } }, {}],
    worker_places: [{ layout: { workers: 1 } }, { slotMs: 20 }],
    queue_round_trips: [{ cores: 64 }, work({ api: 0, worker: 0, postgres: 1, redis: 9 })],
    wal_bandwidth: [{ walMbPerS: 0.001 }, {}],
    disk_operations: [{ iops: 1 }, {}],
    connections: [{ connections: 1 }, { connectionMs: 1_000 }],
    storage: [{ storageGb: 0.001 }, {}],
  };
  for (const [name, [changed, dear]] of Object.entries(scarce)) {
    it(`reaches the limit of ${name} first if that is scarce`, () => {
      const { bounds } = capacityOf({ ...cell, ...changed }, { ...cost, ...dear }, footprint);
      expect(bounds[0]!.name).to.equal(name);
      expect(bounds[0]!.perSecond).to.be.below(bounds[1]!.perSecond);
    });
  }

  it('has enough API processes and workers that neither limits it before the processors do', () => {
    fc.assert(
      fc.property(anyCell, anyCost, (some, of) => {
        const { bounds } = capacityOf(some, of, footprint);
        const at = (name: BoundName) => bounds.find((bound) => bound.name === name)!.perSecond;
        expect(at('api_process')).to.be.at.least(at('processor') * (1 - 1e-6));
        expect(at('worker_places')).to.be.at.least(at('processor') * (1 - 1e-6));
      }),
    );
  });

  it('never shrinks if a resource of the cell grows', () => {
    const resources = ['iops', 'walMbPerS', 'storageGb', 'connections'] as const;
    fc.assert(
      fc.property(anyCell, anyCost, fc.constantFrom(...resources), (some, of, resource) => {
        const more = { ...some, [resource]: some[resource] * 2 };
        const [before, after] = [some, more].map((each) => capacityOf(each, of, footprint).perSecond);
        expect(after).to.be.at.least(before!);
      }),
    );
  });

  it('never grows if a run takes more', () => {
    fc.assert(
      fc.property(
        anyCell,
        anyCost,
        fc.constantFrom('walBytes', 'walFlushes', 'pageWrites', 'connectionMs'),
        (some, of, member) => {
          const dearer = { ...of, [member]: of[member] * 2 };
          const [before, after] = [of, dearer].map((each) => capacityOf(some, each, footprint).perSecond);
          expect(after).to.be.at.most(before!);
        },
      ),
    );
  });

  it('reports the memory of its processes, and whether it fits', () => {
    const { memory } = capacityOf(cell, cost, footprint);
    // 1 API process, 3 workers, scheduler, Redis, 28 connections, and a quarter for shared buffers.
    expect(memory.neededGb).to.be.closeTo((300 + 3 * 400 + 200 + 50 + 28 * 10) / 1e3 + 4, 1e-9);
    expect(memory.fits).to.equal(true);
    expect(capacityOf({ ...cell, memoryGb: 2 }, cost, footprint).memory.fits).to.equal(false);
  });

  it('leaves out the processor time that the processes use without work', () => {
    const { bounds } = capacityOf(cell, cost, { ...footprint, idleMsPerS: 100 });
    expect(bounds.find(({ name }) => name === 'processor')!.perSecond).to.be.closeTo(234, 1e-9);
  });

  it('has no limit if runs cost nothing', () => {
    const { bounds, layout } = capacityOf(cell, noCost, footprint);
    expect(bounds.every(({ perSecond }) => perSecond === Infinity)).to.equal(true);
    expect(layout).to.deep.equal({ api: 1, workers: 1 });
  });

  it('is refused for a cell outside its ranges', () => {
    for (const fault of [
      { cores: 0 },
      { iops: NaN },
      { utilisation: 1.1 },
      { peakFactor: 0.5 },
      { concurrency: 1.5 },
    ])
      expect(() => capacityOf({ ...cell, ...fault }, cost, footprint)).to.throw(RangeError);
  });
});

describe('the processes of a cell', () => {
  it('share the processors as the parts share the time of a run', () => {
    const of = { ...noCost, processorMs: { api: 1, worker: 3, postgres: 4, redis: 0 } };
    expect(layoutOf({ cores: 8, concurrency: 1 }, of)).to.deep.equal({ api: 1, workers: 3 });
    expect(layoutOf({ cores: 16, concurrency: 1 }, of)).to.deep.equal({ api: 2, workers: 6 });
  });

  it('are more workers if runs wait for the disk in their places', () => {
    const of = { ...noCost, processorMs: { api: 1, worker: 1, postgres: 0, redis: 0 }, slotMs: 10 };
    expect(layoutOf({ cores: 2, concurrency: 1 }, of).workers).to.equal(10);
    expect(layoutOf({ cores: 2, concurrency: 4 }, of).workers).to.equal(3);
  });
});

describe('the cost of a mix', () => {
  const costs = Object.fromEntries(units.map((unit) => [unit, { ...noCost, walBytes: 1 }])) as Record<
    Unit,
    Cost
  >;

  it('is the sum of the costs of its units, each times its number', () => {
    const mixed = costOfMix(
      { ...costs, no_op_run: cost, read: { ...noCost, walBytes: 7 } },
      { no_op_run: 1, read: 2 },
    );
    expect(mixed).to.deep.equal({ ...cost, walBytes: 5_014 });
    expect(costOfMix(costs, {})).to.deep.equal(noCost);
  });

  it('is refused for a negative number', () => {
    expect(() => costOfMix(costs, { read: -1 })).to.throw(RangeError, 'read');
  });
});

const amount = (max: number) => fc.double({ min: 1e-3, max, noNaN: true });
const anyCell: fc.Arbitrary<Cell> = fc.record({
  cores: fc.integer({ min: 1, max: 192 }),
  memoryGb: amount(1_000),
  iops: amount(1e6),
  walMbPerS: amount(1e4),
  storageGb: amount(1e5),
  connections: amount(1_000),
  concurrency: fc.integer({ min: 1, max: 8 }),
  utilisation: fc.double({ min: 0.1, max: 1, noNaN: true }),
  peakFactor: fc.double({ min: 1, max: 10, noNaN: true }),
  retentionDays: amount(3_650),
});
const anyCost: fc.Arbitrary<Cost> = fc.record({
  processorMs: fc.record({ api: amount(100), worker: amount(1e4), postgres: amount(100), redis: amount(10) }),
  walBytes: amount(1e6),
  walFlushes: amount(10),
  pageWrites: amount(100),
  storedBytes: fc.record({ table: amount(1e6), index: amount(1e6), toast: amount(1e6) }),
  postgresTrips: amount(100),
  queueTrips: amount(100),
  connectionMs: amount(1e3),
  slotMs: amount(1e4),
});
