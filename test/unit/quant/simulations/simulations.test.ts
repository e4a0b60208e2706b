import { expect } from 'chai';
import { prepareSimulation } from '#lib/quant/simulations/prepare-simulation.ts';
import { joinParts, runSimulation, simulatePart } from '#lib/quant/simulations/run-simulation.ts';
import { SimulationCancelled } from '#lib/quant/simulations/simulate-paths.ts';
import type { SimulationData } from '#lib/quant/simulations/simulation-data.ts';
import { pathRanges, simulationParts } from '#lib/quant/simulations/simulation-parts.ts';
import { exactOf } from '#lib/quant/simulations/simulation-setup.ts';
import type { SimulationInput } from '#lib/quant/simulations/simulations.schema.ts';
import { history, idle, prices, simulationOf } from './simulation-cases.ts';

const parametric: SimulationData = { kind: 'parametric' };
const past: SimulationData = { kind: 'history', prices };

function prepared(input: SimulationInput, data: SimulationData = parametric) {
  const found = prepareSimulation(input, data);
  if (!found.ok) throw new Error(found.refusal.detail);
  return found;
}

function run(changed: Partial<SimulationInput> = {}, data: SimulationData = parametric) {
  const input = simulationOf(changed);
  return runSimulation(input, prepared(input, data), idle);
}

/** Returns the result of a simulation whose paths are divided into parts of this many chunks. */
function divided(input: SimulationInput, found: ReturnType<typeof prepared>, chunks: number) {
  const capacity = 4096 * chunks;
  const ranges = Array.from({ length: Math.ceil(input.paths / capacity) }, (_, part) => ({
    first: part * capacity,
    count: Math.min(capacity, input.paths - part * capacity),
    capacity,
  }));
  const parts = ranges.map((range) => simulatePart(found, range, idle));
  const numbers = new Float64Array(parts.length * parts[0]!.length);
  for (const [place, part] of parts.entries()) numbers.set(part, place * part.length);
  return joinParts(input, found, { ranges, numbers, control: idle });
}

const full: Partial<SimulationInput> = {
  flows: [
    { from: 1, to: 24, amount_minor: -3_500_000, indexed: true },
    { from: 3, to: 3, amount_minor: 900_000, indexed: false },
  ],
  inflation: 0.03,
  fees_bps: 60,
  goals: [{ name: 'rest', at: 13, amount_minor: 60_000_000, real: true }],
  withdrawal: { solve: 0.9, from: 2, to: 20, indexed: true },
};

