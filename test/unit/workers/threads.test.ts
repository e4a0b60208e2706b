import { expect } from 'chai';
import { openThreads, type Threads } from '#workers/process/threads.ts';

const compute = new URL('../../support/counted-inputs.compute.ts', import.meta.url);
const part = { part: { round: 0, first: 0, count: 1 }, before: new Float64Array(0) };

describe('a thread', () => {
  let threads: Threads;
  before(() => (threads = openThreads(1)));
  after(() => threads.close());

  /** Computes a task of a run, or of a run that is not divided, and returns how often its input was used. */
  const timesUsed = async (run: string | undefined): Promise<unknown> => {
    const name = run ?? 'undivided';
    const divided = run === undefined ? undefined : { ...part, uid: run };
    const outcome = await threads.run(compute, { data: name } as never, { name }, divided).outcome;
    if (!('output' in outcome)) throw new Error('the computation has no output');
    const { times, isOwn } = outcome.output.result as { times: number; isOwn: boolean };
    expect(isOwn).to.equal(true);
    return times;
  };

  it('uses the same input and data for successive parts of a run, and for no other run', async () => {
    expect(await timesUsed('one')).to.equal(1);
    expect(await timesUsed('one')).to.equal(2);
    expect(await timesUsed('other')).to.equal(1);
    expect(await timesUsed('one')).to.equal(1);
    expect(await timesUsed(undefined)).to.equal(1);
    expect(await timesUsed(undefined)).to.equal(1);
  });
});
