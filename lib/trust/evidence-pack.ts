import { canonicalHash, canonicalJson } from '#lib/core/seal.ts';
import type { Aggregates } from './aggregates.ts';
import type { ControlResult } from './controls.ts';

export const PACK_SCHEMA = 'svc.evidence-pack/1' as const;

/** The input of a run that builds a pack. The input names only the schema of the pack. */
export const PACK_INPUT = { schema: PACK_SCHEMA };

/** The kinds of data that packs never contain, even if the log contains them. */
export const exclusions = [
  'customer_transaction_payloads',
  'raw_prompts',
  'provider_credentials',
  'private_signing_keys',
] as const;

export type Configuration = {
  policy_set_hash: string;
  authority_set_hash: string;
  graph_hashes: string[];
  tolerance_profile_hashes: string[];
  service_build: string;
};

export type InclusionProof = { index: number; leaf_hash: string; path: string[] };

export type ControlFinding = {
  key: string;
  title: string;
  statement: string;
  population: number;
  tested: number;
  passed: number;
  failed: number;
  not_evaluated: number;
  result: ControlResult;
  observation_refs: number[];
  inclusion_proofs: InclusionProof[];
};

export type PackLog = {
  tree_size: number;
  root_hash: string;
  previous_tree_size: number;
  previous_root_hash: string;
  consistency_proof: string[];
};

/** The facts of a pack, from which its content and hash are computed. */
export type PackFacts = {
  uid: string;
  workspace_uid: string;
  environment: 'sandbox' | 'production';
  sequence: number;
  period: { from: string; to: string };
  previous_pack_hash: string | null;
  log: PackLog;
  controls: ControlFinding[];
  aggregates: Aggregates;
  configuration: Configuration;
  keys: { keyid: string; algorithm: 'Ed25519'; public_jwk: PublicJwk; valid_from: string }[];
  verifier: { name: string; version: string; sha256: string };
};

export type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string };

/** A pack without its signature. This content is hashed and stored, and a replay computes it again. */
export type PackContent = ReturnType<typeof sealPack>;

/**
 * Returns the content of a pack from its facts. `pack_hash` is the SHA-256 of the RFC 8785 form of all other members.
 */
export function sealPack({ previous_pack_hash, log, ...facts }: PackFacts) {
  const origin = `assay/${facts.workspace_uid}/${facts.environment}`;
  const unsealed = {
    schema: PACK_SCHEMA,
    ...facts,
    created_at: facts.period.to,
    exclusions: [...exclusions],
    log: { origin, ...log, checkpoint: checkpointText(origin, log) },
    seal: { algorithm: 'sha256' as const, previous_pack_hash },
  };
  return { ...unsealed, seal: { ...unsealed.seal, pack_hash: canonicalHash(unsealed) } };
}

/** Formats a checkpoint as transparency logs do: origin, size and root, one per line. */
export function checkpointText(origin: string, { tree_size, root_hash }: PackLog): string {
  return `${origin}\n${tree_size}\n${Buffer.from(root_hash, 'hex').toString('base64')}\n`;
}

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
export const PREDICATE_TYPE = 'https://assay.dev/evidence-pack/v1';

/** Returns the in-toto statement about a pack. Its bytes are signed. */
export function statementOf(pack: PackContent): string {
  return canonicalJson({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `evidence-pack-${pack.sequence}`, digest: { sha256: pack.seal.pack_hash } }],
    predicateType: PREDICATE_TYPE,
    predicate: pack,
  });
}

/**
 * Returns the pre-authentication encoding of DSSE 1.0.2. Type and payload are each preceded by their length, so the
 * boundary between them is unambiguous.
 */
export function preAuthEncoding(payload: string): Uint8Array {
  const length = Buffer.byteLength(payload);
  return Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${length} ${payload}`);
}

/** Returns the pack with its envelope, in the form that callers receive. */
export function withEnvelope(pack: PackContent, { keyid, signature }: { keyid: string; signature: string }) {
  return {
    ...pack,
    envelope: {
      payloadType: PAYLOAD_TYPE,
      payload: Buffer.from(statementOf(pack)).toString('base64'),
      signatures: [{ keyid, sig: signature }],
    },
  };
}