describe('A divided simulation', () => {
  it('has the same result as an undivided one for a parametric source with antithetic paths', () => {
    const input = simulationOf({ ...full, paths: 18_002, antithetic: true });
    const whole = runSimulation(input, prepared(input), idle);
    for (const chunks of [1, 2, 3]) expect(divided(input, prepared(input), chunks)).to.deep.equal(whole);
    expect(whole.ruin.probability).to.be.greaterThan(0);
  });

  it('has the same result as an undivided one for a bootstrap with weights that drift within a band', () => {
    const input = simulationOf({
      ...full,
      source: history,
      assets: ['AAA', 'BBB'],
      rebalance: 'band',
      band: 0.02,
    });
    expect(divided(input, prepared(input, past), 2)).to.deep.equal(
      runSimulation(input, prepared(input, past), idle),
    );
  });

  it('has the same result as an undivided one if quantiles come from bucket counts, which are exact to their resolution', () => {
    const input = simulationOf(full);
    const found = prepared(input);
    const exact = runSimulation(input, found, idle);
    const counted = { ...found, setup: { ...found.setup, exact: { fan: false, figures: false } } };
    const whole = runSimulation(input, counted, idle);
    expect(whole.fan_resolution).to.equal(2 ** -11);
    expect(exact.fan_resolution).to.equal(0);
    expect(divided(input, counted, 1)).to.deep.equal(whole);
    const figures = ({ fan, terminal, withdrawal, drawdown }: typeof whole) => [
      ...fan.flatMap(({ quantiles_minor }) => quantiles_minor),
      ...terminal.quantiles.map(({ value_minor }) => value_minor),
      ...terminal.tails.map(({ mean_minor }) => mean_minor),
      withdrawal!.amount_minor,
      ...drawdown.quantiles.map(({ value }) => value),
    ];
    const values = figures(whole);
    for (const [at, value] of figures(exact).entries())
      expect(Math.abs(values[at]! - value!)).to.be.at.most(2 ** -11 * value! + 1, `figure ${at}`);
    expect(whole.terminal.mean_minor).to.equal(exact.terminal.mean_minor);
  });

  it('has exact quantiles by month up to 24 million cells, and exact terminal figures up to a million paths', () => {
    expect(exactOf(400_000, 60)).to.deep.equal({ fan: true, figures: true });
    expect(exactOf(400_001, 60)).to.deep.equal({ fan: false, figures: true });
    expect(exactOf(1_000_001, 1)).to.deep.equal({ fan: true, figures: false });
  });

  it('has parts that consist of whole chunks and together cover all paths', () => {
    const assets = ['a', 'b'];
    expect(simulationParts({ paths: 100_000, horizon: 120, assets })).to.equal(null);
    for (const paths of [100_001, 777_777, 10_000_000]) {
      const ranges = pathRanges({ paths, horizon: 120, assets });
      expect(simulationParts({ paths, horizon: 120, assets })).to.have.length(ranges.length);
      expect(ranges.length).to.be.within(2, 16);
      let next = 0;
      for (const { first, count, capacity } of ranges) {
        expect([first, first % 4096, capacity % 4096]).to.deep.equal([next, 0, 0]);
        expect(count).to.be.within(1, capacity);
        next += count;
      }
      expect(next).to.equal(paths);
    }
  });
});

