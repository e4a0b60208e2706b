import { expect } from 'chai';
import {
  completeNodes,
  EMPTY_ROOT,
  Frontier,
  hashOfRange,
  leafHash,
  nodeHash,
  type Lookup,
  type Node,
} from '#lib/audit/merkle.ts';
import { consistencyRanges, inclusionRanges } from '#lib/audit/merkle-proof.ts';
import { verifyConsistency, verifyInclusion } from '#lib/audit/merkle-verify.ts';
import { mth, path, proof } from './naive-merkle.ts';
import { isExhaustive } from '../../support/repetitions.ts';

const SIZE_MAX = 130;
/**
 * The tested sizes: all small sizes, and sizes near each power of two, at which the tree changes its form.
 * The exhaustive tests use all sizes.
 */
const sizes = Array.from({ length: SIZE_MAX + 1 }, (_, size) => size).filter(
  (size) => isExhaustive || size <= 9 || [16, 32, 64, 128].some((power) => Math.abs(size - power) <= 1),
);
const data = Array.from({ length: SIZE_MAX }, (_, at) => Buffer.from(`entry ${at}`));
const leaves = data.map(leafHash);
const foreign = leafHash('of another log');

/**
 * A log that is built with the code under test: the root for each size of the log, and the hash of each
 * complete subtree.
 */
const frontier = new Frontier();
const nodes = new Map<string, string>();
const roots = [frontier.root()];
for (const leaf of leaves) {
  for (const { level, index, hash } of frontier.append(leaf)) nodes.set(`${level}/${index}`, hash);
  roots.push(frontier.root());
}
const lookup: Lookup = ({ level, index }: Node) => nodes.get(`${level}/${index}`)!;

const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));
const hashesOf = (ranges: { start: number; end: number }[]) =>
  ranges.map((range) => hashOfRange(range, lookup));
const proofOf = (index: number, size: number) => hashesOf(inclusionRanges(index, size));
const consistencyOf = (first: number, second: number) => hashesOf(consistencyRanges(first, second));

/** Returns the variants of a proof that an attacker may try: shorter, longer, reordered and altered. */
function tampered(proof: readonly string[]): string[][] {
  const flipped = (hash: string) => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);
  return [
    ...proof.map((_, at) => proof.toSpliced(at, 1)),
    ...proof.map((_, at) => proof.toSpliced(at, 0, foreign)),
    [...proof, foreign],
    ...proof.map((hash) => [...proof, hash]),
    ...proof.map((hash, at) => proof.with(at, flipped(hash))),
    ...proof.slice(1).map((hash, at) => proof.with(at, hash).with(at + 1, proof[at]!)),
    ...proof
      .map((hash, at) => proof.with(at, hash.toUpperCase()))
      .filter((each, at) => each[at] !== proof[at]),
    ...proof.map((hash, at) => proof.with(at, hash.slice(2))),
  ];
}

