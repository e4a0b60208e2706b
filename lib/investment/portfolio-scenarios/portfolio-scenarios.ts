import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { fitsTheWire } from '#lib/core/money.ts';
import { ascendingOrder } from '#lib/numerics/risk/euler-coefficients.ts';
import { specificUniforms } from '#lib/numerics/scenario/draw-specific.ts';
import { portfolioProfits } from './portfolio-profits.ts';
import { factorContributions, positionContributions } from './position-contributions.ts';
import { factorParts, type MappedPosition, profitFunction } from './position-profit.ts';
import { prepareScenarios } from './prepared-scenarios.ts';
import { meanAndDeviation, profitStatistics } from './profit-statistics.ts';
import { roundToTotal, minorOf } from './round-to-total.ts';
import { mappedTable, mappingShares } from './mapped-table.ts';
import type { PortfolioScenarioInput } from './scenario-input.ts';
import { factorFigures, groupFigures, positionFigures } from './scenario-figures.ts';
import { type PortfolioScenarioRefusal, samplesAltered } from './scenario-refusal.ts';
import type { PortfolioScenarioResult } from './scenario-result.schema.ts';
import { valueDrawdowns } from './value-drawdowns.ts';

const RECIPE = 'portfolio-scenarios/1 rng-philox4x32-10/1';

export type PortfolioScenarioOutcome =
  | { ok: true; result: PortfolioScenarioResult }
  | { ok: false; refusal: PortfolioScenarioRefusal };

/**
 * Applies the samples of a scenario or path run to a portfolio. Returns the profit and loss in minor units,
 * its tail, and the contribution of each position.
 *
 * The function is pure and reproducible to the bit. The order of the positions does not matter. Samples whose
 * hash differs from the hash of the run are refused first. Positions without an exposure, and cash, keep
 * their value. `PortfolioScenarioRefusal` lists the refusals. Throws in the same cases as `prepareScenarios`.
 */
export function portfolioScenarios(
  input: PortfolioScenarioInput,
  progress: (share: number) => void = () => {},
): PortfolioScenarioOutcome {
  const { run, matrix, options } = input;
  const samplesHash = sha256(bytesOf(matrix));
  if (samplesHash !== run.samples_hash)
    return { ok: false, refusal: samplesAltered(run.samples_hash, samplesHash) };
  const found = prepareScenarios(input);
  if (!found.ok) return found;
  const { prepared } = found;
  const { holdings, exposures, samples, valueMinor } = prepared;
  const mapped = holdings.flatMap((holding, at) => {
    const exposure = exposures[at]!;
    return exposure.kind === 'unmapped' ? [] : [{ holding, exposure }];
  });
  const positions = mapped.map(({ holding, exposure }): MappedPosition => ({
    value: Number(holding.valueMinor!),
    instrument: holding.instrument,
    exposure,
  }));
  const draws = { specific: options.specific, uniform: specificUniforms(run.seed) };
  const profitOf = profitFunction(samples, draws);
  const { byMonth, means } = portfolioProfits(positions, samples, profitOf, (share) => progress(0.8 * share));
  const profits = byMonth.at(-1)!;
  const order = ascendingOrder(profits);
  const divided = { profits, order, levels: options.levels };
  const contributions = positionContributions(positions, divided, { samples, profitOf });
  const byFactor = options.byFactor
    ? factorContributions(positions, divided, { samples, addParts: factorParts(samples, draws) })
    : null;
  const total = profitStatistics(profits, options.levels);
  const rows = positionFigures(mapped, {
    contributions,
    means: roundToTotal(means, meanAndDeviation(profits).mean),
  });
  const statistics = {
    currency: prepared.currency,
    value_minor: fitsTheWire(valueMinor) ? Number(valueMinor) : null,
    samples: samples.count,
    horizon: run.horizon,
    total,
    positions: rows,
    ...(byFactor && { factors: factorFigures(run.factors, byFactor) }),
    groups: options.groups === null ? null : groupFigures(mapped, rows),
    worst: worstSamples(input, { profits, order, months: samples.months }),
    mapped: mappedTable(holdings, exposures, run.factors),
    mapping: mappingShares(holdings, exposures),
    months:
      run.horizon === null
        ? null
        : byMonth.map((each, month) => ({ month: month + 1, ...profitStatistics(each, options.levels) })),
    maximum_drawdown: run.horizon === null ? null : valueDrawdowns(byMonth, Number(valueMinor)),
  };
  progress(1);
  return {
    ok: true,
    result: {
      portfolio: input.portfolio,
      as_of: input.asOf,
      scenario_run: run.uid,
      ...statistics,
      hashes: hashesOf(input, profits, statistics),
    },
  };
}

function worstSamples(
  { matrix, run, options }: PortfolioScenarioInput,
  { profits, order, months }: { profits: Float64Array; order: Uint32Array; months: number },
) {
  const size = run.factors.length;
  return Array.from(order.subarray(0, options.worst), (sample) => ({
    sample,
    profit_minor: minorOf(profits[sample]!),
    factors: run.factors.map((factor, place) => ({
      factor,
      log_return: matrix[((sample + 1) * months - 1) * size + place]!,
    })),
  }));
}

function hashesOf({ run }: PortfolioScenarioInput, profits: Float64Array, statistics: unknown) {
  const parts = {
    consumed_run_hash: run.run_hash,
    samples_hash: run.samples_hash,
    profits_hash: sha256(bytesOf(profits)),
    statistics_hash: canonicalHash(statistics),
  };
  return { ...parts, run_hash: canonicalHash({ ...parts, recipe: RECIPE }) };
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
