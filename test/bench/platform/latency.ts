import { requestsPerSecond } from '../load.ts';
import type { Size } from '../bench.ts';

const SLICE_MS = { full: 1_000, tiny: 50 };

/** Returns how long one client waits for an answer, in milliseconds: the mean over a slice of time. */
export async function latencyOf(
  size: Size,
  request: Pick<Parameters<typeof requestsPerSecond>[0], 'url' | 'method' | 'status' | 'headers' | 'body'>,
): Promise<number> {
  return 1_000 / (await requestsPerSecond({ ...request, clients: 1, forMs: SLICE_MS[size] }));
}
