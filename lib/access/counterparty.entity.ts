import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';

export const counterpartyKinds = ['counterparty', 'custodian'] as const;
export type CounterpartyKind = (typeof counterpartyKinds)[number];

const CounterpartySchema = defineEntity({
  name: 'Counterparty',
  filters: workspaceFilter,
  properties: {
    id: p.integer().primary(),
    workspaceUid: p.text(),
    kind: p.text().$type<CounterpartyKind>(),
    /** The key by which custody evidence names a custodian; null for a counterparty. */
    key: p.text().nullable(),
    name: p.text(),
    state: p.text().$type<'active' | 'archived'>(),
    createdAt: p.datetime(),
  },
});

/**
 * A party that a workspace deals with: a counterparty or a custodian. The API returns `id` as
 * `counterparty_id`.
 */
export class Counterparty extends CounterpartySchema.class {}
CounterpartySchema.setClass(Counterparty);
