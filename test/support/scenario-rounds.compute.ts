import type { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { scenarioPart } from '#lib/models/scenarios/scenario-run.ts';
import { scenarioOutcome } from '#workers/models/scenarios.compute.ts';
import type { LoadedScenarios } from '#workers/models/scenarios.ts';
import { computeInRounds } from '#workers/process/rounds.ts';
import { divideInRounds, roundsOfScenarios } from './scenario-rounds.ts';

export const divide = divideInRounds;

/**
 * Computes scenarios in rounds. Each part draws the samples before its round again and fails if it received other
 * numbers.
 */
export const compute = computeInRounds<typeof scenariosRun, LoadedScenarios>(
  { divide, rounds: roundsOfScenarios },
  {
    part(input, { checkpoint, months }, { part, before, control }) {
      const samplesOf = (range: { first: number; count: number }): Float64Array => {
        const drawn = scenarioPart(input, checkpoint, { months, control, part: range });
        if (!drawn.ok) throw new Error(drawn.detail);
        return drawn.matrix;
      };
      const count = before.length / checkpoint.factors.length;
      if (count > 0 && samplesOf({ first: 0, count }).some((each, at) => each !== before[at]))
        throw new Error('the part received other numbers than those of the earlier rounds');
      return samplesOf(part);
    },
    merge(input, data, { numbers, control }) {
      const outcome = scenarioOutcome(input, data, control, { drawn: numbers });
      if ('part' in outcome && outcome.part) throw new Error('the merge returned a part');
      return outcome;
    },
  },
);
