import Type from 'typebox';
import { Problem } from '#lib/core/problem.ts';
import { Closed, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { findPackInChain } from '#lib/trust/pack-in-chain.query.ts';
import { failureStatus, verifyPack, type FailureKind } from '#lib/trust/verify-pack.mjs';
import { defineTool } from '../services.ts';
import { storedPack } from './signed-pack.ts';

const kinds = Object.keys(failureStatus) as FailureKind[];
const Failure = Type.Enum(kinds, { description: 'The check that failed.' });

const Verification = Closed(
  {
    uid: Uid(prefixes.evidencePack, 'Identifier of the pack.'),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Position of the pack in the chain.',
    }),
    pack_hash: Sha256,
    holds: Type.Boolean({ description: 'Whether the pack passed every check.' }),
    failure: Nullable(Failure, 'The first failed check; null if all checks passed.'),
    detail: Nullable(Type.String(), 'A description of the failure; null if all checks passed.'),
    previous_uid: Nullable(
      Uid(prefixes.evidencePack, 'The previous pack.'),
      'The previous pack that this pack was compared with; null for the first pack.',
    ),
  },
  { title: 'PackVerification', description: 'The result of verifying an evidence pack.' },
);

export const verifyEvidencePack = defineTool({
  name: 'verify_evidence_pack',
  summary: 'Verifies an evidence pack of the workspace with the same checks as the offline verifier.',
  description:
    'Checks the signature against the published keys, the hash, the checkpoint, the proofs, the findings ' +
    'and the link to the previous pack. A reader who must not rely on this service can verify the pack ' +
    'with `verify-pack.mjs` or on the page `/verify`; this tool runs the same code.',
  scope: 'trust:write',
  input: Closed({ uid: Uid(prefixes.evidencePack, 'The pack to verify.') }),
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
