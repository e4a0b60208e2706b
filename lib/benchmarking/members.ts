/**
 * A set of groups, one bit for each group. Sets may be compared only if their groups are numbered in the same way.
 */
export type Members = bigint;

/** Returns the number of groups in a set. */
export function sizeOf(members: Members): number {
  let size = 0;
  for (let rest = members; rest !== 0n; rest >>= 64n) size += bitsOf(BigInt.asUintN(64, rest));
  return size;
}

/** Numbers the groups of some sets, in the order of their first appearance, and returns the sets. */
export function memberSets(sets: readonly (readonly string[])[]): Members[] {
  const places = new Map<string, bigint>();
  return sets.map((groups) => {
    let members = 0n;
    for (const group of groups) {
      let place = places.get(group);
      if (place === undefined) places.set(group, (place = BigInt(places.size)));
      members |= 1n << place;
    }
    return members;
  });
}

function bitsOf(word: bigint): number {
  return bits32(Number(word & 0xffff_ffffn)) + bits32(Number(word >> 32n));
}

function bits32(word: number): number {
  let rest = word - ((word >>> 1) & 0x5555_5555);
  rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
  return (((rest + (rest >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
