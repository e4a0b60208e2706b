import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ExportFormat, Granularity, SubjectType } from './lineage-export.ts';
import type { Direction, Gap } from './graph.ts';

const LineageExportSchema = defineEntity({
  name: 'LineageExport',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    subjectType: p.text().$type<SubjectType>(),
    subjectUid: p.text(),
    direction: p.text().$type<Direction>(),
    depth: p.integer(),
    granularity: p.text().$type<Granularity>(),
    format: p.text().$type<ExportFormat>(),
    pinVersions: p.boolean(),
    nodes: p.integer(),
    edges: p.integer(),
    truncated: p.boolean(),
    hasColumns: p.boolean(),
    gaps: p.json().$type<Gap[]>(),
    /** SHA-256 of the nodes and edges. Exports with equal hashes have equal contents. */
    stateHash: p.text(),
    /** The lines of events, or the document; null once the export has expired. */
    content: p.text().nullable(),
    contentHash: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});

/** An export of the lineage of a record. */
export class LineageExport extends LineageExportSchema.class {}
LineageExportSchema.setClass(LineageExport);
