import { Matrix } from 'ml-matrix';
import { drawCopula } from '#lib/numerics/scenario/draw-copula.ts';
import { drawMixture } from '#lib/numerics/scenario/draw-mixture.ts';
import { drawRows } from '#lib/numerics/scenario/draw-rows.ts';
import { drawScenarios, type ScenarioLaw, type ScenarioPart } from '#lib/numerics/scenario/draw-scenarios.ts';
import { weightedValues } from '#lib/numerics/weighted-quantile.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { regimeMonths } from './regime-months.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/** The inputs from which samples are drawn. */
export type ScenarioSource = {
  checkpoint: Checkpoint;
  /** Probability of each regime. */
  probabilities: readonly number[];
  /** The distribution in each regime; null for a regime with probability 0. */
  laws: readonly (ScenarioLaw | null)[];
  /** Returns of the training months, row by row; null if the engine does not need them. */
  months: Float64Array | null;
};

type Draw = (part: ScenarioPart) => Float64Array;

/**
 * Returns a function that draws any part of the samples with the engine of a run. The samples do not depend on how they
 * are divided into parts.
 */
export function engineDraw(engine: ScenarioInput['engine'], source: ScenarioSource): Draw {
  const { checkpoint, probabilities, laws } = source;
  const mixed = (drawOf: (law: ScenarioLaw, place: number) => Draw): Draw => {
    const parts = laws.flatMap((law, place) =>
      law ? [{ draw: drawOf(law, place), probability: probabilities[place]! }] : [],
    );
    return (part) => drawMixture(parts, part);
  };
  if (engine === 'gaussian' || engine === 'student_t')
    return mixed((law) => (part) => drawScenarios(law, part));
  const { months } = source;
  if (!months) throw new Error(`the engine ${engine} needs the data of the training months`);
  const size = checkpoint.factors.length;
  const weights = regimeMonths(checkpoint, months);
  const rows = Matrix.from1DArray(months.length / size, size, months);
  if (engine === 'filtered_historical') {
    const blended = weights[0]!.map((_, month) =>
      probabilities.reduce((total, share, place) => total + share * weights[place]![month]!, 0),
    );
    return (part) => drawRows({ rows, weights: blended }, part);
  }
  return mixed((law, place) => {
    const margins = Array.from({ length: size }, (_, factor) =>
      weightedValues(rows.getColumn(factor), weights[place]!),
    );
    return (part) => drawCopula(law, margins, part);
  });
}
