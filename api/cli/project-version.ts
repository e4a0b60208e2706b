import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import type { ProjectDefinition, WrittenDefinition } from '#lib/quant/project-definition.ts';
import { ProjectVersion, ResearchProject } from '#lib/quant/research-project.entity.ts';
import { resolveDefinition } from '#lib/quant/resolve-definition.repository.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type NewProject = { workspace: string; name: string; written: WrittenDefinition; by: string };

/** A new project in the first version of its definition. The em is bound to the workspace. */
export async function createProject(em: Em, { workspace, name, written, by }: NewProject) {
  const project = em.create(ResearchProject, {
    uid: newUid(prefixes.researchProject),
    workspaceUid: workspace,
    name,
    createdByUid: by,
    createdAt: systemClock.now(),
  });
  await em.flush();
  return writeVersion(em, { project, version: 1, written, by, op: 'project.created' });
}

type NewVersion = {
  project: ResearchProject;
  version: number;
  written: WrittenDefinition;
  by: string;
  op: 'project.created' | 'project.updated';
};

/** Writes a version of a project, resolved as of now. Refuses features that do not go together. */
export async function writeVersion(em: Em, { project, version, written, by, op }: NewVersion) {
  const { id, name, workspaceUid } = project;
  const resolved = await resolveDefinition(em, written);
  if (!resolved.ok) throw new Refusal(resolved.refusal.code, resolved.refusal.detail);
  const definition: ProjectDefinition = resolved.definition;
  const definitionSha256 = canonicalHash(definition);
  const uid = newUid(prefixes.projectVersion);
  const now = systemClock.now();
  em.create(ProjectVersion, {
    uid,
    projectId: id,
    workspaceUid,
    version,
    definition,
    definitionSha256,
    createdByUid: by,
    createdAt: now,
  });
  await record(em, {
    op,
    workspace: workspaceUid,
    by,
    subject: { type: 'project', uid: project.uid },
    details: { id, name, version, definition_sha256: definitionSha256 },
  });
  return { id, uid: project.uid, name, version, definition_sha256: definitionSha256 };
}
