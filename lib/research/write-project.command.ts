import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type Entry } from '#lib/governance/command.ts';
import { knownPlace } from '#lib/access/known-place.query.ts';
import { workspaceUnknown } from '#lib/access/workspace.query.ts';
import type { ProjectDefinition, WrittenDefinition } from './project-definition.ts';
import { ProjectVersion, ResearchProject } from './research-project.entity.ts';
import { findProject } from './research-project.query.ts';
import { resolveDefinition, type Resolution } from './resolve-definition.query.ts';

type Given = { workspace: string; written: WrittenDefinition };

type Unresolved = Extract<Resolution, { ok: false }>['refusal'];

type ProjectVerdict<Code extends string> =
  | { ok: true; definition: ProjectDefinition }
  | { ok: false; code: Code; detail?: undefined }
  | ({ ok: false } & Unresolved);

/**
 * Returns the tenant of a project. A project belongs to both environments of its workspace; its transaction
 * runs in the sandbox.
 */
async function placeOfProjects(em: Em, { workspace }: Given): Promise<Tenant | undefined> {
  return knownPlace(em, { workspace, environment: 'sandbox' });
}

/** Returns the detail of the refusal of a definition that cannot be resolved. The detail names the feature. */
function unresolved(_input: Given, refused: object): string {
  return (refused as Unresolved).detail;
}

const refusals = {
  workspace_unknown: workspaceUnknown,
  feature_unknown: unresolved,
  feature_repeated: unresolved,
  entity_types_differ: unresolved,
  leakage: unresolved,
};

/** Creates a research project with the first version of its definition, resolved at this time. */
export const createProject = defineCommand<Given & { name: string }>()({
  find: placeOfProjects,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: async (em, _locked, { name, written }) => ({
    known: await em.count(ResearchProject, { name }),
    resolution: await resolveDefinition(em, written),
  }),
  decide: ({ known, resolution }): ProjectVerdict<'project_exists'> =>
    known ? { ok: false, code: 'project_exists' } : verdictOf(resolution),
  async write(em, _facts, { definition }, at) {
    const { workspace: workspaceUid, name } = at.input;
    const by = { createdByUid: personOf(at), createdAt: at.now };
    const uid = newUid(prefixes.researchProject);
    const project = em.create(ResearchProject, { uid, workspaceUid, name, ...by });
    await em.flush();
    return writeVersion(em, project, { version: 1, definition, ...by });
  },
  entry: (_facts, _verdict, _input, made) => made && entryOf('project.created', made),
  refusals: {
    ...refusals,
    project_exists: ({ name }) => `The workspace already has a project named ${name}.`,
  },
});

/** Writes a new version of the definition of a project, resolved at this time. */
export const updateProject = defineCommand<Given & { id: number }>()({
  find: placeOfProjects,
  unknown: 'workspace_unknown',
  lock: (em, { id }) => em.findOne(ResearchProject, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
  async facts(em, project, { id, written }) {
    const newest = await findProject(em, { id });
    return project && newest && { project, newest, resolution: await resolveDefinition(em, written) };
  },
  decide: (facts): ProjectVerdict<'project_unknown'> =>
    facts ? verdictOf(facts.resolution) : { ok: false, code: 'project_unknown' },
  async write(em, facts, { definition }, at) {
    const { project, newest } = facts!;
    const by = { createdByUid: personOf(at), createdAt: at.now };
    return writeVersion(em, project, { version: newest.version + 1, definition, ...by });
  },
  entry: (_facts, _verdict, _input, made) => made && entryOf('project.updated', made),
  refusals: {
    ...refusals,
    project_unknown: ({ id }) => `The workspace has no project ${id}.`,
  },
});

function verdictOf(resolution: Resolution) {
  return resolution.ok ? resolution : { ok: false as const, ...resolution.refusal };
}

type NewVersion = Pick<ProjectVersion, 'version' | 'definition' | 'createdByUid' | 'createdAt'>;

/** The data that identifies a written version of a project. */
type Made = { id: number; uid: string; name: string; version: number; definition_sha256: string };

async function writeVersion(em: Em, { id, uid, name, workspaceUid }: ResearchProject, given: NewVersion) {
  const { version, definition } = given;
  const definitionSha256 = canonicalHash(definition);
  em.create(ProjectVersion, {
    ...given,
    uid: newUid(prefixes.projectVersion),
    projectId: id,
    workspaceUid,
    definitionSha256,
  });
  const result: Made = { id, uid, name, version, definition_sha256: definitionSha256 };
  return { result, recordedIn: { workspace: workspaceUid } };
}

function entryOf(op: Entry['op'], { uid, ...details }: Made): Entry {
  return { op, subject: { type: 'project', uid }, details };
}
