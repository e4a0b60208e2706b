import { basename } from 'node:path';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { rejectLines, type RejectedLine } from '#lib/data/import/load/reject-lines.ts';
import { discardingRejects, rejectsFileOf, type SkippedRows } from '#lib/data/import/load/skipped-rows.ts';
import type { Mapping } from '#lib/data/import/readers/mapping.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { completeStatements } from './complete-statements.ts';
import { insertTotals } from './control-total.write.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import { keyedPortfolios } from './portfolio.query.ts';
import { recordImport } from './portfolio.write.ts';
import { readTotals } from './read-totals.query.ts';
import { UNKNOWN_SYMBOL, unknownAmong } from './staged-symbols.query.ts';
import { registerSymbols } from './staged-symbols.write.ts';
import { breaksOfRows, type RowBreak } from './total-breaks.query.ts';
import type { TotalRow } from './total-row.ts';

type Input = Tenant &
  SkippedRows & {
    kind: 'positions' | 'cash';
    path: string;
    mapping?: Mapping | undefined;
    /** Whether totals that differ from the events are recorded. Otherwise their statement is faulty. */
    recordsBreaks: boolean;
    /** Whether unknown symbols are registered as instruments. Otherwise their rows are faulty. */
    isRegistering?: boolean;
  };

/**
 * Imports positions or cash balances of statements: the whole file or, with an `ImportRefused`, nothing. A
 * file states all positions, or all cash, of a portfolio on a day. With `skipBad`, a statement with a
 * faulty row is left out as a whole. A total that differs from the total derived from the events is faulty,
 * unless breaks are recorded. A position in an unknown symbol is faulty, unless symbols are registered. Nothing is
 * corrected.
 */
export const importTotals = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockPortfolios(em, place),
  async facts(em, _locked, input, { place, now }) {
    const portfolios = await keyedPortfolios(em, place);
    const [today, rejects] = [utcDate(now), rejectsFileOf(input)];
    return discardingRejects(rejects, async () => {
      const read = await readTotals(input, { portfolios, today, rejects });
      const { reader, faulty } = read;
      const unknown = input.isRegistering ? [] : await unknownRows(em, place, read.rows);
      const isUnknown = new Set(unknown.map(({ line }) => line));
      const breaks = (await breaksOfRows(em, input.kind, read.rows, today)).filter(
        ({ line }) => !isUnknown.has(line),
      );
      const faults = [...unknown, ...(input.recordsBreaks ? [] : breaks)];
      reader.faults.merge(faults, faults.length);
      // If the statement of a rejected row cannot be determined, any statement may be incomplete, and the missing row
      // would be recorded as a break. The file is then refused.
      const isIncomplete = input.recordsBreaks && read.unattributed > 0;
      if (isIncomplete || (reader.faults.total > 0 && !input.skipBad)) throw reader.faults.refusal();
      const { rows, rejected } = completeStatements(read.rows, { faulty, faults });
      if (rows.length === 0) throw reader.faults.refusal();
      const kept = new Set(rows.map(({ line }) => line));
      const recorded = breaks.filter(({ line }) => kept.has(line)).length;
      return { ...read, rows, rejected, rejects, breaks: recorded };
    });
  },
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, facts, _verdict, at) {
    const { rows, rejected, rejects, breaks, contentHash, reader } = facts;
    const { place, input, now } = at;
    const uid = newUid(prefixes.portfolioImport);
    const counts = { inserted: rows.length, corrected: 0, unchanged: 0, rejected: reader.read - rows.length };
    const file = { kind: input.kind, fileName: basename(input.path), contentHash, now } as const;
    await recordImport(em, uid, place, { ...file, ...counts, read: reader.read, person: personOf(at) });
    await insertTotals(em, uid, { place, rows, now });
    const registered = input.isRegistering
      ? await registerSymbols(em, place.workspace, now, symbolsOf(rows))
      : 0;
    const rejectsPath = await discardingRejects(rejects, async () => {
      if (rejects) await rejectLines(input.path, byLine(rejected), rejects);
      await rejects?.close();
      return rejects?.rows ? rejects.path : undefined;
    });
    return {
      result: { uid, contentHash, rows: { read: reader.read, ...counts }, breaks, registered, rejectsPath },
    };
  },
  entry: (_facts, _verdict, { kind }, imported) =>
    imported && {
      op: 'portfolio.imported',
      subject: { type: 'portfolio_import', uid: imported.uid },
      details: {
        kind,
        content_hash: imported.contentHash,
        rows: imported.rows,
        breaks: imported.breaks,
        registered_symbols: imported.registered,
      },
    },
  refusals: unknownWorkspace,
});

/** Returns the faults of rows whose symbol is in no dataset of the workspace and in no recorded event. */
async function unknownRows(em: Em, place: Tenant, rows: readonly TotalRow[]): Promise<RowBreak[]> {
  const unknown = await unknownAmong(em, place, symbolsOf(rows));
  return rows.flatMap(({ line, symbol }) =>
    symbol !== null && unknown.has(symbol)
      ? [{ line, column: 'symbol', value: symbol, reason: UNKNOWN_SYMBOL }]
      : [],
  );
}

function symbolsOf(rows: readonly TotalRow[]): string[] {
  return [...new Set(rows.flatMap(({ symbol }) => symbol ?? []))];
}

function byLine(rejected: readonly RejectedLine[]): RejectedLine[] {
  return rejected.toSorted((a, b) => a.line - b.line);
}
