import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { WorkflowDefinition } from './definition.schema.ts';
import type { VersionState } from './version-states.ts';

const WorkflowVersionSchema = defineEntity({
  name: 'WorkflowVersion',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    key: p.text(),
    version: p.integer(),
    /** SHA-256 of the RFC 8785 form of the definition. */
    digest: p.text(),
    definition: p.json<WorkflowDefinition>(),
    state: p.text().$type<VersionState>(),
    proposedByUid: p.text(),
    publishedByUid: p.text().nullable(),
    createdAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    /** The installation from which the version was proposed; null for a version from a file. */
    installationUid: p.text().nullable(),
  },
});

/**
 * A version of a workflow. The definition of a version never changes. One person proposes a version, and another person
 * publishes it.
 */
export class WorkflowVersion extends WorkflowVersionSchema.class {}
WorkflowVersionSchema.setClass(WorkflowVersion);
