import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { knownPlace } from '#lib/access/known-place.query.ts';
import { workspaceUnknown } from '#lib/access/workspace.query.ts';
import { contentOf, createSnapshot, sealedEntry } from './value-snapshot.write.ts';

/** Seals a snapshot of the value of financial actions in one environment of a workspace. */
export const sealValueSnapshot = defineCommand<Tenant>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: (em, _locked, _input, { now }) => contentOf(em, now),
  decide: () => ({ ok: true as const }),
  async write(em, content, _verdict, { now }) {
    return { result: await createSnapshot(em, content, now) };
  },
  entry: (_content, _verdict, _input, snapshot) => snapshot && sealedEntry(snapshot),
  refusals: { workspace_unknown: workspaceUnknown },
});
