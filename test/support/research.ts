import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { ProjectDefinition } from '#lib/research/project-definition.ts';
import { ProjectVersion, ResearchProject } from '#lib/research/research-project.entity.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { createFeature } from './feature.ts';

let count = 0;

export const SNAPSHOTS = '/quant/research/snapshots';
export const EXPERIMENTS = '/quant/research/runs';

/**
 * Creates a project of a workspace; returns its `project_id`. Bypasses the rules of the command line, so that
 * a test can create records that break these rules.
 */
export function createProject(
  backend: Pick<Backend, 'orm'>,
  { workspace, person }: Pick<Tenancy, 'workspace' | 'person'>,
  features: readonly string[],
  more: Partial<ProjectDefinition> = {},
): Promise<number> {
  const definition: ProjectDefinition = {
    universe: { kind: 'observed' },
    features: features.map((key) => ({ key, version: 1 })),
    target: null,
    calendar: 'any_day',
    ...more,
  };
  const made = { workspaceUid: workspace, createdByUid: person, createdAt: new Date() };
  return inPlatform(backend.orm('operator'), async (em) => {
    const project = em.create(ResearchProject, {
      ...made,
      uid: newUid(prefixes.researchProject),
      name: `Project ${process.pid} ${++count}`,
    });
    await em.flush();
    em.create(ProjectVersion, {
      ...made,
      uid: newUid(prefixes.projectVersion),
      projectId: project.id,
      version: 1,
      definition,
      definitionSha256: canonicalHash(definition),
    });
    await em.flush();
    return project.id;
  });
}

/** Creates a project of a workspace; returns its uid. */
export async function createListedProject(backend: Backend, tenancy: Tenancy): Promise<string> {
  const { key } = await createFeature(backend, tenancy);
  const id = await createProject(backend, tenancy, [key]);
  const { data } = (await clientOf(backend, tenancy.key).get('/quant/projects')).body;
  return data.find((project: { id: number }) => project.id === id).uid;
}

/** Creates a sealed snapshot of its own project; returns its uid. */
export async function createSnapshot(backend: Backend, tenancy: Tenancy): Promise<string> {
  const { key } = await createFeature(backend, tenancy);
  const project_id = await createProject(backend, tenancy, [key]);
  const answer = await clientOf(backend, tenancy.key).post(SNAPSHOTS, {
    project_id,
    as_of_date: '2020-01-31',
  });
  return answer.body.uid;
}

/** Creates an experiment on a snapshot; returns its uid. */
export async function createExperiment(backend: Backend, tenancy: Tenancy): Promise<string> {
  const snapshot = await createSnapshot(backend, tenancy);
  const { key } = await createFeature(backend, tenancy);
  const target = { feature: key, horizons_months: [1] };
  const client = clientOf(backend, tenancy.key);
  const { headers } = await client.post(
    EXPERIMENTS,
    { snapshots: [snapshot], target },
    { prefer: 'respond-async' },
  );
  return headers.get('location')!.split('/').at(-1)!;
}
