import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, Nullable, Sha256, Sha256Of, Uid } from '#lib/core/schema.ts';
import { controlResults } from './controls.ts';
import { exclusions, PACK_SCHEMA, PAYLOAD_TYPE } from './evidence-pack.ts';

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [0] });
const Word = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 500, description, examples: [example] });
const Hashes = (description: string) => Type.Array(Sha256, { maxItems: 10_000, description });
const Base64 = (description: string, maxLength: number) =>
  Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength, description, examples: ['e30='] });

const Proof = Closed(
  {
    index: Count('The index of the entry in the log, starting at 0.'),
    leaf_hash: Sha256Of('SHA-256 of a zero byte and the entry in RFC 8785 form.'),
    path: Type.Array(Sha256, {
      maxItems: 64,
      description: 'The sibling hashes on the path from the leaf to the root.',
    }),
  },
  { title: 'InclusionProof', description: 'Proof that an entry is in the log (RFC 9162, 2.1.3).' },
);

const Finding = Closed(
  {
    key: Word('The key of the control.', 'credential_attributed'),
    title: Word(
      'The title of the control: the requirement that it tests.',
      'Credentials are issued and rotated by persons',
    ),
    statement: Word(
      'The statement that is true if the control is satisfied.',
      'A person is on record for every credential.',
    ),
    population: Count('The number of entries that the control applies to in the period.'),
    tested: Count('The number of tested entries.'),
    passed: Count('The number of entries that passed.'),
    failed: Count('The number of entries that failed.'),
    not_evaluated: Count(
      'The number of entries that could not be tested, because the log does not contain enough information.',
    ),
    result: Type.Enum([...controlResults], {
      description:
        'The result of the control. It is never `satisfied` if no entry or only a part of the entries was ' +
        'tested.',
    }),
    observation_refs: Type.Array(Count('The index of an entry in the log.'), {
      maxItems: 100,
      description: 'The indexes of entries to inspect: failed entries first, then the newest.',
    }),
    inclusion_proofs: Type.Array(Proof, {
      maxItems: 100,
      description: 'The inclusion proofs of the entries in `observation_refs`, in the same order.',
    }),
  },
  {
    title: 'ControlFinding',
    description: "The result of a control, tested on the audit log entries of the pack's period.",
  },
);

const Cells = (description: string) =>
  Type.Array(
    Closed({
      key: Word('The counted operation or code. `other` merges all counts below three.', 'run.sealed'),
      entries: Count('The number of entries.'),
    }),
    { maxItems: 1_000, description },
  );

const Period = Closed(
  {
    from: InstantOf('The start of the period: the end of the period of the previous pack.'),
    to: InstantOf('The end of the period: the time at which the log was read.'),
  },
  {
    description:
      'The time between the previous pack and this pack. An entry of the log belongs to a period by its index in the log, not by its time.',
  },
);
const Sequence = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The sequence number of the pack in its workspace and environment. Numbers have no gaps.',
  examples: [1],
});

