import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { ProjectDefinition } from './project-definition.ts';

const ResearchProjectSchema = defineEntity({
  name: 'ResearchProject',
  filters: workspaceFilter,
  properties: {
    id: p.integer().primary(),
    uid: p.text(),
    workspaceUid: p.text(),
    /** Name of the project, unique in the workspace. */
    name: p.text(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** A research project of a workspace. `id` is the `project_id` of the API. */
export class ResearchProject extends ResearchProjectSchema.class {}
ResearchProjectSchema.setClass(ResearchProject);

const ProjectVersionSchema = defineEntity({
  name: 'ProjectVersion',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    projectId: p.integer(),
    workspaceUid: p.text(),
    /** The version number, starting at 1. New snapshots use the highest version. */
    version: p.integer(),
    definition: p.json<ProjectDefinition>(),
    definitionSha256: p.text(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** A version of the definition of a project. A version never changes. */
export class ProjectVersion extends ProjectVersionSchema.class {}
ProjectVersionSchema.setClass(ProjectVersion);