describe('A simulation', () => {
  it('agrees with the exact mean and deviation of a portfolio of two assets', () => {
    const { terminal, closed_form: form } = run({ fees_bps: 120 });
    expect(Math.abs(terminal.mean_minor! - form!.mean_minor!)).to.be.below(4 * terminal.mean_error_minor!);
    expect(Math.abs(terminal.standard_deviation_minor! - form!.standard_deviation_minor!)).to.be.below(
      4 * terminal.standard_deviation_error_minor!,
    );
    expect([form!.quantiles, form!.goals]).to.deep.equal([null, null]);
  });

  it('agrees with the exact mean of every kind of bootstrap', () => {
    for (const method of ['independent', 'circular', 'stationary'] as const) {
      const {
        terminal,
        closed_form: form,
        history: months,
      } = run({ source: { ...history, method, block: 7 }, assets: ['AAA', 'BBB'] }, past);
      expect(Math.abs(terminal.mean_minor! - form!.mean_minor!), method).to.be.below(
        4 * terminal.mean_error_minor!,
      );
      expect(months).to.include({ months: 60, block: method === 'independent' ? null : 7 });
    }
  });

  it('has a closed form only if there are no flows and the weights are reset to the same targets', () => {
    expect(run({ rebalance: 'yearly' }).closed_form).to.equal(null);
    expect(run(full).closed_form).to.equal(null);
    const glide = [
      { month: 1, weights: [1, 0] },
      { month: 24, weights: [0, 1] },
    ];
    expect(run({ glide }).closed_form).to.equal(null);
  });

  it('has a smaller standard error of the mean with antithetic paths', () => {
    const [plain, mirrored] = [run(), run({ antithetic: true })];
    expect(mirrored.terminal.mean_error_minor!).to.be.below(plain.terminal.mean_error_minor! / 3);
    const apart = Math.abs(mirrored.terminal.mean_minor! - mirrored.closed_form!.mean_minor!);
    expect(apart).to.be.below(4 * mirrored.terminal.mean_error_minor!);
  });

  it('has thicker tails with a Student t distribution of the same variance', () => {
    const normal = run({ horizon: 1, paths: 60_000 });
    const student = run({
      horizon: 1,
      paths: 60_000,
      source: { ...(simulationOf().source as object), law: 'student_t', degrees: 3 } as never,
    });
    expect(student.terminal.tails[1]!.mean_minor!).to.be.below(normal.terminal.tails[1]!.mean_minor!);
    const q25 = (result: typeof normal) => result.terminal.quantiles[2]!.value_minor!;
    expect(q25(student)).to.be.greaterThan(q25(normal));
  });

  it('finds the largest withdrawal that the required share of the paths can pay', () => {
    const withdrawal = { solve: 0.9, from: 1, to: 24, indexed: false };
    const { amount_minor: amount, interval_minor: interval } = run({ withdrawal }).withdrawal!;
    expect(interval[0]!).to.be.below(amount!);
    expect(interval[1]!).to.be.above(amount!);
    const ruinAt = (each: number) =>
      run({ flows: [{ from: 1, to: 24, amount_minor: -each, indexed: false }] }).ruin;
    expect(ruinAt(amount!).probability).to.be.at.most(0.1);
    expect(ruinAt(amount! + 2).probability).to.be.greaterThan(0.0999);
    expect(ruinAt(Math.ceil(amount! * 1.01)).probability).to.be.greaterThan(0.1);
  });

  it('reports a withdrawal of 0 if the flows alone ruin too many paths', () => {
    const flows = [{ from: 1, to: 24, amount_minor: -6_000_000, indexed: false }];
    const withdrawal = { solve: 0.9, from: 1, to: 24, indexed: false };
    expect(run({ flows, withdrawal }).withdrawal!.amount_minor).to.equal(0);
  });

  it('reports the cumulative probability of ruin by month, and the withdrawals that were not paid', () => {
    const { ruin } = run({ flows: [{ from: 1, to: 24, amount_minor: -4_400_000, indexed: false }] });
    expect(ruin.months.at(-1)).to.include({ probability: ruin.probability });
    expect(ruin.shortfall_minor!).to.be.within(1, 24 * 4_400_000);
    const certain = run({ flows: [{ from: 2, to: 2, amount_minor: -900_000_000, indexed: false }] }).ruin;
    expect(certain.months).to.have.length(1);
    expect(certain.probability).to.equal(1);
    expect(certain.shortfall_minor! + 100_000_000).to.be.closeTo(900_000_000, 3_000_000);
  });

  it('stops after a cancellation', () => {
    const input = simulationOf({ paths: 10_000_000, horizon: 600 });
    let calls = 0;
    const control = { progress: () => {}, cancelled: () => (calls += 1) > 3 };
    expect(() => runSimulation(input, prepared(input), control)).to.throw(SimulationCancelled);
  });

  it('reports progress from 0 to 1 that never decreases', () => {
    const input = simulationOf();
    let last = 0;
    const progress = (share: number) => {
      expect(share).to.be.within(last, 1);
      last = share;
    };
    runSimulation(input, prepared(input), { ...idle, progress });
    expect(last).to.be.greaterThan(0.9);
  });
});

describe('prepareSimulation', () => {
  const refusalOf = (changed: Partial<SimulationInput>, data: SimulationData = past) => {
    const found = prepareSimulation(
      simulationOf({ assets: ['AAA', 'BBB'], source: history, ...changed }),
      data,
    );
    return found.ok ? undefined : found.refusal;
  };

  it('refuses a singular covariance, a block longer than the history, and a short history', () => {
    const source = {
      ...simulationOf().source,
      covariance: [
        [0.04, 0.04],
        [0.04, 0.04],
      ],
    } as never;
    expect(refusalOf({ source })).to.deep.include({ code: 'validation_failed' });
    expect(refusalOf({ source })!.members['errors']).to.have.nested.property(
      '[0].pointer',
      '/source/covariance',
    );
    const long = refusalOf({ source: { ...history, block: 61 } as never });
    expect(long!.members['errors']).to.have.nested.property('[0].pointer', '/source/block');
    expect(refusalOf({ source: { ...history, block: 60 } as never })).to.equal(undefined);
    const short = prices.map((each) => ({
      ...each,
      observations: each.observations.split(',').slice(-20).join(','),
    }));
    expect(refusalOf({}, { kind: 'history', prices: short })!.members).to.include({
      observed: 19,
      needed: 24,
    });
    expect(refusalOf({ assets: ['AAA', 'ZZZ'] })!.members).to.include({ observed: 0 });
  });
});
