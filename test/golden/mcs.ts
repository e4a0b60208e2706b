import { circularBlocks, modelConfidenceSet } from '#lib/numerics/comparison/model-confidence-set.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';
import { asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-12;
const SEED = 7;

/**
 * Compares model confidence sets with a file. The case of fixed resamples is compared exactly. Runs of other
 * bootstraps are compared by the models that they include. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  const losses = asMembers(file['losses'], 'losses');
  const models = Object.keys(losses);
  const rows = models.map((model) => asList(losses[model], model).map((each) => asNumber(each, model)));
  const observations = rows[0]!.length;
  const steps = (reps: number, block: number) =>
    modelConfidenceSet(
      rows,
      Array.from({ length: reps }, (_, sample) =>
        circularBlocks(observations, block, uniforms(sample, Math.ceil(observations / block))),
      ),
    );
  if (file['fixed_index'] !== undefined) {
    const fixed = asMembers(file['fixed_index'], 'fixed_index');
    tally.case();
    const found = steps(asNumber(fixed['reps'], 'reps'), 6);
    for (const [at, value] of asList(fixed['steps'], 'steps').entries()) {
      const expected = asMembers(value, `steps[${at}]`);
      const step = found[at]!;
      tally.equal(`steps[${at}].model`, expected['model'], models[step.model]);
      tally.number(`steps[${at}].mcs_p`, asNumber(expected['mcs_p'], 'mcs_p'), step.setP, TOLERANCE);
      if (expected['t_R'] === undefined) continue;
      tally.number(`steps[${at}].t_R`, asNumber(expected['t_R'], 't_R'), step.statistic, TOLERANCE);
      tally.number(`steps[${at}].p`, asNumber(expected['p'], 'p'), step.p, TOLERANCE);
    }
  }
  for (const [at, value] of (file['runs'] === undefined ? [] : asList(file['runs'], 'runs')).entries()) {
    const run = asMembers(value, `runs[${at}]`);
    tally.case();
    const level = asNumber(run['alpha'], 'alpha');
    const found = steps(asNumber(run['reps'], 'reps'), asNumber(run['block'], 'block'));
    const included = found.filter(({ setP }) => setP > level).map(({ model }) => models[model]!);
    const expected = asList(run['included'], 'included').map((each) => asText(each, 'included'));
    tally.equal(`runs[${at}].included`, expected.sort().join(' '), included.sort().join(' '));
  }
  return tally.report;
}

/**
 * Returns `count` uniform numbers from the Philox domain of resampling. Each block has two uniforms, of which
 * the first is used as the start of a resampled block.
 */
function uniforms(sample: number, count: number): number[] {
  const words = new Uint32Array(4);
  return Array.from({ length: count }, (_, block) => {
    const counter = philoxCounter({ domain: PHILOX_DOMAINS.resampling, sample, block });
    philox4x32(counter, philoxKey(SEED), PHILOX_ROUNDS, words);
    return uniform52(words[0]!, words[1]!);
  });
}
