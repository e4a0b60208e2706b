import { Workspace } from '#lib/access/workspace.entity.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand } from '#lib/governance/command.ts';
import {
  decideInstallation,
  type InstallationFacts,
  type InstallationRequest,
  type InstallationVerdict,
} from './decide-installation.ts';
import { lockInstallations, withState } from './installation.query.ts';
import { libraryItems, requiredScopes } from './library-items.query.ts';
import { WorkflowInstallation } from './workflow-installation.entity.ts';

type Input = Tenant & InstallationRequest;

/**
 * Installs an item of the library in one environment of a workspace. The installation pins the item's content. The
 * installation writes no version, grants nothing and runs nothing. A person proposes a version from the installation,
 * and another person publishes the version.
 */
export const installItem = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { key }, place) => lockInstallations(em, place, key),
  async facts(em, _locked, { key, replaces }, { place }): Promise<InstallationFacts<WorkflowInstallation>> {
    const refresh = { refresh: true } as const;
    const { entitlements } = await em.findOneOrFail(Workspace, { uid: place.workspace }, refresh);
    const find = (where: object) => em.findOne(WorkflowInstallation, where, refresh);
    return {
      items: await libraryItems(em, key),
      live: await find({ key, supersededAt: null, removedAt: null }),
      replaced: replaces === undefined ? null : await find({ uid: replaces }),
      successor: replaces === undefined ? null : await find({ replacesUid: replaces }),
      missingEntitlements: (item) => requiredScopes(item).filter((scope) => !entitlements.includes(scope)),
    };
  },
  decide: (facts, request): InstallationVerdict<WorkflowInstallation> => decideInstallation(facts, request),
  async write(em, _facts, verdict, at) {
    if (verdict.existing) return { result: await withState(em, verdict.existing) };
    const { item, parameters, parametersHash, supersedes } = verdict;
    const { workspace, environment } = at.input;
    if (supersedes) {
      supersedes.supersededAt = at.now;
      await em.flush(); // the index allows one live installation per key
    }
    const installation = em.create(WorkflowInstallation, {
      uid: newUid(prefixes.workflowInstallation),
      workspaceUid: workspace,
      environment,
      key: item.key,
      version: item.version,
      digest: item.digest,
      definition: item.definition,
      parameters,
      parametersHash,
      replacesUid: supersedes?.uid ?? null,
      installedByUid: applicationOf(at),
      createdAt: at.now,
      supersededAt: null,
      removedAt: null,
      removedByUid: null,
    });
    return { result: { installation, state: 'installed_disabled' as const } };
  },
  entry: (_facts, verdict, _input, done) =>
    verdict.ok && !verdict.existing
      ? {
          op: 'workflow.installed',
          subject: { type: 'workflow_installation', uid: done!.installation.uid },
          payloadHash: verdict.parametersHash,
          afterHash: verdict.item.digest,
          details: {
            workflow: verdict.item.key,
            version: verdict.item.version,
            replaces: verdict.supersedes?.uid ?? null,
          },
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    library_item_unknown: 'The library has no such workflow or version.',
    library_item_withdrawn: 'The workflow was withdrawn from the library.',
    replaces_unknown: 'The workspace has no such installation of this workflow.',
    parameters_invalid: 'The parameters do not match the inputs of the workflow.',
    entitlement_missing: 'The workspace is not entitled to everything that the workflow needs.',
    different_version_installed:
      'The workflow is already installed in another version or with other parameters; name that installation in replaces.',
    installation_superseded: 'The installation to replace was already replaced or removed.',
  },
});
