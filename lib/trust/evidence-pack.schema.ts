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
    index: Count('The place of the entry in the log, from 0 on.'),
    leaf_hash: Sha256Of('SHA-256 of a zero byte and the entry in RFC 8785 form.'),
    path: Type.Array(Sha256, { maxItems: 64, description: 'The hashes beside its way to the root.' }),
  },
  { title: 'InclusionProof', description: 'That an entry stands in the log (RFC 9162, 2.1.3).' },
);

const Finding = Closed(
  {
    key: Word('The control.', 'credential_attributed'),
    title: Word('What it asks for.', 'Credentials are issued and rotated by persons'),
    statement: Word('What holds where it is satisfied.', 'A person is on record for every credential.'),
    population: Count('Entries of the period that it is about.'),
    tested: Count('Those that could be tested.'),
    passed: Count('Those that passed.'),
    failed: Count('Those that failed.'),
    not_evaluated: Count('Those that the log does not hold enough for.'),
    result: Type.Enum([...controlResults], {
      description: 'Never `satisfied` where nothing, or not everything, was tested.',
    }),
    observation_refs: Type.Array(Count('A place in the log.'), {
      maxItems: 100,
      description: 'Entries to look at: those that failed first, then the newest.',
    }),
    inclusion_proofs: Type.Array(Proof, { maxItems: 100, description: 'A proof of each of them.' }),
  },
  { title: 'ControlFinding', description: 'What a control came to in the period.' },
);

const Cells = (description: string) =>
  Type.Array(
    Closed({
      key: Word('What is counted; `other` holds all that came less than three times.', 'run.sealed'),
      entries: Count('How many entries.'),
    }),
    { maxItems: 1_000, description },
  );

const Period = Closed(
  { from: InstantOf('The end of the pack before.'), to: InstantOf('When the log was read.') },
  { description: 'What lies between this pack and the one before. Entries belong to it by their place.' },
);
const Sequence = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Counts the packs of the workspace and environment without a gap.',
  examples: [1],
});

export const PackContentSchema = Closed(
  {
    schema: Type.Literal(PACK_SCHEMA, { description: 'The form of the pack.' }),
    uid: Uid(prefixes.evidencePack, 'The pack, which is also the run that made it.'),
    workspace_uid: Uid(prefixes.workspace, 'The workspace.'),
    environment: Type.Enum(['sandbox', 'production'], { description: 'Its environment.' }),
    sequence: Sequence,
    period: Period,
    created_at: InstantOf('When it was made.'),
    exclusions: Type.Array(Type.Enum([...exclusions]), { maxItems: 10, description: 'What no pack holds.' }),
    log: Closed(
      {
        origin: Word('The log.', 'assay/wsp_01K8XQ5W3ZJ6T9R2M4N7P0QABC/sandbox'),
        tree_size: Count('Entries of the log.'),
        root_hash: Sha256Of('Root of its Merkle tree (RFC 6962).'),
        previous_tree_size: Count('Entries as of the pack before; 0 for the first.'),
        previous_root_hash: Sha256Of('Root as of the pack before.'),
        consistency_proof: Type.Array(Sha256, {
          maxItems: 128,
          description: 'That the log begins with all that the pack before was about (RFC 9162, 2.1.4).',
        }),
        checkpoint: Word(
          'Origin, size and root in base64, a line each.',
          'assay/wsp/sandbox\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n',
        ),
      },
      { description: 'The audit log that everything is counted from.' },
    ),
    controls: Type.Array(Finding, { maxItems: 100, description: 'What each control came to.' }),
    aggregates: Closed(
      {
        entries: Count('Entries of the period.'),
        refused: Count('Those that tell of a refusal.'),
        by_operation: Cells('How often what happened.'),
        refusals_by_code: Cells('How often what was refused.'),
        conflicts: Count('Sources that contradicted what was kept.'),
        exceptions_opened: Count('Exceptions that were opened.'),
        credential_changes: Count('Credentials issued, rotated and revoked.'),
      },
      { description: 'Counts alone: no amounts, names or references.' },
    ),
    configuration: Closed(
      {
        policy_set_hash: Sha256Of('Of the policies in force.'),
        authority_set_hash: Sha256Of('Of the authorities in force.'),
        graph_hashes: Hashes('Of each approval graph in force.'),
        tolerance_profile_hashes: Hashes('Of each tolerance profile in force.'),
        service_build: Word('The version of the service.', '0.1.0'),
      },
      { description: 'By what rules the workspace went when the pack was made.' },
    ),
    keys: Type.Array(
      Closed({
        keyid: Sha256Of('Thumbprint of the public key (RFC 7638).'),
        algorithm: Type.Literal('Ed25519', { description: 'The signature.' }),
        public_jwk: Closed(
          {
            kty: Type.Literal('OKP', { description: 'The type of key.' }),
            crv: Type.Literal('Ed25519', { description: 'The curve.' }),
            x: Type.String({
              pattern: '^[A-Za-z0-9_-]{43}$',
              description: 'The key, in base64url.',
              examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
            }),
          },
          { description: 'The public key (RFC 8037).' },
        ),
        valid_from: InstantOf('Since when it signs.'),
      }),
      {
        minItems: 1,
        maxItems: 1,
        description: 'The key of the signature. Compare with the published key set.',
      },
    ),
    verifier: Closed(
      {
        name: Word('The file that checks packs.', 'verify-pack.mjs'),
        version: Word('Its version.', '1'),
        sha256: Sha256Of('Of the file.'),
      },
      { description: 'What the pack can be checked with.' },
    ),
    seal: Closed(
      {
        algorithm: Type.Literal('sha256', { description: 'The hash.' }),
        pack_hash: Sha256Of('Of the RFC 8785 form of the pack without this member and the envelope.'),
        previous_pack_hash: Nullable(Sha256, 'That of the pack before; null for the first.'),
      },
      { description: 'What chains the packs.' },
    ),
  },
  { title: 'EvidencePackContent', description: 'An evidence pack without its signature.' },
);

export const EvidencePackSchema = Closed(
  {
    ...PackContentSchema.properties,
    envelope: Closed(
      {
        payloadType: Type.Literal(PAYLOAD_TYPE, { description: 'An in-toto statement.' }),
        payload: Base64('The statement, whose predicate is the pack without this member.', 16_000_000),
        signatures: Type.Array(
          Closed({ keyid: Sha256Of('The key.'), sig: Base64('The Ed25519 signature.', 200) }),
          { minItems: 1, maxItems: 1, description: 'Over the pre-authentication encoding of DSSE 1.0.2.' },
        ),
      },
      { description: 'The signature (DSSE).' },
    ),
  },
  { title: 'EvidencePack', description: 'A signed pack of evidence of a period.' },
);

export const PackSummary = Closed(
  {
    uid: Uid(prefixes.evidencePack, 'The pack.'),
    sequence: Sequence,
    period: Period,
    tree_size: Count('Entries of the log.'),
    root_hash: Sha256Of('Root of its Merkle tree.'),
    pack_hash: Sha256Of('The hash of the pack.'),
    previous_pack_hash: Nullable(Sha256, 'That of the pack before; null for the first.'),
    keyid: Sha256Of('The key that signed it.'),
    created_at: Instant,
  },
  { title: 'EvidencePackSummary', description: 'An evidence pack in a list.' },
);
