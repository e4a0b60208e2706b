import { defineEntity, p } from '@mikro-orm/core';

export const modelStates = ['draft', 'trained', 'evaluated', 'approved', 'retired'] as const;
export type ModelState = (typeof modelStates)[number];

const ModelVersionSchema = defineEntity({
  name: 'ModelVersion',
  properties: {
    key: p.text().primary(),
    version: p.text().primary(),
    state: p.text().$type<ModelState>(),
    description: p.text(),
    authoredBy: p.text(),
    approvedBy: p.text().nullable(),
    approvedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

/** A version of a model in the registry. */
export class ModelVersion extends ModelVersionSchema.class {}
ModelVersionSchema.setClass(ModelVersion);

const ModelAliasSchema = defineEntity({
  name: 'ModelAlias',
  properties: {
    id: p.bigint().primary(),
    /**
     * The workspace that chose the version. Null for the choice of the platform, which applies to every workspace
     * without its own choice.
     */
    workspaceUid: p.text().nullable(),
    key: p.text(),
    alias: p.text(),
    /** The version that the alias names from the time of the entry on; null if the alias names no version. */
    version: p.text().nullable(),
    setBy: p.text(),
    since: p.datetime(),
  },
});

/** An entry of the history of an alias: which version the alias names from a time on. The latest entry is in force. */
export class ModelAlias extends ModelAliasSchema.class {}
ModelAliasSchema.setClass(ModelAlias);
