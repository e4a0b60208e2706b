import type { Control } from '#lib/core/run.ts';
import { portfolioScenarios } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.ts';
import { scenarioInputOf } from '#lib/investment/portfolio-scenarios/scenario-data.ts';
import { SYMBOLS_MAX } from '#lib/investment/portfolio-scenarios/scenario-limits.ts';
import { tooLarge } from '#lib/investment/portfolio-scenarios/scenario-refusal.ts';
import { pathRun } from '#lib/models/scenarios/path-run.ts';
import { scenarioPart } from '#lib/models/scenarios/scenario-run.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './portfolio-scenarios.ts';
import type { LoadedSamples } from './portfolio-scenarios.ts';

/** The share of the progress that drawing the samples again accounts for. */
const DRAWN = 0.3;

export const compute: ComputationOf<typeof runner> = (_input, { data, samples, symbols }, control) => {
  const matrix = matrixOf(samples, control);
  if (symbols > SYMBOLS_MAX)
    return refused(tooLarge(symbols, (symbols * matrix.length) / data.run.factors.length));
  const found = scenarioInputOf(data, matrix);
  if (found.state === 'inconsistent')
    return { ok: false, refusal: { code: 'portfolio_inconsistent', detail: found.detail } };
  const outcome = portfolioScenarios(found.input, (share) => control.progress(DRAWN + (1 - DRAWN) * share));
  if (!outcome.ok) return refused(outcome.refusal);
  return { ok: true, output: { result: outcome.result }, attachments: {} };
};

function refused({ code, detail, members }: ReturnType<typeof tooLarge>) {
  if (code === 'exposure_invalid') throw new Error('the exposures were checked when the run was requested');
  return { ok: false as const, refusal: { code, detail, members } };
}

/**
 * Returns the stored samples. If they were not stored, draws the samples again. `portfolioScenarios` then
 * compares their hash with the hash of the consumed run.
 */
function matrixOf(samples: LoadedSamples, control: Control): Float64Array {
  if (samples.kept) {
    // A `Float64Array` needs an aligned offset, and the bytes may begin at any offset of their buffer. They
    // are therefore copied.
    const bytes = Uint8Array.from(samples.kept);
    return new Float64Array(bytes.buffer, 0, bytes.length >> 3);
  }
  const { input, checkpoint, months } = samples;
  const part = { progress: (share: number) => control.progress(DRAWN * share) };
  if ('paths' in input) return pathRun(input, checkpoint, part).matrix;
  const drawn = scenarioPart(input, checkpoint, {
    months,
    control: part,
    part: { first: 0, count: input.samples },
  });
  if (!drawn.ok) throw new Error('the sealed run was refused when its samples were drawn again');
  return drawn.matrix;
}
