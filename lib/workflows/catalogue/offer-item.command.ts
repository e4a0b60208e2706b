import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import type { WorkflowDefinition } from '../definition.schema.ts';
import { shipped, type Category } from '../library.ts';
import { itemEntry } from './item-entry.ts';
import { WorkflowLibraryItem } from './workflow-library-item.entity.ts';

/** The largest number of versions of items that operators can offer. */
const ITEMS_MAX = 1_000;

type Input = {
  workspace: string;
  definition: WorkflowDefinition;
  digest: string;
  category: Category;
  publisher: string;
};

type OfferVerdict =
  | { ok: true; version: number }
  | { ok: false; code: 'key_shipped' | 'offer_unchanged' | 'library_full' };

/** Offers the next version of a workflow to every workspace. Another person of the operator approves the offer. */
export const offerItem = defineCommand<Input>()({
  find: knownWorkspace,
  unknown: 'workspace_unknown',
  lock: (em) => acquireNamedLock(em, 'workflow library'),
  facts: async (em, _locked, { definition: { key } }) => ({
    newest: await em.findOne(WorkflowLibraryItem, { key }, { orderBy: { version: 'desc' }, refresh: true }),
    count: await em.count(WorkflowLibraryItem),
  }),
  decide({ newest, count }, { definition: { key }, digest }): OfferVerdict {
    if (shipped.some((item) => item.key === key)) return { ok: false, code: 'key_shipped' };
    const isOpen = newest !== null && newest.state !== 'withdrawn';
    if (isOpen && newest.digest === digest) return { ok: false, code: 'offer_unchanged' };
    if (count >= ITEMS_MAX) return { ok: false, code: 'library_full' };
    return { ok: true, version: (newest?.version ?? 0) + 1 };
  },
  async write(em, _facts, { version }, at) {
    const { workspace, definition, digest, category, publisher } = at.input;
    const item = em.create(WorkflowLibraryItem, {
      uid: newUid(prefixes.workflowLibraryItem),
      key: definition.key,
      version,
      origin: 'offered',
      category,
      publisher,
      digest,
      definition,
      state: 'proposed',
      offeredInUid: workspace,
      offeredByUid: personOf(at),
      approvedByUid: null,
      offeredAt: at.now,
      publishedAt: null,
      deprecatedAt: null,
      withdrawnAt: null,
    });
    return { result: item };
  },
  entry: (_facts, _verdict, _input, item) => item && itemEntry('workflow.library_offered', item),
  refusals: {
    workspace_unknown: 'The workspace does not exist.',
    key_shipped: 'The key belongs to a workflow that comes with Assay.',
    offer_unchanged: 'The newest version of the item has the same content.',
    library_full: `The library takes at most ${ITEMS_MAX} offered versions.`,
  } satisfies Record<RefusalCode<OfferVerdict> | 'workspace_unknown', string>,
});

/** Returns the workspace whose persons make a change of the library; undefined if it does not exist. */
export async function knownWorkspace(
  em: Em,
  { workspace }: { workspace: string },
): Promise<{ workspace: string } | undefined> {
  return (await em.count(Workspace, { uid: workspace }, { filters: false })) > 0 ? { workspace } : undefined;
}
