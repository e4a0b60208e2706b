import { createHash } from 'node:crypto';

/* Implements RFC 6962, section 2.1, literally and on raw bytes, as the second implementation to compare with. */

const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Returns MTH as defined in RFC 6962, section 2.1. */
export function mth(leaves: readonly Buffer[]): Buffer {
  const n = leaves.length;
  if (n === 0) return hash();
  if (n === 1) return hash(Buffer.from([0x00]), leaves[0]!);
  const k = largestPowerBelow(n);
  return hash(Buffer.from([0x01]), mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

/** Returns PATH as defined in RFC 6962, section 2.1.1. */
export function path(m: number, leaves: readonly Buffer[]): Buffer[] {
  const n = leaves.length;
  if (n === 1) return [];
  const k = largestPowerBelow(n);
  return m < k
    ? [...path(m, leaves.slice(0, k)), mth(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), mth(leaves.slice(0, k))];
}

/** Returns PROOF as defined in RFC 6962, section 2.1.2. */
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
