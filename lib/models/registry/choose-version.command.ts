import { defineCommand, personOf } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { decideChoice } from './choose-version.ts';
import { ModelAlias, ModelVersion } from './model.entity.ts';

type Input = {
  workspace: string;
  key: string;
  /** The version to activate; null if no version is to be the serving version. */
  version: string | null;
};

/**
 * Activates an approved version of a built-in model for a workspace, or removes the serving version. Without a serving
 * version, the workspace's runs are refused.
 */
export const chooseVersion = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { key }, { workspace }) => acquireNamedLock(em, 'model', workspace, key),
  facts: (em, _locked, { key }) => em.find(ModelVersion, { key }),
  decide: (known, { key, version }) => decideChoice(key, version, known),
  async write(em, _facts, _verdict, at) {
    const { workspace: workspaceUid, key, version } = at.input;
    const chosen = { workspaceUid, key, alias: 'active', version };
    em.create(ModelAlias, { ...chosen, setBy: personOf(at), since: at.now });
    return { result: undefined };
  },
  entry: (_facts, verdict, { key, version }) =>
    verdict.ok
      ? {
          op: version === null ? 'model.deactivated' : 'model.activated',
          subject: { type: 'model', uid: key, version: version ?? undefined },
        }
      : undefined,
  refusals: { workspace_unknown: workspaceUnknown },
});
