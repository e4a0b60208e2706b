import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { isLive } from './catalogue/installation-states.ts';
import { WorkflowInstallation } from './catalogue/workflow-installation.entity.ts';
import type { WorkflowDefinition } from './definition.schema.ts';
import { entryOf } from './version-entry.ts';
import { lockWorkflow, newestVersion } from './version.query.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

type Input = Tenant & {
  definition: WorkflowDefinition;
  digest: string;
  /** The installation whose content is proposed. */
  installation?: string | undefined;
};

type ProposalVerdict =
  | { ok: true }
  | { ok: false; code: 'installation_unknown' | 'installation_ended' | 'installation_differs' };

/**
 * Writes the next version of a workflow. The version can run after another person has published it. A version that is
 * proposed from an installation has exactly the content of the installation.
 */
export const proposeVersion = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { definition }, place) => lockWorkflow(em, place, definition.key),
  facts: async (em, _locked, { definition, installation: uid }) => ({
    newest: await newestVersion(em, definition.key),
    installation:
      uid === undefined ? null : await em.findOne(WorkflowInstallation, { uid }, { refresh: true }),
  }),
  decide({ installation }, { digest, installation: uid }): ProposalVerdict {
    if (uid === undefined) return { ok: true };
    if (!installation) return { ok: false, code: 'installation_unknown' };
    if (!isLive(installation)) return { ok: false, code: 'installation_ended' };
    return installation.digest === digest ? { ok: true } : { ok: false, code: 'installation_differs' };
  },
  async write(em, { newest }, _verdict, at) {
    const { definition, digest, workspace, environment, installation } = at.input;
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
      installationUid: installation ?? null,
    });
    return { result: version };
  },
  entry: (_facts, _verdict, _input, version) => version && entryOf('proposed', version),
  refusals: {
    ...unknownWorkspace,
    installation_unknown: 'The workspace has no such installation.',
    installation_ended: 'The installation was replaced or removed.',
    installation_differs: 'The content differs from the content that is installed.',
  } satisfies Record<RefusalCode<ProposalVerdict> | 'workspace_unknown', string>,
});
