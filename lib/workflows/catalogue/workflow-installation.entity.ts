import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { WorkflowDefinition } from '../definition.schema.ts';
import type { ParameterValues } from '../parameters.ts';

const WorkflowInstallationSchema = defineEntity({
  name: 'WorkflowInstallation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    key: p.text(),
    version: p.integer(),
    /** SHA-256 of the RFC 8785 form of the definition, as it was in the library. */
    digest: p.text(),
    definition: p.json<WorkflowDefinition>(),
    parameters: p.json<ParameterValues>(),
    parametersHash: p.text(),
    /** The installation that this installation replaced. */
    replacesUid: p.text().nullable(),
    installedByUid: p.text(),
    createdAt: p.datetime(),
    supersededAt: p.datetime().nullable(),
    removedAt: p.datetime().nullable(),
    removedByUid: p.text().nullable(),
  },
});

/** An installed item of the library. It pins the content of the item, grants nothing and runs nothing. */
export class WorkflowInstallation extends WorkflowInstallationSchema.class {}
WorkflowInstallationSchema.setClass(WorkflowInstallation);
