import { expect } from 'chai';
import { withProvider } from '#api/qlms/provider-turns.ts';
import { ProviderNeeded, type Turns } from '#lib/qlms/provider/turns.ts';
import type { ProviderRequest } from '#lib/qlms/provider/request.ts';

const request = { purpose: 'qlm_planner', messagesHash: 'f' } as ProviderRequest;

/** Services whose provider never answers. They count the reads of the answer. */
function silent(providerWaitMs: number) {
  const counted = { reads: 0 };
  const query = async (...[, given]: unknown[]) => {
    if (given === request) return 'qlc_1';
    counted.reads += 1;
    return undefined;
  };
  const services = {
    clock: { now: () => new Date(0) },
    signal: new AbortController().signal,
    query,
    providerWaitMs,
  };
  return { counted, services: services as unknown as Parameters<typeof withProvider>[0] };
}

const attempt = async (turns: Turns): Promise<Turns> => {
  if (!turns.qlm_planner) throw new ProviderNeeded(request);
  return turns;
};

describe('The wait of a question for a provider', () => {
  it('ends at the configured time, and the question goes on without an answer', async () => {
    const { counted, services } = silent(120);
    expect(await withProvider(services, undefined, attempt)).to.deep.equal({ qlm_planner: { uid: 'qlc_1' } });
    expect(counted.reads).to.be.within(1, 5);
  });

  it('is shortened by the preference of the caller, and not extended', async function () {
    this.timeout(10_000);
    const long = silent(3_600_000);
    await withProvider(long.services, 0, attempt);
    expect(long.counted.reads).to.be.within(1, 2);
    const short = silent(120);
    await withProvider(short.services, 3_600_000, attempt);
    expect(short.counted.reads).to.be.within(1, 5);
  });
});
