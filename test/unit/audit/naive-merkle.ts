import { createHash } from 'node:crypto';

/* A literal implementation of RFC 6962, section 2.1, on raw bytes, with which tests compare lib/audit. */

const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Returns the Merkle tree hash (MTH) of the leaves, as defined in RFC 6962, section 2.1. */
export function mth(leaves: readonly Buffer[]): Buffer {
  const n = leaves.length;
  if (n === 0) return hash();
  if (n === 1) return hash(Buffer.from([0x00]), leaves[0]!);
  const k = largestPowerBelow(n);
  return hash(Buffer.from([0x01]), mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

/** Returns the inclusion proof (PATH) of leaf m, as defined in RFC 6962, section 2.1.1. */
export function path(m: number, leaves: readonly Buffer[]): Buffer[] {
  const n = leaves.length;
  if (n === 1) return [];
  const k = largestPowerBelow(n);
  return m < k
    ? [...path(m, leaves.slice(0, k)), mth(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), mth(leaves.slice(0, k))];
}

/** Returns the consistency proof (PROOF) from size m, as defined in RFC 6962, section 2.1.2. */
export function proof(m: number, leaves: readonly Buffer[]): Buffer[] {
  return subproof(m, leaves, true);
}

function subproof(m: number, leaves: readonly Buffer[], b: boolean): Buffer[] {
  const n = leaves.length;
  if (m === n) return b ? [] : [mth(leaves)];
  const k = largestPowerBelow(n);
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), b), mth(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), mth(leaves.slice(0, k))];
}

function largestPowerBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
