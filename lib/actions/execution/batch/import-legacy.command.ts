import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { lockEvidence } from '../evidence/evidence-lock.query.ts';
import type { LegacyFile } from './legacy.ts';
import { LegacyBatch } from './order-batch.entity.ts';

type Input = Tenant & { file: LegacyFile };

/**
 * Stores those batches of an earlier system that are not stored yet. A stored batch has no effect until the
 * import of a new order batch names it as its predecessor.
 */
export const importLegacy = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { file }) => lockEvidence(em, ['legacy batches', file.source_system]),
  async facts(em, _locked, { file }) {
    const known = await em.find(LegacyBatch, { sourceSystem: file.source_system });
    return { seen: new Set(known.map(({ legacyReference }) => legacyReference)) };
  },
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, { seen }, _verdict, at) {
    const { place, now, input } = at;
    let count = 0;
    for (const each of input.file.batches) {
      if (seen.has(each.legacy_reference)) continue;
      seen.add(each.legacy_reference);
      count += 1;
      em.create(LegacyBatch, {
        uid: newUid(prefixes.legacyBatch),
        workspaceUid: place.workspace,
        environment: place.environment,
        sourceSystem: input.file.source_system,
        legacyReference: each.legacy_reference,
        portfolioUid: each.portfolio_uid,
        status: each.status,
        orderCount: each.order_count,
        createdAt: new Date(each.created_at),
        importedByUid: personOf(at),
        importedAt: now,
      });
    }
    return { result: { count } };
  },
  entry: (_facts, _verdict, { file }, result) => ({
    op: 'batch.legacy_imported',
    subject: { type: 'legacy_batches', uid: file.source_system },
    details: { count: result!.count },
  }),
  refusals: unknownWorkspace,
});
