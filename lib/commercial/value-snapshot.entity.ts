import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ValueContent } from './value.ts';

const ValueSnapshotSchema = defineEntity({
  name: 'ValueSnapshot',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    asOf: p.datetime(),
    content: p.json<ValueContent>(),
    /** SHA-256 of the RFC 8785 form of the content. */
    snapshotHash: p.text(),
  },
});

/** A sealed report of the value of a workspace's financial actions at a moment. */
export class ValueSnapshot extends ValueSnapshotSchema.class {}
ValueSnapshotSchema.setClass(ValueSnapshot);
