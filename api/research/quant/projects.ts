import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, ListOf, Sha256Of, Uid, pageQuery } from '#lib/core/schema.ts';
import { ProjectDefinition } from '#lib/research/project-definition.ts';
import { listProjects, type ProjectInVersion } from '#lib/research/research-project.query.ts';
import { ProjectId } from '#lib/research/research-snapshots.schema.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';

const Project = Closed(
  {
    uid: Uid(prefixes.researchProject, 'Identifier of the project.'),
    id: ProjectId,
    name: Type.String({
      minLength: 1,
      description: 'The name of the project. Unique in the workspace.',
      examples: ['Momentum'],
    }),
    version: Type.Integer({ minimum: 1, description: 'The number of the newest version of the definition.' }),
    definition: ProjectDefinition,
    definition_sha256: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
    created_at: InstantOf('When the project was created.'),
    defined_at: InstantOf('When this version of the definition was written.'),
  },
  { title: 'ResearchProject', description: 'A research project with the newest version of its definition.' },
);

export const listResearchProjects = defineOperation({
  key: 'quant.projects.list',
  product: 'Quant',
  method: 'GET',
  path: '/quant/projects',
  scope: 'quant:research:read',
  summary: 'Lists the research projects of the workspace, newest first.',
  description:
    'Each project is returned with the newest version of its definition. Projects are created and changed ' +
    'on the command line.',
  query: Closed(pageQuery),
  success: { status: 200, description: 'A page of projects.', schema: ListOf(Project) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    return listReply(services, query, {
      list: '/quant/projects',
      filters: {},
      hasLargeRows: true,
      rows: listProjects,
      present: presentProject,
    });
  },
});

function presentProject(project: ProjectInVersion) {
  return {
    uid: project.uid,
    id: project.id,
    name: project.name,
    version: project.version,
    definition: project.definition,
    definition_sha256: project.definitionSha256,
    created_at: new Date(project.createdAt).toISOString(),
    defined_at: new Date(project.definedAt).toISOString(),
  };
}
