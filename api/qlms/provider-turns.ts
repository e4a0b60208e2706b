import { pollUntil } from '#lib/core/poll.ts';
import { askProvider, readTold } from '#lib/qlms/provider/provider-call.write.ts';
import { ProviderNeeded, type Turn, type Turns } from '#lib/qlms/provider/turns.ts';
import type { ProviderRequest } from '#lib/qlms/provider/request.ts';
import type { Services } from '../services.ts';

const POLL_MS = 50;

/**
 * Attempts a change until no provider is needed any more. An attempt that needs a provider is rolled back. The request
 * is then stored for a worker, which makes the call, and the change is attempted again with the answer. Without an
 * answer in time, the attempt goes on without the provider. `waitMs` is the wait that the caller prefers; it only shortens
 * the wait.
 */
export async function withProvider<R>(
  services: Services,
  waitMs: number | undefined,
  attempt: (turns: Turns) => Promise<R>,
): Promise<R> {
  const forMs = Math.min(waitMs ?? services.providerWaitMs, services.providerWaitMs);
  let turns: Turns = {};
  for (;;) {
    try {
      return await attempt(turns);
    } catch (error) {
      if (!(error instanceof ProviderNeeded)) throw error;
      const { request } = error;
      // Each request is made once, so a needed request that was made would never end.
      if (turns[request.purpose]) throw error;
      turns = { ...turns, [request.purpose]: await turnOf(services, request, forMs) };
    }
  }
}

async function turnOf(services: Services, request: ProviderRequest, forMs: number): Promise<Turn> {
  const uid = await services.query(askProvider, request, services.clock.now());
  if (uid === undefined) return { code: 'too_many_waiting' };
  await pollUntil(
    () => services.query(readTold, uid),
    (told) => told !== undefined || services.signal.aborted,
    { everyMs: POLL_MS, forMs },
  );
  return { uid };
}
