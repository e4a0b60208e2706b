import { expect } from 'chai';
import fc from 'fast-check';
import { mean, quantile, sampleStandardDeviation } from 'simple-statistics';
import { waitOfConstant, waitOfMarkovian, waitQuantileOfMarkovian } from '../../capacity/queueing.ts';
import { drawArrivals, exponential, paretoShares, zipfShares } from '../../capacity/simulation/arrivals.ts';
import { jainIndex, maxMinShares } from '../../capacity/simulation/fairness.ts';
import { limitOf, outcomeAt, type Study } from '../../capacity/simulation/study.ts';
import { simulate, type Arrival, type Passed, type System } from '../../capacity/simulation/simulate.ts';

const SEEDS = 8;
const RUNS = 25_000;
const MEAN_MS = 10;
/** The largest accepted distance from a formula, in standard errors of the mean over the seeds. */
const ERRORS_MAX = 4;
const open = { runningMax: Infinity, queuedMax: Infinity };

/** The waits of runs of one workspace at a load, without the first tenth, in which the queue fills. */
function waitsAt(
  seed: number,
  load: number,
  places: number,
  computeMs: (uniform: number) => number,
): number[] {
  const perSecond = (load * places * 1_000) / MEAN_MS;
  const arrivals = drawArrivals({ seed, runs: RUNS, perSecond, shares: [1], computeMs });
  return simulate(arrivals, { ...open, places })
    .slice(RUNS / 10)
    .map(waitOf);
}

function waitOf({ atMs, startedMs }: Passed): number {
  return startedMs! - atMs;
}

/** Expects a figure of the waits, as the mean over the seeds, to agree with a formula within the error of sampling. */
function expectFormula(expected: number, figureOf: (seed: number) => number): void {
  const figures = Array.from({ length: SEEDS }, (_, seed) => figureOf(seed + 1));
  const error = sampleStandardDeviation(figures) / Math.sqrt(SEEDS);
  expect(error, 'the test is not exact enough').to.be.at.most(0.06 * expected);
  expect(mean(figures)).to.be.closeTo(expected, ERRORS_MAX * error);
}

describe('the simulation of one queue', () => {
  for (const load of [0.5, 0.8]) {
    for (const servers of [1, 4]) {
      it(`has the mean wait of M/M/${servers} at a load of ${load}`, () => {
        expectFormula(waitOfMarkovian({ servers, load, service: MEAN_MS }), (seed) =>
          mean(waitsAt(seed, load, servers, exponential(MEAN_MS))),
        );
      });
    }

    it(`has the mean wait of M/D/1 at a load of ${load}`, () => {
      expectFormula(waitOfConstant({ load, service: MEAN_MS }), (seed) =>
        mean(waitsAt(seed, load, 1, () => MEAN_MS)),
      );
    });
  }

  for (const share of [0.8, 0.99])
    it(`has the wait of M/M/4 that a share of ${share} does not exceed`, () => {
      const queue = { servers: 4, load: 0.7, service: MEAN_MS };
      expectFormula(waitQuantileOfMarkovian(queue, share), (seed) =>
        quantile(waitsAt(seed, queue.load, queue.servers, exponential(MEAN_MS)), share),
      );
    });

  it('lets computations share fewer processors than there are places', () => {
    const computeMs = () => MEAN_MS;
    const load = 0.6;
    expectFormula(waitOfConstant({ load, service: MEAN_MS }), (seed) => {
      const perSecond = (load * 1_000) / MEAN_MS;
      const arrivals = drawArrivals({ seed, runs: RUNS, perSecond, shares: [1], computeMs });
      const runs = simulate(arrivals, { ...open, places: 1_000, processors: 1 });
      return mean(runs.map(({ atMs, endedMs }) => endedMs! - atMs - MEAN_MS));
    });
  });

  it('serves the database as a station of its own, with the same formula', () => {
    const load = 0.5;
    const perSecond = (load * 1_000) / MEAN_MS;
    const database = { servers: 1, submitMs: MEAN_MS, startMs: 0, endMs: 0 };
    expectFormula(waitOfConstant({ load, service: MEAN_MS }), (seed) => {
      const arrivals = drawArrivals({ seed, runs: RUNS, perSecond, shares: [1], computeMs: () => 0 });
      const runs = simulate(arrivals, { ...open, places: 1_000, database });
      return mean(runs.map(({ atMs, recordedMs }) => recordedMs! - atMs - MEAN_MS));
    });
  });
});