describe('the Merkle tree of the audit log', () => {
  // Published roots: the root of the empty tree in RFC 6962, and the roots over the eight leaves in the reference tests
  // of its authors.
  it('has the roots published for RFC 6962', () => {
    expect(EMPTY_ROOT).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    const published = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    const tree = new Frontier();
    const inputs = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    for (const [at, input] of inputs.entries()) {
      tree.append(leafHash(Buffer.from(input, 'hex')));
      expect(tree.root(), `${at + 1} leaves`).to.equal(published[at]);
    }
  });

  it('hashes a leaf differently from an inner node, and a text as its UTF-8 bytes', () => {
    const [left, right] = [leaves[0]!, leaves[1]!];
    expect(leafHash(Buffer.from(left + right, 'hex'))).to.not.equal(nodeHash(left, right));
    expect(leafHash('ä')).to.equal(leafHash(Buffer.from([0xc3, 0xa4])));
  });

  it('has the same root as the naive algorithm at every size, computed only from the hashes of its largest complete subtrees', () => {
    for (const size of sizes) {
      expect(roots[size], `${size} leaves`).to.equal(mth(data.slice(0, size)).toString('hex'));
      const resumed = new Frontier(size, lookup);
      expect(resumed.root()).to.equal(roots[size]);
      if (size === SIZE_MAX) continue;
      resumed.append(leaves[size]!);
      expect(resumed.root()).to.equal(roots[size + 1]);
    }
  });

  it('needs at most one complete subtree per level for each range of a proof', () => {
    for (const size of sizes.slice(1)) {
      const ranges = [...inclusionRanges(size - 1, size), ...consistencyRanges(Math.ceil(size / 2), size)];
      for (const range of [{ start: 0, end: size }, ...ranges]) {
        const levels = completeNodes(range).map(({ level }) => level);
        expect(levels).to.deep.equal([...new Set(levels)].sort((a, b) => b - a));
      }
    }
  });

  it('gives the same inclusion proof as the naive algorithm for every leaf at every size, and accepts this proof', () => {
    for (const size of sizes.slice(1)) {
      const some = data.slice(0, size);
      for (let index = 0; index < size; index += 1) {
        const given = proofOf(index, size);
        if (size <= 70 || index % 9 === size % 9) expect(given).to.deep.equal(hex(path(index, some)));
        const claim = { leafHash: leaves[index]!, index, size, root: roots[size]!, proof: given };
        expect(verifyInclusion(claim), `${index} of ${size}`).to.equal(true);
      }
    }
  });

  it('gives the same consistency proof as the naive algorithm for every pair of sizes, and accepts this proof', () => {
    for (const second of sizes) {
      const some = data.slice(0, second);
      for (let first = 0; first <= second; first += 1) {
        const given = consistencyOf(first, second);
        if (first > 0 && (second <= 70 || first % 9 === second % 9)) {
          expect(given).to.deep.equal(hex(proof(first, some)));
        }
        const claim = { first, second, firstRoot: roots[first]!, secondRoot: roots[second]!, proof: given };
        expect(verifyConsistency(claim), `${first} of ${second}`).to.equal(true);
      }
    }
  });

  it('rejects an inclusion proof if the proof, the leaf, the root or the index was changed', () => {
    for (const size of sizes.slice(1)) {
      for (let index = 0; index < size; index += size > 40 ? 7 : 1) {
        const claim = {
          leafHash: leaves[index]!,
          index,
          size,
          root: roots[size]!,
          proof: proofOf(index, size),
        };
        for (const proof of tampered(claim.proof))
          expect(verifyInclusion({ ...claim, proof })).to.equal(false);
        expect(verifyInclusion({ ...claim, leafHash: foreign })).to.equal(false);
        expect(verifyInclusion({ ...claim, root: foreign })).to.equal(false);
        for (let other = 0; other <= size; other += 1) {
          if (other !== index)
            expect(verifyInclusion({ ...claim, index: other }), `${index} as ${other} of ${size}`).to.equal(
              false,
            );
        }
      }
    }
  });

  it('rejects an inclusion proof with the root of a tree of another size', () => {
    for (const size of sizes.slice(1)) {
      for (const other of sizes.slice(1)) {
        if (other === size) continue;
        const index = Math.min(size, other) - 1;
        const claim = {
          leafHash: leaves[index]!,
          index,
          size,
          root: roots[other]!,
          proof: proofOf(index, size),
        };
        expect(verifyInclusion(claim), `${size} at the root of ${other}`).to.equal(false);
      }
    }
  });

  it('rejects a consistency proof if the proof or a root was changed', () => {
    for (const second of sizes.slice(1)) {
      for (let first = 0; first <= second; first += second > 40 ? 5 : 1) {
        const claim = {
          first,
          second,
          firstRoot: roots[first]!,
          secondRoot: roots[second]!,
          proof: consistencyOf(first, second),
        };
        for (const proof of tampered(claim.proof))
          expect(verifyConsistency({ ...claim, proof })).to.equal(false);
        expect(verifyConsistency({ ...claim, firstRoot: foreign })).to.equal(false);
        // Every log extends the empty log. A proof from size 0 therefore contains no hashes, and verifies for
        // every second root.
        if (first > 0) expect(verifyConsistency({ ...claim, secondRoot: foreign })).to.equal(false);
        if (first > 0 && first !== second) {
          expect(
            verifyConsistency({ ...claim, firstRoot: claim.secondRoot, secondRoot: claim.firstRoot }),
          ).to.equal(false);
        }
      }
    }
  });

  it('rejects a consistency proof from a log with a changed leaf, a missing leaf or two exchanged leaves', () => {
    for (let first = 2; first <= 64; first += 1) {
      const histories = [
        leaves.with(first - 1, foreign),
        leaves.toSpliced(first - 1, 1),
        leaves.with(first - 2, leaves[first - 1]!).with(first - 1, leaves[first - 2]!),
      ];
      for (const history of histories) {
        const [forged, known] = [new Frontier(), new Map<string, string>()];
        for (const leaf of history.slice(0, 100)) {
          for (const { level, index, hash } of forged.append(leaf)) known.set(`${level}/${index}`, hash);
        }
        const from: Lookup = ({ level, index }) => known.get(`${level}/${index}`)!;
        const claim = {
          first,
          second: 100,
          firstRoot: roots[first]!,
          secondRoot: forged.root(),
          proof: consistencyRanges(first, 100).map((range) => hashOfRange(range, from)),
        };
        expect(verifyConsistency(claim)).to.equal(false);
      }
    }
  });

  it('rejects an index, a size or a range that is invalid', () => {
    const claim = { leafHash: leaves[0]!, index: 0, size: 1, root: roots[1]!, proof: [] };
    expect(verifyInclusion(claim)).to.equal(true);
    for (const index of [-1, 0.5, NaN, Infinity, 1, 2 ** 53])
      expect(verifyInclusion({ ...claim, index })).to.equal(false);
    for (const size of [0, -1, 1.5, NaN, Infinity, 2, 2 ** 53])
      expect(verifyInclusion({ ...claim, size })).to.equal(false);
    expect(() => inclusionRanges(3, 3)).to.throw(RangeError);
    expect(() => inclusionRanges(-1, 3)).to.throw(RangeError);
    expect(() => consistencyRanges(4, 3)).to.throw(RangeError);
    expect(() => consistencyRanges(0.5, 3)).to.throw(RangeError);
    expect(() => new Frontier(-1)).to.throw(RangeError);
    expect(() => hashOfRange({ start: 2, end: 2 }, lookup)).to.throw(RangeError);
    const sizes = {
      first: 3,
      second: 5,
      firstRoot: roots[3]!,
      secondRoot: roots[5]!,
      proof: consistencyOf(3, 5),
    };
    expect(verifyConsistency({ ...sizes, first: 5, second: 3 })).to.equal(false);
    expect(verifyConsistency({ ...sizes, second: 2 ** 53 })).to.equal(false);
  });

  it('supports sizes above 2^32', () => {
    const size = 2 ** 33 + 5;
    expect(completeNodes({ start: 0, end: size })).to.deep.equal([
      { level: 33, index: 0 },
      { level: 2, index: 2 ** 31 },
      { level: 0, index: size - 1 },
    ]);
    expect(inclusionRanges(size - 1, size)).to.deep.equal([
      { start: 2 ** 33, end: size - 1 },
      { start: 0, end: 2 ** 33 },
    ]);
  });
});
