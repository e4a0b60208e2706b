import { minorOf } from '#lib/investment/portfolio-scenarios/round-to-total.ts';
import { lowerFactor } from '#lib/numerics/scenario/lower-cholesky.ts';
import type { Allocation } from '#lib/numerics/simulation/portfolio-growth.ts';
import { cashPlan } from './cash-plan.ts';
import { lawForm, type ClosedForm } from './closed-form.ts';
import { lawGrowth } from './growth-source.ts';
import { historySource, historyTable, type Source } from './history-growth.ts';
import { modelGrowth } from './model-growth.ts';
import { indexGrowth, type IndexGrowth } from './price-index.ts';
import { portfolioWeights, type PortfolioValue } from './portfolio-weights.ts';
import type { SimulationData } from './simulation-data.ts';
import { firstMonthFault } from './simulation-faults.ts';
import { unfit, valueless, type SimulationRefusal } from './simulation-refusal.ts';
import type { SimulationResult } from './simulation-result.schema.ts';
import { exactOf, fanMonthsOf, slotsOf, type SimulationSetup } from './simulation-setup.ts';
import type { SimulationInput } from './simulations.schema.ts';
import { targetWeights } from './target-weights.ts';

/** Minimum share of an asset's variance that must be independent of the assets before it. */
const PIVOT_MIN = 1e-12;

/** Members that the result has only for some requests. */
type Shown = Pick<SimulationResult, 'portfolio' | 'inflation'>;

export type PreparedSimulation = {
  ok: true;
  setup: SimulationSetup;
  history: SimulationResult['history'];
  form: ClosedForm | null;
  shown: Shown;
};

type Refused = { ok: false; refusal: SimulationRefusal };

/**
 * Returns everything from which the paths of a request are simulated, or the refusal. The same input and
 * data give the same paths, to the bit.
 */
export function prepareSimulation(
  input: SimulationInput,
  data: SimulationData,
): PreparedSimulation | Refused {
  const { horizon, paths, antithetic } = input;
  const held = data.weights && portfolioWeights(data.weights, input.assets);
  if (held && 'code' in held) return refuse(held);
  const glide = held ? [{ month: 1, weights: held.weights }] : input.glide;
  const allocation: Allocation = {
    assets: input.assets.length,
    targets: targetWeights(glide, horizon),
    rebalancing: input.rebalance,
    band: input.band ?? 0,
    fee: 1 - input.fees_bps / 120_000,
  };
  const index = indexOf(input, data);
  if (index && 'code' in index) return refuse(index);
  const source = sourceOf(input, data, allocation);
  if ('code' in source) return refuse(source);
  const value = held ?? source.value;
  const initial = initialOf(input, value);
  if (typeof initial !== 'number') return refuse(initial);
  const { goals, flows, units, invested } = cashPlan(input, {
    initial,
    inflation: index?.annual ?? (input.inflation as number),
  });
  const fanMonths = fanMonthsOf(horizon);
  const slots = slotsOf(horizon, fanMonths, goals);
  return {
    ok: true,
    setup: {
      paths,
      horizon,
      antithetic,
      draw: source.draw,
      plan: { initial, flows, units, slots },
      goals,
      fanMonths,
      exact: exactOf(paths, fanMonths.length),
      invested,
    },
    history: source.history,
    form: flows.every((flow) => flow === 0) ? source.form : null,
    shown: {
      ...(value && {
        portfolio: {
          currency: value.currency,
          value_minor: minorOf(Number(value.valueMinor)),
          ...(held && { weights: held.weights }),
        },
      }),
      ...(index && { inflation: index }),
    },
  };
}

function refuse(refusal: SimulationRefusal): Refused {
  return { ok: false, refusal };
}

function indexOf(
  { inflation }: SimulationInput,
  { index }: SimulationData,
): IndexGrowth | SimulationRefusal | null {
  if (typeof inflation === 'number') return null;
  return indexGrowth(index ?? [], inflation.years!);
}

/** Returns the initial wealth that the request states, or else the value of its portfolio. */
function initialOf(
  { initial_minor: initial, flows }: SimulationInput,
  value: PortfolioValue | undefined,
): number | SimulationRefusal {
  if (initial !== null) return initial;
  if (!value || value.valueMinor <= 0n) return valueless();
  const fault = firstMonthFault(flows, Number(value.valueMinor));
  return fault ? unfit(fault.pointer, fault.code, fault.message) : Number(value.valueMinor);
}

function sourceOf(
  input: SimulationInput,
  data: SimulationData,
  allocation: Allocation,
): Source | SimulationRefusal {
  const { source, seed, horizon, antithetic } = input;
  switch (source.kind) {
    case 'parametric': {
      const lower = factorOf(source.covariance);
      if (!lower)
        return unfit(
          '/source/covariance',
          'not_positive_definite',
          'is not positive definite: an asset is a combination of the others, or has no variance',
        );
      const law = { means: Float64Array.from(source.means), lower, degrees: source.degrees };
      const draw = lawGrowth(law, { allocation, seed, horizon, antithetic });
      return { draw, history: null, form: lawForm(source, allocation, horizon) };
    }
    case 'history': {
      const table = historyTable(data, source, input.assets);
      if ('code' in table) return table;
      const found = historySource({ ...input, source }, table, allocation);
      const { valueMinor, currency = null } = table;
      return 'code' in found || valueMinor === undefined
        ? found
        : { ...found, value: { valueMinor, currency } };
    }
    case 'model':
      if (data.kind !== 'model') throw new Error('the checkpoint of the model was not loaded');
      return { draw: modelGrowth(data, { source, allocation, seed, horizon }), history: null, form: null };
  }
}

/**
 * Returns the lower Cholesky factor of a covariance, or null if an asset is nearly a combination of the
 * assets before it.
 */
function factorOf(covariance: readonly (readonly number[])[]): Float64Array | null {
  const size = covariance.length;
  const lower = lowerFactor(Float64Array.from(covariance.flat()), size);
  const isRegular = lower?.every((each, at) => {
    const row = Math.floor(at / size);
    return at !== row * size + row || each * each > PIVOT_MIN * covariance[row]![row]!;
  });
  return isRegular ? lower : null;
}
