import { drawCopula } from '#lib/numerics/scenario/draw-copula.ts';
import { drawMixture } from '#lib/numerics/scenario/draw-mixture.ts';
import { drawRows } from '#lib/numerics/scenario/draw-rows.ts';
import { drawScenarios, type ScenarioLaw, type ScenarioPart } from '#lib/numerics/scenario/draw-scenarios.ts';
import { weightedValues } from '#lib/numerics/weighted-quantile.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { regimeMonths } from './regime-months.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/** What samples are drawn from. */
export type ScenarioSource = {
  checkpoint: Checkpoint;
  /** Of each regime. */
  probabilities: readonly number[];
  /** The law in each regime; null where it is not possible. */
  laws: readonly (ScenarioLaw | null)[];
  /** Returns of the months that the model was trained on, row by row; null where the engine does without. */
  months: Float64Array | null;
};

type Draw = (part: ScenarioPart) => Float64Array;

/** How the engine of a run draws any part of its samples: no number depends on how they are divided. */
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
  if (!months) throw new Error(`the engine ${engine} needs the months of the training`);
  const size = checkpoint.factors.length;
  const weights = regimeMonths(checkpoint, months);
  if (engine === 'filtered_historical') {
    const blended = weights[0]!.map((_, month) =>
      probabilities.reduce((total, share, place) => total + share * weights[place]![month]!, 0),
    );
    return (part) => drawRows({ rows: months, dimensions: size, weights: blended }, part);
  }
  return mixed((law, place) => {
    const margins = Array.from({ length: size }, (_, factor) =>
      weightedValues(
        months.filter((__, at) => at % size === factor),
        weights[place]!,
      ),
    );
    return (part) => drawCopula(law, margins, part);
  });
}
