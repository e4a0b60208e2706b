import type { Category } from '../library.ts';
import type { WorkflowDefinition } from '../definition.schema.ts';

export const itemStates = ['proposed', 'published', 'deprecated', 'withdrawn'] as const;
export type ItemState = (typeof itemStates)[number];

export const itemEvents = ['approve', 'deprecate', 'withdraw'] as const;
export type ItemEvent = (typeof itemEvents)[number];

/** The origin of an item: it comes with Assay, or two persons of the operator offer it. */
export const itemOrigins = ['shipped', 'offered'] as const;
export type ItemOrigin = (typeof itemOrigins)[number];

/** A version of a workflow in the library, with its content. */
export type LibraryItem = {
  key: string;
  version: number;
  origin: ItemOrigin;
  category: Category;
  publisher: string;
  digest: string;
  definition: WorkflowDefinition;
  state: ItemState;
};

export type ItemVerdict =
  | { ok: true; next: ItemState }
  | { ok: false; code: 'transition_not_allowed' | 'second_person_required' };

/**
 * Decides the next state of a library item. The person who approves an offer must differ from the person who made it.
 * One person alone can deprecate or withdraw an item, because both changes only prevent new installations.
 */
export function decideItem(
  { state, offeredBy }: { state: ItemState; offeredBy: string | null },
  event: ItemEvent,
  person: string,
): ItemVerdict {
  const refused = { ok: false, code: 'transition_not_allowed' } as const;
  switch (event) {
    case 'approve':
      if (state !== 'proposed') return refused;
      return person === offeredBy
        ? { ok: false, code: 'second_person_required' }
        : { ok: true, next: 'published' };
    case 'deprecate':
      return state === 'published' ? { ok: true, next: 'deprecated' } : refused;
    case 'withdraw':
      return state === 'withdrawn' ? refused : { ok: true, next: 'withdrawn' };
  }
}
