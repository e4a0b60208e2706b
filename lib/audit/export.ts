import { canonicalJson } from '#lib/core/seal.ts';
import { LogBroken, LogCheck, type Leaf } from './log-check.ts';
import { EMPTY_ROOT } from './merkle.ts';

/*
 * An exported log is lines of JSON: an entry each, `{index, leaf_hash, entry}`, in the order of their places, and at the
 * end `{workspace, environment, checkpoint}`, so that a file which was cut off shows it. The leaf hash is that of the
 * entry in RFC 8785 form, so the lines may be written anew without harm.
 */

export type ExportEnd = {
  workspace: string;
  environment: string;
  checkpoint: { tree_size: number; root_hash: string; at: string | null };
};

/** The line of an entry. Its body is JSON already. */
export function lineOf({ index, leafHash, body }: Leaf): string {
  return `{"index":${index},"leaf_hash":${JSON.stringify(leafHash)},"entry":${body}}\n`;
}

export function endOf(
  tenant: { workspace: string; environment: string },
  newest: { size: number; root: string; at: Date } | undefined,
): string {
  const end: ExportEnd = {
    workspace: tenant.workspace,
    environment: tenant.environment,
    checkpoint: {
      tree_size: newest?.size ?? 0,
      root_hash: newest?.root ?? EMPTY_ROOT,
      at: newest?.at.toISOString() ?? null,
    },
  };
  return `${JSON.stringify(end)}\n`;
}

/** Recomputes an exported log from the file alone. The first difference throws a `LogBroken`. */
export async function verifyExport(lines: AsyncIterable<string>): Promise<ExportEnd> {
  const check = new LogCheck();
  let end: ExportEnd | undefined;
  for await (const line of lines) {
    if (line === '') continue;
    if (end) throw new LogBroken('something stands behind the checkpoint');
    const read = parse(line, check.size);
    if (isEnd(read)) {
      check.agree({ size: read.checkpoint.tree_size, root: read.checkpoint.root_hash });
      end = read;
    } else check.add(leafOf(read, check.size));
  }
  if (!end) throw new LogBroken(`the file ends after ${check.size} entries, without its checkpoint`);
  return end;
}

function parse(line: string, at: number): Record<string, unknown> {
  try {
    return Object(JSON.parse(line)) as Record<string, unknown>;
  } catch {
    throw new LogBroken(`line ${at + 1} is no JSON`);
  }
}

function isEnd(read: Record<string, unknown>): read is ExportEnd {
  return typeof read['checkpoint'] === 'object' && read['checkpoint'] !== null;
}

function leafOf(read: Record<string, unknown>, at: number): Leaf {
  const { index, leaf_hash: leafHash, entry } = read;
  if (typeof index !== 'number' || typeof leafHash !== 'string' || typeof entry !== 'object') {
    throw new LogBroken(`line ${at + 1} is neither an entry nor a checkpoint`);
  }
  return { index, leafHash, body: canonicalJson(entry) };
}
