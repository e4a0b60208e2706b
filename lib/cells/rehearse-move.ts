import { inPlatform } from '#lib/database/orm.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { referencesIn, remedyOf, type ForeignReference } from './foreign-references.ts';
import { lockMove } from './move-lock.ts';
import { moveOf, notBegun } from './move.command.ts';
import { decideBegin } from './move-state.ts';
import type { Move } from './move-workspace.ts';
import { CellRefused } from './refused.ts';
import { transferWorkspace, type CellAccess } from './transfer-workspace.ts';

/** The result of a rehearsal: the obstacles to the move, or else its size and duration. */
export type Rehearsal = {
  /** The obstacles to the move: each with a code, and for a record with its table, its uid and a remedy. */
  blockers: Blocker[];
  /** The rows and bytes of the export; null if there are obstacles. */
  size: { rows: number; bytes: number; tables: { name: string; rows: number; bytes: number }[] } | null;
  exportSeconds: number | null;
  importSeconds: number | null;
};

export type Blocker =
  | ({ code: 'references_foreign'; remedy: string } & Omit<ForeignReference, 'columns'>)
  | { code: string; detail: string };

/**
 * Finds the obstacles to a move, the size of the workspace and the duration of its copy: exports it without a freeze and
 * imports it into the target without a commit. Neither cell changes, apart from gaps in numbers of the target. The move
 * freezes the workspace for about as long, and waits for open transactions before that.
 */
export async function rehearseMove(
  source: CellAccess,
  target: CellAccess,
  move: Pick<Move, 'workspace' | 'to' | 'clock' | 'folder'>,
): Promise<Rehearsal> {
  const { workspace, to } = move;
  const nothing = { size: null, exportSeconds: null, importSeconds: null };
  const lock = await lockMove({ source: source.url, target: target.url }, workspace);
  try {
    const verdict = decideBegin(await inPlatform(source.orm, (em) => moveOf(em, workspace)), to);
    if (!verdict.ok)
      return { blockers: [{ code: verdict.code, detail: notBegun[verdict.code] }], ...nothing };
    const references = await referencesIn(source.url, workspace);
    if (references.length > 0) return { blockers: references.map(blockerOf), ...nothing };
    const { manifest, exportSeconds, importSeconds } = await transferWorkspace({ source, target }, move, {
      isRehearsal: true,
      proveReturn: async () => unnamed,
    });
    const tables = manifest.tables
      .map(({ name, rows, members }) => ({
        name,
        rows,
        bytes: members.reduce((sum, { bytes }) => sum + bytes, 0),
      }))
      .filter(({ rows }) => rows > 0)
      .toSorted((one, other) => other.bytes - one.bytes);
    const [rows, bytes] = [
      tables.reduce((sum, each) => sum + each.rows, 0),
      tables.reduce((sum, each) => sum + each.bytes, 0),
    ];
    return { blockers: [], size: { rows, bytes, tables }, exportSeconds, importSeconds };
  } catch (error) {
    if (!(error instanceof CellRefused)) throw error;
    return { blockers: [{ code: error.code, detail: error.message }], ...nothing };
  } finally {
    await lock.release();
  }
}

function blockerOf({ columns: _, ...reference }: ForeignReference): Blocker {
  return { code: 'references_foreign', ...reference, remedy: remedyOf(reference) };
}
