import { defineEntity, p } from '@mikro-orm/core';
import type { WorkflowDefinition } from '../definition.schema.ts';
import type { Category } from '../library.ts';
import type { ItemOrigin, ItemState } from './library-item.ts';

const WorkflowLibraryItemSchema = defineEntity({
  name: 'WorkflowLibraryItem',
  properties: {
    uid: p.text().primary(),
    key: p.text(),
    version: p.integer(),
    origin: p.text().$type<ItemOrigin>(),
    category: p.text().$type<Category>(),
    publisher: p.text(),
    /** SHA-256 of the RFC 8785 form of the definition. */
    digest: p.text(),
    definition: p.json<WorkflowDefinition>(),
    state: p.text().$type<ItemState>(),
    /** The workspace whose persons offer the item. */
    offeredInUid: p.text(),
    offeredByUid: p.text(),
    approvedByUid: p.text().nullable(),
    offeredAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
    deprecatedAt: p.datetime().nullable(),
    withdrawnAt: p.datetime().nullable(),
  },
});

/**
 * A version of a workflow that two persons of the operator offer to every workspace. A shipped item has a row only if
 * its state differs from the shipped one.
 */
export class WorkflowLibraryItem extends WorkflowLibraryItemSchema.class {}
WorkflowLibraryItemSchema.setClass(WorkflowLibraryItem);
