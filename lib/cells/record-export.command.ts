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
  return recordOf<Input>(op, ({ manifestHash }) => ({ payloadHash: manifestHash }));
}

/** Creates a command that only adds an entry to the log of a workspace. */
export function recordOf<Given extends { workspace: string }>(
  op: Entry['op'],
  more: (input: Given) => Pick<Entry, 'payloadHash' | 'details'>,
) {
  return defineCommand<Given>()({
    find: (em, { workspace }) => placeOfWorkspace(em, workspace),
    unknown: 'workspace_unknown',
    lock: async () => undefined,
    facts: async () => undefined,
    decide: () => ({ ok: true as const }),
    write: async () => ({ result: undefined }),
    entry: (_facts, _verdict, input) => ({
      op,
      subject: { type: 'workspace', uid: input.workspace },
      ...more(input),
    }),
    refusals: { workspace_unknown: workspaceUnknown },
  });
}
