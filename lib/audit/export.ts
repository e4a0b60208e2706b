import { canonicalJson } from '#lib/core/seal.ts';
import { AmbiguousJson, readStrictJson } from '#lib/core/strict-json.ts';
import { LogBroken, LogCheck, type Leaf } from './log-check.ts';
import { EMPTY_ROOT } from './merkle.ts';

/*
 * An exported log is a file of JSON lines. Each entry is a line `{index, leaf_hash, entry}`, in the order of
 * the indexes. The last line is `{workspace, environment, checkpoint}`, so that a truncated file is detected.
 * The leaf hash is computed from the RFC 8785 form of the entry, so white space and the order of members do not matter.
 */

export type ExportEnd = {
  workspace: string;
  environment: string;
  checkpoint: { tree_size: number; root_hash: string; at: string | null };
};

/** Formats the line of an entry. The body is already JSON. */
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

/** The maximum line length, in characters. Audit entries are far shorter. */
const LINE_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * Yields the lines of an exported log. Only a line feed ends a line. Throws a `LogBroken` if the bytes are not UTF-8,
 * or if a line is too long for an entry.
 */
export async function* exportLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new LogBroken('the file is not UTF-8');
    }
  };
  let rest = '';
  for await (const chunk of bytes) {
    const lines = decode(chunk).split('\n');
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    if (rest.length > LINE_CHARACTERS_MAX) throw new LogBroken('a line is too long for an entry');
    yield* lines;
  }
  yield rest + decode();
}

/** Verifies an exported log from the file alone. Throws a `LogBroken` at the first difference. */
export async function verifyExport(lines: AsyncIterable<string>): Promise<ExportEnd> {
  const check = new LogCheck();
  let end: ExportEnd | undefined;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (end) throw new LogBroken('the file continues after the checkpoint');
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
    return Object(readStrictJson(line)) as Record<string, unknown>;
  } catch (error) {
    const fault = error instanceof AmbiguousJson ? error.message : 'it is not JSON';
    throw new LogBroken(`line ${at + 1} cannot be read: ${fault}`);
  }
}

function isEnd(read: Record<string, unknown>): read is ExportEnd {
  return (
    hasMembers(read, 'workspace', 'environment', 'checkpoint') &&
    hasMembers(Object(read['checkpoint']), 'tree_size', 'root_hash', 'at')
  );
}

function leafOf(read: Record<string, unknown>, at: number): Leaf {
  const { index, leaf_hash: leafHash, entry } = read;
  const isEntry = hasMembers(read, 'index', 'leaf_hash', 'entry') && typeof entry === 'object';
  if (!isEntry || typeof index !== 'number' || typeof leafHash !== 'string') {
    throw new LogBroken(`line ${at + 1} is neither an entry nor a checkpoint`);
  }
  return { index, leafHash, body: canonicalJson(entry) };
}

/** Whether a record has exactly these members. */
function hasMembers(record: object, ...names: string[]): boolean {
  return Object.keys(record).length === names.length && names.every((name) => Object.hasOwn(record, name));
}
