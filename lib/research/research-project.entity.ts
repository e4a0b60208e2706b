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
    /** Unique in the workspace. */
    name: p.text(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** What a workspace researches. The integer is the `project_id` of the interface. */
export class ResearchProject extends ResearchProjectSchema.class {}
ResearchProjectSchema.setClass(ResearchProject);

const ProjectVersionSchema = defineEntity({
  name: 'ProjectVersion',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    projectId: p.integer(),
    workspaceUid: p.text(),
    /** Counts from 1; the highest is the one that snapshots are made of. */
    version: p.integer(),
    definition: p.json<ProjectDefinition>(),
    definitionSha256: p.text(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** A definition of a project. It never changes: another one is another version. */
export class ProjectVersion extends ProjectVersionSchema.class {}
ProjectVersionSchema.setClass(ProjectVersion);
