import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import type { WorkflowDefinition } from './definition.schema.ts';
import { entryOf } from './version-entry.ts';
import { lockWorkflow, newestVersion } from './version.query.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

type Input = Tenant & { definition: WorkflowDefinition; digest: string };

/** Writes the next version of a workflow. The version can run after another person has published it. */
export const proposeVersion = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { definition }, place) => lockWorkflow(em, place, definition.key),
  facts: (em, _locked, { definition }) => newestVersion(em, definition.key),
  decide: () => ({ ok: true }) as const,
  async write(em, newest, _verdict, at) {
    const { definition, digest, workspace, environment } = at.input;
    const version = em.create(WorkflowVersion, {
      uid: newUid(prefixes.workflowVersion),
      workspaceUid: workspace,
      environment,
      key: definition.key,
      version: (newest?.version ?? 0) + 1,
      digest,
      definition,
      state: 'proposed',
      proposedByUid: personOf(at),
      publishedByUid: null,
      createdAt: at.now,
      publishedAt: null,
      endedAt: null,
    });
    return { result: version };
  },
  entry: (_newest, _verdict, _input, version) => entryOf('proposed', version!),
  refusals: unknownWorkspace,
});
