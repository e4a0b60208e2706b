import Type from 'typebox';
import { Problem } from '#lib/core/problem.ts';
import { Closed, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { findPackInChain } from '#lib/trust/pack-in-chain.query.ts';
import { failureStatus, verifyPack, type FailureKind } from '#lib/trust/verify-pack.mjs';
import { defineTool } from '../services.ts';
import { storedPack } from './signed-pack.ts';

const kinds = Object.keys(failureStatus) as FailureKind[];
const Failure = Type.Enum(kinds, { description: 'What did not hold.' });

const Verification = Closed(
  {
    uid: Uid(prefixes.evidencePack, 'The pack.'),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Its place in the chain.',
    }),
    pack_hash: Sha256,
    holds: Type.Boolean({ description: 'Whether everything that can be checked of it holds.' }),
    failure: Nullable(Failure, 'The first thing that did not hold; null where all does.'),
    detail: Nullable(Type.String(), 'That in words.'),
    previous_uid: Nullable(
      Uid(prefixes.evidencePack, 'The pack before.'),
      'The pack that it was held against; null of the first.',
    ),
  },
  { title: 'PackVerification', description: 'Whether an evidence pack holds.' },
);

export const verifyEvidencePack = defineTool({
  name: 'verify_evidence_pack',
  summary: 'Checks an evidence pack of the workspace as its offline verifier does.',
  description:
    'Signature under the published keys, hash, checkpoint, proofs, findings, and the place behind the pack before. Who ' +
    'must not rely on this service checks the pack with `verify-pack.mjs` or the page `/verify`, which this calls too.',
  scope: 'trust:write',
  input: Closed({ uid: Uid(prefixes.evidencePack, 'The pack.') }),
  output: Verification,
  async call({ uid }, { caller, services }) {
    const found = await services.query(findPackInChain, uid);
    if (!found) throw new Problem('not_found', 'There is no such evidence pack.');
    const { row, before } = found;
    const keys = JSON.stringify(found.keys);
    const text = async (each: typeof row) => JSON.stringify(await storedPack(services, caller, each));
    const checked = verifyPack(await text(row), { keys, previous: before && (await text(before)) });
    return {
      uid,
      sequence: row.sequence,
      pack_hash: row.packHash,
      holds: checked.ok,
      failure: checked.ok ? null : checked.kind,
      detail: checked.ok ? null : checked.message,
      previous_uid: before?.uid ?? null,
    };
  },
});