describe('the simulation', () => {
  const system: System = { places: 2, runningMax: 4, queuedMax: 50 };
  const anyArrivals: fc.Arbitrary<Arrival[]> = fc
    .array(
      fc.record({
        atMs: fc.integer({ min: 0, max: 200 }),
        workspace: fc.integer({ min: 0, max: 3 }),
        computeMs: fc.integer({ min: 0, max: 30 }),
      }),
      { maxLength: 60 },
    )
    .map((all) => all.sort((a, b) => a.atMs - b.atMs));

  it('gives the same result for the same seed, and another for another seed', () => {
    const at = (seed: number) =>
      simulate(
        drawArrivals({
          seed,
          runs: 500,
          perSecond: 200,
          shares: zipfShares(20, 1),
          computeMs: exponential(9),
        }),
        system,
      );
    expect(at(1)).to.deep.equal(at(1));
    expect(at(1)).to.not.deep.equal(at(2));
  });

  it('never computes more runs than there are places, and never leaves a place free while a run waits', () => {
    fc.assert(
      fc.property(anyArrivals, fc.constantFrom('fair', 'first_in_first_out'), (arrivals, order) => {
        const runs = simulate(arrivals, { ...system, order }).filter(
          ({ recordedMs }) => recordedMs !== undefined,
        );
        for (const { startedMs } of runs) {
          const busy = runs.filter((run) => run.startedMs! <= startedMs! && startedMs! < run.endedMs!);
          expect(busy.length).to.be.at.most(2);
        }
        for (const { recordedMs, startedMs } of runs) {
          if (recordedMs === startedMs) continue;
          const busy = runs.filter((run) => run.startedMs! <= recordedMs! && recordedMs! < run.endedMs!);
          expect(busy.length).to.equal(2);
        }
      }),
    );
  });

  it('starts the runs of a workspace in the order of their submission', () => {
    fc.assert(
      fc.property(anyArrivals, (arrivals) => {
        const runs = simulate(arrivals, system);
        for (const workspace of [0, 1, 2, 3]) {
          const starts = runs
            .filter((run) => run.workspace === workspace && run.startedMs !== undefined)
            .map(({ startedMs }) => startedMs!);
          expect(starts).to.deep.equal(starts.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('takes as long in all in any order, because no work is lost', () => {
    fc.assert(
      fc.property(anyArrivals, (arrivals) => {
        const one = { ...system, places: 1, queuedMax: Infinity };
        const ends = (['fair', 'first_in_first_out'] as const).map((order) =>
          Math.max(0, ...simulate(arrivals, { ...one, order }).map(({ endedMs }) => endedMs!)),
        );
        expect(ends[0]).to.equal(ends[1]);
      }),
    );
  });

  it('lets a run of a small workspace pass a backlog, which first in, first out does not', () => {
    const backlog = Array.from({ length: 40 }, () => ({ atMs: 0, workspace: 0, computeMs: 10 }));
    const arrivals = [...backlog, { atMs: 1, workspace: 1, computeMs: 10 }];
    const wait = (order: System['order']) => waitOf(simulate(arrivals, { ...system, order: order! }).at(-1)!);
    expect(wait('fair')).to.be.at.most(20);
    expect(wait('first_in_first_out')).to.be.at.least(190);
  });

  it('refuses the runs of a workspace whose queue is full, and only those', () => {
    const burst = Array.from({ length: 60 }, () => ({ atMs: 0, workspace: 0, computeMs: 10 }));
    const runs = simulate([...burst, { atMs: 0, workspace: 1, computeMs: 10 }], system);
    expect(runs.filter(({ isRefused }) => isRefused)).to.have.lengthOf(10);
    expect(runs.at(-1)!.recordedMs).to.equal(0);
  });

  it('ends at the given time', () => {
    const arrivals = Array.from({ length: 10 }, () => ({ atMs: 0, workspace: 0, computeMs: 10 }));
    const runs = simulate(arrivals, { ...system, places: 1 }, { untilMs: 35 });
    expect(runs.filter(({ endedMs }) => endedMs !== undefined)).to.have.lengthOf(3);
    expect(runs.filter(({ startedMs }) => startedMs !== undefined)).to.have.lengthOf(4);
  });
});

describe('the study of many workspaces', () => {
  const study: Study = {
    system: {
      places: 4,
      runningMax: 16,
      queuedMax: 10_000,
      database: { servers: 2, submitMs: 1, startMs: 1, endMs: 1 },
    },
    shares: zipfShares(50, 1),
    kinds: [
      { share: 0.9, computeMs: 20 },
      { share: 0.1, computeMs: 100 },
    ],
    runs: 20_000,
    seed: 4,
  };

  it('has the limit of the places, of the database or of the processors, whichever is smallest', () => {
    expect(limitOf(study)).to.be.closeTo(4_000 / 30, 1e-9);
    const database = { servers: 2, submitMs: 20, startMs: 1, endMs: 1 };
    expect(limitOf({ ...study, system: { ...study.system, database } })).to.be.closeTo(2_000 / 22, 1e-9);
    expect(limitOf({ ...study, system: { ...study.system, processors: 2 } })).to.be.closeTo(2_000 / 28, 1e-9);
  });

  it('serves everybody in full below the limit', () => {
    const { jain, worst, perSecond } = outcomeAt(study, 0.8, 'fair');
    expect(perSecond).to.be.closeTo(0.8 * limitOf(study), 0.05 * limitOf(study));
    expect(jain).to.be.above(0.999);
    expect(worst).to.be.above(0.95);
  });

  it('serves everybody by fair shares above the limit, in contrast to first in, first out', () => {
    const [fair, plain] = (['fair', 'first_in_first_out'] as const).map((order) =>
      outcomeAt(study, 1.5, order),
    );
    expect(fair!.jain).to.be.above(0.99);
    expect(fair!.worst).to.be.above(0.9);
    expect(plain!.worst).to.be.below(0.8);
    expect(fair!.delayWithinShare.p99).to.be.below(plain!.delayWithinShare.p50 / 5);
    // The order of the queue changes who waits, but not how much work is done.
    expect(fair!.perSecond).to.be.closeTo(plain!.perSecond, 0.02 * plain!.perSecond);
  });
});

describe('the load of a simulation', () => {
  it('has the requested rate and shares', () => {
    const shares = zipfShares(4, 1);
    const arrivals = drawArrivals({ seed: 3, runs: 50_000, perSecond: 100, shares, computeMs: (u) => u });
    expect(50_000 / (arrivals.at(-1)!.atMs / 1_000)).to.be.closeTo(100, 2);
    for (const [workspace, share] of shares.entries()) {
      const own = arrivals.filter((arrival) => arrival.workspace === workspace).length / 50_000;
      expect(own).to.be.closeTo(share, 0.01);
    }
    expect(mean(arrivals.map(({ computeMs }) => computeMs))).to.be.closeTo(0.5, 0.01);
  });

  it('is heavy-tailed: Zipf gives the first of 1,000 workspaces 13 %, and Pareto differs by seed', () => {
    expect(zipfShares(1_000, 1)[0]).to.be.closeTo(0.1336, 1e-4);
    expect(zipfShares(3, 0)).to.deep.equal([1 / 3, 1 / 3, 1 / 3]);
    const pareto = paretoShares(1_000, 1.2, 1);
    expect(pareto.reduce((sum, share) => sum + share, 0)).to.be.closeTo(1, 1e-9);
    expect(Math.max(...pareto)).to.be.above(0.02);
    expect(pareto).to.not.deep.equal(paretoShares(1_000, 1.2, 2));
  });
});

describe('the measures of fairness', () => {
  it("are Jain's index, which is 1 for equal values and 1 / n if one has everything", () => {
    expect(jainIndex([2, 2, 2])).to.be.closeTo(1, 1e-12);
    expect(jainIndex([0, 0, 5, 0])).to.be.closeTo(0.25, 1e-12);
    expect(jainIndex([])).to.equal(1);
    expect(jainIndex([1, 2, 3])).to.be.closeTo(36 / 42, 1e-12);
  });

  it('and max-min shares, which serve small demands in full and divide the rest in equal parts', () => {
    expect(maxMinShares([1, 5, 5], 7)).to.deep.equal([1, 3, 3]);
    expect(maxMinShares([5, 1, 2], 100)).to.deep.equal([5, 1, 2]);
    fc.assert(
      fc.property(fc.array(fc.nat(100), { minLength: 1 }), fc.nat(1_000), (demands, amount) => {
        const shares = maxMinShares(demands, amount);
        const given = shares.reduce((sum, share) => sum + share, 0);
        const demanded = demands.reduce((sum, demand) => sum + demand, 0);
        expect(given).to.be.closeTo(Math.min(amount, demanded), 1e-6);
        const level = Math.max(...shares);
        for (const [at, share] of shares.entries()) {
          expect(share).to.be.at.most(demands[at]!);
          // A share below the demand is the largest share.
          if (share < demands[at]! - 1e-9) expect(share).to.be.closeTo(level, 1e-6);
        }
      }),
    );
  });
});
