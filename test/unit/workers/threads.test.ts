import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { attachmentsText } from '#workers/process/formed-outcome.ts';
import { openThreads, type Threads } from '#workers/process/threads.ts';

const compute = new URL('../../support/counted-inputs.compute.ts', import.meta.url);
const attached = new URL('../../support/attached-input.compute.ts', import.meta.url);
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

  // The hash seals the attachment, and the text is stored: both must be those of the objects.
  it('returns each attachment with the hash of its object, and with the JSON of its object', async () => {
    const attachments = {
      ordered: { AAPL: [0.1, null, -2e-9], MSFT: [] },
      unordered: { z: 1, a: { 2: 'b', 10: 'ä"\u2028', y: undefined } },
      empty: null,
    };
    const outcome = await threads.run(attached, attachments as never, undefined).outcome;
    if (!('attachments' in outcome)) throw new Error('the computation has no attachments');
    for (const [name, value] of Object.entries(attachments))
      expect(outcome.attachments[name]!.hash, name).to.equal(canonicalHash(value));
    expect(attachmentsText(outcome.attachments)).to.equal(JSON.stringify(attachments));
  });
});
