import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#lib/core/clock.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Orm } from '#lib/database/base.ts';
import { exportWorkspace } from './export-workspace.ts';
import { importWorkspace, type ImportOptions } from './import-workspace.ts';
import type { CellKeys } from './secrets.ts';

/** A cell as the operator reaches it. */
export type CellAccess = {
  /** The URL of a role that sees every row. */
  url: string;
  /** The database with the operator's role. */
  orm: Orm;
  keys: CellKeys;
};

type Transfer = Pick<ImportOptions, 'isRehearsal' | 'proveReturn'> & {
  /** Is called with the hash of the manifest before the import begins. */
  noteExport?: (manifestHash: string) => Promise<void>;
};

/** Exports a workspace to a temporary file and imports it into the target. */
export async function transferWorkspace(
  { source, target }: { source: CellAccess; target: CellAccess },
  { workspace, clock, folder }: { workspace: string; clock: Clock; folder: string },
  { noteExport, ...options }: Transfer,
) {
  const own = await mkdtemp(path.join(folder, 'assay-move-'));
  try {
    const file = path.join(own, 'workspace.assay');
    const started = performance.now();
    const { manifest, secret } = await exportWorkspace(source.url, workspace, file, {
      clock,
      keys: source.keys,
    });
    const exported = performance.now();
    const manifestHash = canonicalHash(manifest);
    await noteExport?.(manifestHash);
    const { seals } = await importWorkspace(target.url, file, {
      ...options,
      secret,
      keys: target.keys,
      trustedKeys: manifest.signing_keys.map(({ keyid }) => keyid),
      clock,
    });
    const seconds = (from: number, to: number) => Math.round(to - from) / 1_000;
    return {
      manifest,
      manifestHash,
      seals,
      exportSeconds: seconds(started, exported),
      importSeconds: seconds(exported, performance.now()),
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
