import { isUid } from '#lib/core/id.ts';
import type { Em } from '#lib/database/base.ts';
import { readMatrix } from '#lib/pipeline/run-matrix.write.ts';
import { findRun, type FoundRun } from '#lib/pipeline/run.write.ts';

/** Returns a sealed run of one of these kinds with its sample matrix; undefined if no matrix is stored. */
export async function findSamples(
  em: Em,
  uid: string,
  kinds: readonly string[],
): Promise<{ run: FoundRun['run']; members: Record<string, unknown>; content: Uint8Array } | undefined> {
  const found = isUid(uid) ? await findRun(em, uid) : undefined;
  if (!found?.result || !kinds.includes(found.run.kind)) return undefined;
  const content = await readMatrix(em, uid);
  return content && { run: found.run, members: found.result.members, content };
}
