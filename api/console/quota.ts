import type { Clock } from '#lib/core/clock.ts';

/** The largest number of persons whose requests are counted at the same time. */
const PERSONS_MAX = 10_000;
const MINUTE_MS = 60_000;

/**
 * Counts a request of a person. Returns the seconds until the next request is accepted; undefined if it is accepted
 * now.
 */
export type Quota = (person: string, perMinute: number) => number | undefined;

/**
 * Returns the quota of requests a person and minute, as a bucket that refills steadily. It is counted in this process,
 * because a deployment runs one console.
 */
export function createQuota(clock: Clock): Quota {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return (person, perMinute) => {
    const nowMs = clock.now().getTime();
    const { left, atMs } = buckets.get(person) ?? { left: perMinute, atMs: nowMs };
    const available = Math.min(perMinute, left + ((nowMs - atMs) / MINUTE_MS) * perMinute);
    buckets.delete(person); // the persons are kept in the order of their last requests
    buckets.set(person, { left: available < 1 ? available : available - 1, atMs: nowMs });
    if (buckets.size > PERSONS_MAX) buckets.delete(buckets.keys().next().value!);
    return available < 1 ? Math.ceil(((1 - available) / perMinute) * 60) : undefined;
  };
}
