import { scenarioParts } from '#lib/models/scenarios/scenario-parts.ts';
import scenarios from '#workers/models/scenarios.ts';
import { sharedDoubles } from '#workers/process/shared-numbers.ts';
import { openThreads, type Threads } from '#workers/process/threads.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { oneRegime, scenarioOf } from './one-regime.ts';
import { monthlyReturns } from './returns.ts';

const NONE = new Float64Array(0);
const { compute } = scenarios;
const FACTORS = 10;
const SAMPLES = { full: 1_000_000, tiny: 20_001 };
const ROUNDS = { full: 3, tiny: 1 };
/** The engines, each with its degrees of freedom. */
const engines = {
  gaussian: null,
  student_t: 6,
  filtered_historical: null,
  t_copula_empirical: 6,
} as const;

/**
 * Measures how much faster two threads of a worker compute scenarios than one thread. The number of samples
 * is larger than the API allows. The parts and the code are the same as in the service, but queue and
 * database are not used. The measure is wall-clock time, so the measurement needs two free processors.
 */
export async function dividedComputations(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const checkpoint = oneRegime(FACTORS);
  const samples = SAMPLES[size];
  const parts = scenarioParts({ samples, engine: 't_copula_empirical' })!;
  const data = { checkpoint, months: monthlyReturns() };
  const [one, two] = [openThreads(1), openThreads(2)];
  const rows: Row[] = [];
  try {
    for (const [engine, degrees] of Object.entries(engines)) {
      notify(`${samples} samples by ${engine} in ${parts.length} parts`);
      const input = { ...scenarioOf(checkpoint, samples), engine, degrees_of_freedom: degrees };
      const outcomeOf = async (threads: Threads, task: Parameters<Threads['run']>[3]) => {
        const outcome = await threads.run(compute, input, data, task).outcome;
        if (!outcome.ok) throw new Error(outcome.refusal.detail);
        return outcome;
      };
      const results = new Set<string>();
      const perSecond = async (threads: Threads) => {
        const started = performance.now();
        const drawn = sharedDoubles(samples * FACTORS);
        const bytes = new Uint8Array(drawn.buffer);
        await Promise.all(
          parts.map(async (part) => {
            const computed = await outcomeOf(threads, { part, before: NONE });
            if (!('part' in computed)) throw new Error('a part was computed as a whole run');
            bytes.set(computed.part, part.first * FACTORS * Float64Array.BYTES_PER_ELEMENT);
          }),
        );
        const whole = await outcomeOf(threads, { drawn });
        if ('part' in whole) throw new Error('a whole run was computed as a part');
        results.add(JSON.stringify(whole.output));
        return samples / ((performance.now() - started) / 1_000);
      };
      /** Computes two runs without dividing them. Two threads share nothing but the memory and the processors. */
      const perSecondOfWhole = async (threads: Threads) => {
        const started = performance.now();
        await Promise.all([outcomeOf(threads, undefined), outcomeOf(threads, undefined)]);
        return (2 * samples) / ((performance.now() - started) / 1_000);
      };
      const work = { subject: () => perSecond(two), peer: () => perSecond(one) };
      const whole = { subject: () => perSecondOfWhole(two), peer: () => perSecondOfWhole(one) };
      await interleave(1, work); // warms up
      const figures = await interleave(ROUNDS[size], work);
      if (results.size !== 1) throw new Error('the results differ');
      const label = `${samples.toLocaleString('en')} samples x ${FACTORS} factors by ${engine}`;
      const about = {
        bench,
        case: `${label}, computed in parts`,
        unit: 'samples/s',
        note: '2 threads against 1: parts drawn by any of them, combined and reported by one',
      };
      rows.push(ratioRow(about, figures, { min: 1.7 }));
      const aboutWhole = {
        ...about,
        case: `two runs of ${label}, not divided`,
        note: '2 threads against 1: the most that a division of the whole work could reach on this machine',
      };
      rows.push(ratioRow(aboutWhole, await interleave(ROUNDS[size], whole), null));
    }
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
  return rows;
}
