import type { Static } from 'typebox';
import type { Caller } from '#lib/core/operation.ts';
import { findPack, type PackRow } from '#lib/trust/evidence-pack.write.ts';
import { withEnvelope, type PackContent } from '#lib/trust/evidence-pack.ts';
import type { EvidencePackSchema } from '#lib/trust/evidence-pack.schema.ts';
import type { Services } from '../services.ts';

export type Pack = Static<typeof EvidencePackSchema>;

/** Returns an evidence pack with its signature. */
export async function signedPack(services: Services, content: PackContent): Promise<Pack> {
  const row = await services.query(findPack, content.uid);
  if (!row) throw new Error(`the evidence pack ${content.uid} has no place in the chain`);
  return withEnvelope(content, row) as Pack;
}

/** Returns the signed pack that a row of the chain stores. */
export async function storedPack(services: Services, caller: Caller, row: PackRow): Promise<Pack> {
  const found = await services.runs.wait({ caller, signal: services.signal }, row.uid, 0);
  return withEnvelope(found!.result!.members['result'] as PackContent, row) as Pack;
}
