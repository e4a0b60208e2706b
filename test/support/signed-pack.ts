import { createHash } from 'node:crypto';
import {
  completeNodes,
  Frontier,
  hashOfRange,
  leafHash,
  type HashedNode,
  type Range,
} from '#lib/audit/merkle.ts';
import { consistencyRanges, inclusionRanges } from '#lib/audit/merkle-proof.ts';
import { createKeyPair, signBytes, type KeyPair } from '#lib/core/signing.ts';
import {
  preAuthEncoding,
  sealPack,
  statementOf,
  withEnvelope,
  type PackContent,
  type PackFacts,
} from '#lib/trust/evidence-pack.ts';

export const signer: KeyPair = createKeyPair();

/** Returns the content of an entry of the log. */
export const entryText = (index: number) => JSON.stringify({ at: `é ${index}`, op: 'key.issued' });

/** Returns a log of numbered entries, with the proofs that a pack of this log contains. */
export function logOf(size: number) {
  const tree = new Frontier();
  const nodes = new Map<string, string>();
  const roots = [tree.root()];
  for (let index = 0; index < size; index += 1) {
    for (const node of tree.append(leafHash(entryText(index))))
      nodes.set(`${node.level} ${node.index}`, node.hash);
    roots.push(tree.root());
  }
  const lookup = ({ level, index }: Omit<HashedNode, 'hash'>) => nodes.get(`${level} ${index}`)!;
  const hashes = (ranges: readonly Range[]) => ranges.map((range) => hashOfRange(range, lookup));
  return {
    size,
    root: (at = size) => roots[at]!,
    consistency: (first: number) => hashes(consistencyRanges(first, size)),
    proof: (index: number) => ({
      index,
      leaf_hash: hashOfRange({ start: index, end: index + 1 }, lookup),
      path: hashes(inclusionRanges(index, size)),
    }),
    complete: completeNodes({ start: 0, end: size }).length,
  };
}

/** Returns the content of a pack over 4 of 7 entries, in which one control failed on one entry. */
export function packFacts(change: Partial<PackFacts> = {}): PackFacts {
  const log = logOf(7);
  return {
    uid: 'epk_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    workspace_uid: 'wsp_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    environment: 'sandbox',
    sequence: 2,
    period: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' },
    previous_pack_hash: 'ab'.repeat(32),
    log: {
      tree_size: 7,
      root_hash: log.root(),
      previous_tree_size: 3,
      previous_root_hash: log.root(3),
      consistency_proof: log.consistency(3),
    },
    controls: [
      {
        key: 'credential_attributed',
        title: 'Credentials are issued by persons',
        statement: 'A person is on record.',
        population: 4,
        tested: 4,
        passed: 3,
        failed: 1,
        not_evaluated: 0,
        result: 'not_satisfied',
        observation_refs: [5, 6],
        inclusion_proofs: [log.proof(5), log.proof(6)],
      },
    ],
    aggregates: {
      entries: 4,
      refused: 0,
      by_operation: [{ key: 'key.issued', entries: 4 }],
      refusals_by_code: [],
      conflicts: 0,
      exceptions_opened: 0,
      credential_changes: 4,
    },
    configuration: {
      policy_set_hash: 'cd'.repeat(32),
      authority_set_hash: 'ef'.repeat(32),
      graph_hashes: [],
      tolerance_profile_hashes: [],
      service_build: '0.1.0',
    },
    keys: [
      {
        keyid: signer.keyid,
        algorithm: 'Ed25519',
        public_jwk: { kty: 'OKP', crv: 'Ed25519', x: signer.x },
        valid_from: '2026-10-01T00:00:00.000Z',
      },
    ],
    verifier: { name: 'verify-pack.mjs', version: '1', sha256: '01'.repeat(32) },
    ...change,
  };
}

/** Signs any content with the key of the tests. */
export function signContent(content: PackContent, { keyid, privateKey } = signer) {
  const signature = signBytes(privateKey, preAuthEncoding(statementOf(content)));
  return withEnvelope(content, { keyid, signature });
}

export function signedPack(change: Partial<PackFacts> = {}) {
  return signContent(sealPack(packFacts(change)));
}

/** Returns the published key set with the key of the tests. */
export function keySetOf(change: Record<string, unknown> = {}): string {
  const { keyid: kid, x } = signer;
  const key = {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid,
    valid_from: '2026-10-01T00:00:00.000Z',
    retired_at: null,
  };
  return JSON.stringify({ keys: [{ ...key, ...change }] });
}

/** Returns the published key set in which the key of the tests was imported with workspaces. */
export function importedKeySetOf(...workspaces: string[]): string {
  const { keys } = JSON.parse(keySetOf({ retired_at: '2026-12-31T00:00:00.000Z' })) as { keys: object[] };
  const hashes = workspaces.map((uid) => createHash('sha256').update(uid).digest('hex'));
  return JSON.stringify({
    keys: [],
    imported_keys: keys.map((key) => ({ ...key, workspace_hashes: hashes })),
  });
}