export const PackContentSchema = Closed(
  {
    schema: Type.Literal(PACK_SCHEMA, { description: 'The format of the pack.' }),
    uid: Uid(prefixes.evidencePack, 'Identifier of the pack, and of the run that built it.'),
    workspace_uid: Uid(prefixes.workspace, 'The workspace.'),
    environment: Type.Enum(['sandbox', 'production'], { description: 'The environment of the workspace.' }),
    sequence: Sequence,
    period: Period,
    created_at: InstantOf('When the pack was built.'),
    exclusions: Type.Array(Type.Enum([...exclusions]), {
      maxItems: 10,
      description: 'The kinds of data that packs never contain.',
    }),
    log: Closed(
      {
        origin: Word('The name of the log.', 'assay/wsp_01K8XQ5W3ZJ6T9R2M4N7P0QABC/sandbox'),
        tree_size: Count('The number of entries in the log.'),
        root_hash: Sha256Of('The root of the Merkle tree of the log (RFC 6962).'),
        previous_tree_size: Count(
          'The number of entries in the log when the previous pack was built; 0 for the first pack.',
        ),
        previous_root_hash: Sha256Of('The root of the log when the previous pack was built.'),
        consistency_proof: Type.Array(Sha256, {
          maxItems: 128,
          description: 'Proof that the log extends the log of the previous pack (RFC 9162, 2.1.4).',
        }),
        checkpoint: Word(
          'The origin, the size, and the root in base64, each on a separate line.',
          'assay/wsp/sandbox\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n',
        ),
      },
      { description: 'The audit log from which all figures were computed.' },
    ),
    controls: Type.Array(Finding, { maxItems: 100, description: 'The result of each control.' }),
    aggregates: Closed(
      {
        entries: Count('The number of entries in the period.'),
        refused: Count('The number of refused operations in the period.'),
        by_operation: Cells('The number of entries per operation.'),
        refusals_by_code: Cells('The number of refusals per code.'),
        conflicts: Count('The number of source records that contradicted stored data.'),
        exceptions_opened: Count('The number of opened exceptions.'),
        credential_changes: Count('The number of credentials that were issued, rotated or revoked.'),
      },
      { description: 'Counts of the period. They contain no amounts, names or references.' },
    ),
    configuration: Closed(
      {
        policy_set_hash: Sha256Of('SHA-256 of the policies in force.'),
        authority_set_hash: Sha256Of('SHA-256 of the authorities in force.'),
        graph_hashes: Hashes('SHA-256 of each approval graph in force.'),
        tolerance_profile_hashes: Hashes('SHA-256 of each tolerance profile in force.'),
        service_build: Word('The version of the service.', '0.1.0'),
      },
      { description: 'The rules in force in the workspace when the pack was built.' },
    ),
    keys: Type.Array(
      Closed({
        keyid: Sha256Of('The thumbprint of the public key (RFC 7638).'),
        algorithm: Type.Literal('Ed25519', { description: 'The signature algorithm.' }),
        public_jwk: Closed(
          {
            kty: Type.Literal('OKP', { description: 'The type of the key.' }),
            crv: Type.Literal('Ed25519', { description: 'The curve of the key.' }),
            x: Type.String({
              pattern: '^[A-Za-z0-9_-]{43}$',
              description: 'The public key, in base64url.',
              examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
            }),
          },
          { description: 'The public key (RFC 8037).' },
        ),
        valid_from: InstantOf('The time from which the key is used to sign.'),
      }),
      {
        minItems: 1,
        maxItems: 1,
        description: 'The key that signed the pack. Compare it with the published key set.',
      },
    ),
    verifier: Closed(
      {
        name: Word('The file name of the verifier.', 'verify-pack.mjs'),
        version: Word('The version of the verifier.', '1'),
        sha256: Sha256Of('SHA-256 of the verifier file.'),
      },
      { description: 'The verifier that can check the pack.' },
    ),
    seal: Closed(
      {
        algorithm: Type.Literal('sha256', { description: 'The hash algorithm.' }),
        pack_hash: Sha256Of('SHA-256 of the RFC 8785 form of the pack without this member and the envelope.'),
        previous_pack_hash: Nullable(Sha256, 'The hash of the previous pack; null for the first pack.'),
      },
      { description: 'The seal that chains the pack to the previous pack.' },
    ),
  },
  { title: 'EvidencePackContent', description: 'An evidence pack without its signature.' },
);

export const EvidencePackSchema = Closed(
  {
    ...PackContentSchema.properties,
    envelope: Closed(
      {
        payloadType: Type.Literal(PAYLOAD_TYPE, {
          description: 'The type of the payload: an in-toto statement.',
        }),
        payload: Base64(
          'The statement in base64. Its predicate is the pack without the envelope.',
          16_000_000,
        ),
        signatures: Type.Array(
          Closed({ keyid: Sha256Of('Thumbprint of the key.'), sig: Base64('The Ed25519 signature.', 200) }),
          {
            minItems: 1,
            maxItems: 1,
            description: 'The signature over the pre-authentication encoding of DSSE 1.0.2.',
          },
        ),
      },
      { description: 'The DSSE envelope with the signature.' },
    ),
  },
  { title: 'EvidencePack', description: 'A signed pack with the evidence of a period.' },
);

export const PackSummary = Closed(
  {
    uid: Uid(prefixes.evidencePack, 'Identifier of the pack.'),
    sequence: Sequence,
    period: Period,
    tree_size: Count('The number of entries in the log.'),
    root_hash: Sha256Of('The root of the Merkle tree of the log.'),
    pack_hash: Sha256Of('The hash of the pack.'),
    previous_pack_hash: Nullable(Sha256, 'The hash of the previous pack; null for the first pack.'),
    keyid: Sha256Of('The id of the key that signed the pack.'),
    created_at: Instant,
  },
  { title: 'EvidencePackSummary', description: 'An evidence pack, without its content.' },
);
