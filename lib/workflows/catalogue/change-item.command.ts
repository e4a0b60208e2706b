import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { itemEntry } from './item-entry.ts';
import { decideItem, type ItemEvent, type ItemVerdict, type LibraryItem } from './library-item.ts';
import { shippedItems } from './library-items.query.ts';
import { knownWorkspace } from './offer-item.command.ts';
import { WorkflowLibraryItem } from './workflow-library-item.entity.ts';

type Input = { workspace: string; key: string; version: number; event: ItemEvent };

/** A row of the library, or a shipped item that has no row yet. */
type Facts = { row: WorkflowLibraryItem | null; shipped: LibraryItem | undefined };

type ChangeVerdict = ItemVerdict | { ok: false; code: 'library_item_unknown' };

const operations = {
  approve: 'workflow.library_published',
  deprecate: 'workflow.library_deprecated',
  withdraw: 'workflow.library_withdrawn',
} as const satisfies Record<ItemEvent, string>;

/** Approves an offer, or deprecates or withdraws an item of the library. Installations are not changed. */
export const changeItem = defineCommand<Input>()({
  find: knownWorkspace,
  unknown: 'workspace_unknown',
  async lock(em, { key, version }) {
    await acquireNamedLock(em, 'workflow library');
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    return em.findOne(WorkflowLibraryItem, { key, version }, locked);
  },
  facts: async (_em, row, { key, version }): Promise<Facts> => ({
    row,
    shipped: shippedItems().find((item) => item.key === key && item.version === version),
  }),
  decide({ row, shipped }, { event }, at): ChangeVerdict {
    const item = row ?? shipped;
    if (!item) return { ok: false, code: 'library_item_unknown' };
    return decideItem({ state: item.state, offeredBy: row?.offeredByUid ?? null }, event, personOf(at));
  },
  async write(em, { row, shipped }, { next }, at) {
    const { workspace, event } = at.input;
    const item = row ?? rowOf(em, shipped!, { workspace, person: personOf(at), now: at.now });
    item.state = next;
    if (event === 'approve') {
      item.approvedByUid = personOf(at);
      item.publishedAt = at.now;
    } else if (event === 'deprecate') item.deprecatedAt = at.now;
    else item.withdrawnAt = at.now;
    return { result: item };
  },
  entry: (_facts, verdict, { event }, item) => (verdict.ok ? itemEntry(operations[event], item!) : undefined),
  refusals: {
    workspace_unknown: 'The workspace does not exist.',
    library_item_unknown: 'The library has no such workflow or version.',
    transition_not_allowed: 'The state of the item does not allow this change.',
    second_person_required: 'The person who offered an item cannot approve it.',
  } satisfies Record<RefusalCode<ChangeVerdict> | 'workspace_unknown', string>,
});

/** Creates the row of a shipped item whose state changes for the first time. */
function rowOf(
  em: Em,
  shipped: LibraryItem,
  { workspace, person, now }: { workspace: string; person: string; now: Date },
): WorkflowLibraryItem {
  return em.create(WorkflowLibraryItem, {
    ...shipped,
    uid: newUid(prefixes.workflowLibraryItem),
    offeredInUid: workspace,
    offeredByUid: person,
    approvedByUid: null,
    offeredAt: now,
    publishedAt: now,
    deprecatedAt: null,
    withdrawnAt: null,
  });
}
