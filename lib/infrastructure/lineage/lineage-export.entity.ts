import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ExportFormat, Granularity, StoredState, SubjectType } from './lineage-export.ts';
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
    state: p.text().$type<StoredState>().default('ready'),
    /** Identifies the request together with the scopes of its caller. */
    requestHash: p.text().nullable(),
    /** The scopes of the caller; null for an export that was built within its request. */
    scopes: p.array().nullable(),
    attempts: p.integer().default(0),
    startedAt: p.datetime().nullable(),
    problemCode: p.text().nullable(),
    /** The members from here to the hash of the content are null until the export is ready. */
    nodes: p.integer().nullable(),
    edges: p.integer().nullable(),
    truncated: p.boolean().nullable(),
    hasColumns: p.boolean().nullable(),
    gaps: p.json().$type<Gap[]>().nullable(),
    /** SHA-256 of the nodes and edges. Exports with equal hashes have equal contents. */
    stateHash: p.text().nullable(),
    /** The content as an earlier release stored it; null for other exports, and once the export has expired. */
    content: p.text().nullable(),
    /** The lines of events, or the document, in UTF-8 and compressed; null once the export has expired. */
    contentGzip: p.blob().nullable(),
    contentHash: p.text().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});

/** An export of the lineage of a record. */
export class LineageExport extends LineageExportSchema.class {}
LineageExportSchema.setClass(LineageExport);
