import Type, { type Static } from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { listPacks, type PackRow } from '#lib/trust/evidence-pack.write.ts';
import type { PackContent } from '#lib/trust/evidence-pack.ts';
import { EvidencePackSchema, PackSummary } from '#lib/trust/evidence-pack.schema.ts';
import { evidencePacksRun } from '#lib/trust/evidence-packs.run.ts';
import { OpenRun } from '#lib/pipeline/run.schema.ts';
import { listReply } from '../http/page.ts';
import { defineRunSubmission } from '../run-operations.ts';
import { readRun } from '../run-reads.ts';
import { presentRun } from '../runs.ts';
import { defineOperation } from '../services.ts';
import { signedPack, type Pack } from './signed-pack.ts';

const list = '/trust/evidence-packs';

export const createEvidencePack = defineRunSubmission(evidencePacksRun, {
  key: 'trust.evidence_packs.create',
  product: 'Trust',
  summary: 'Seals and signs the evidence of all activity since the previous pack.',
  description:
    'Recomputes the audit log from its entries, tests the controls on the entries since the previous pack, ' +
    'and signs the result. The periods of successive packs have no gaps. Packs contain only counts and proofs. ' +
    'Verify a pack with `assay verify`, with the standalone script `verify-pack.mjs`, or on the page ' +
    '`/verify`.',
  sealed: 'The signed pack.',
  resource: {
    schema: EvidencePackSchema,
    present: (services, { result }: { result: PackContent }) => signedPack(services, result),
  },
});

export const listEvidencePacks = defineOperation({
  key: 'trust.evidence_packs.list',
  product: 'Trust',
  method: 'GET',
  path: list,
  scope: 'trust:write',
  addition: true,
  summary: 'Lists the evidence packs of the workspace, newest first.',
  description: 'Returns signed packs only. A pack that is still being built is listed as a job.',
  query: Closed(pageQuery),
  success: { status: 200, description: 'A page of packs.', schema: ListOf(PackSummary) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    return listReply(services, query, {
      list,
      filters: {},
      rows: (em, { after, limit }) => listPacks(em, after === undefined ? undefined : Number(after), limit),
      present: presentRow,
      position: ({ sequence }) => String(sequence),
    });
  },
});

export const getEvidencePack = defineOperation({
  key: 'trust.evidence_packs.get',
  product: 'Trust',
  method: 'GET',
  path: `${list}/{uid}`,
  scope: 'trust:write',
  addition: true,
  summary: 'Returns an evidence pack, and optionally waits until it is ready.',
  description:
    'The signed bytes never change. An answer without a signature is a run that is still open or ended ' +
    'without a pack.',
  query: Closed(waitQuery),
  success: {
    status: 200,
    description: 'The pack if it is signed, otherwise the state of its run.',
    schema: Type.Union([EvidencePackSchema, OpenRun(evidencePacksRun)], {
      title: 'EvidencePackInAnyState',
      description: 'A signed pack, or the run that builds it.',
    }),
  },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [evidencePacksRun.key])) ??
      call.fail('not_found', 'There is no such evidence pack.');
    const content = found.result?.members['result'] as PackContent | undefined;
    const body = content ? await signedPack(call.services, content) : presentRun(found);
    return { status: 200, body: body as PackInAnyState };
  },
});

type PackInAnyState = Pack;

function presentRow(row: PackRow): Static<typeof PackSummary> {
  return {
    uid: row.uid,
    sequence: row.sequence,
    period: { from: row.from.toISOString(), to: row.to.toISOString() },
    tree_size: row.treeSize,
    root_hash: row.rootHash,
    pack_hash: row.packHash,
    previous_pack_hash: row.previousPackHash,
    keyid: row.keyid,
    created_at: row.to.toISOString(),
  };
}
