import { defineCommand, type Entry } from '#lib/governance/command.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';

type Input = {
  workspace: string;
  /** SHA-256 of the manifest, which contains the hash of every part of the file. */
  manifestHash: string;
};

/** Records in the workspace's log that everything of the workspace was exported. */
export const recordExport = recordTransfer('workspace.exported');

/** Records in the workspace's log that the workspace was imported from a file. */
export const recordImport = recordTransfer('workspace.imported');

function recordTransfer(op: Entry['op']) {
  return defineCommand<Input>()({
    find: (em, { workspace }) => placeOfWorkspace(em, workspace),
    unknown: 'workspace_unknown',
    lock: async () => undefined,
    facts: async () => undefined,
    decide: () => ({ ok: true as const }),
    write: async () => ({ result: undefined }),
    entry: (_facts, _verdict, { workspace, manifestHash }) => ({
      op,
      subject: { type: 'workspace', uid: workspace },
      payloadHash: manifestHash,
    }),
    refusals: { workspace_unknown: workspaceUnknown },
  });
}
