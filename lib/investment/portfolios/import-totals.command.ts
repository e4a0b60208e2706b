import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { FaultList, refuseFile } from '#lib/data/import/load/fault-list.ts';
import type { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import type { Mapping } from '#lib/data/import/readers/mapping.ts';
import { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { insertTotals } from './control-total.write.ts';
import type { KnownPortfolios } from './event-row.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import { keyedPortfolios } from './portfolio.query.ts';
import { recordImport } from './portfolio.write.ts';
import { breaksOfRows, type RowBreak } from './total-breaks.query.ts';
import { cashColumns, positionColumns, totalParser, type TotalRow } from './total-row.ts';

type Kind = 'positions' | 'cash';
type Input = Tenant & {
  kind: Kind;
  path: string;
  mapping?: Mapping | undefined;
  /** Whether totals that differ from the events are recorded. Otherwise the file is refused. */
  recordsBreaks: boolean;
};

/** Maximum number of rows in a file. */
const ROWS_MAX = 100_000;

/**
 * Imports positions or cash balances of a statement: the whole file or, with an `ImportRefused`, nothing. A
 * file states all positions, or all cash, of its portfolios on its days. The file is refused if its totals
 * differ from the totals derived from the events, unless breaks are recorded. Nothing is corrected.
 */
export const importTotals = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockPortfolios(em, place),
  async facts(em, _locked, input, { place, now }) {
    const portfolios = await keyedPortfolios(em, place);
    const { rows, contentHash } = await readTotals(input, portfolios, utcDate(now));
    return { rows, contentHash, breaks: await breaksOfRows(em, input.kind, rows, utcDate(now)) };
  },
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, { rows, contentHash, breaks }, _verdict, at) {
    const { place, input, now } = at;
    const uid = newUid(prefixes.portfolioImport);
    if (breaks.length > 0 && !input.recordsBreaks) throw refuseTotals(breaks);
    const counts = { inserted: rows.length, corrected: 0, unchanged: 0 };
    const facts = { kind: input.kind, fileName: basename(input.path), contentHash, now } as const;
    await recordImport(em, uid, place, { ...facts, ...counts, read: rows.length, person: personOf(at) });
    await insertTotals(em, uid, { place, rows, now });
    return { result: { uid, contentHash, rows: { read: rows.length, ...counts }, breaks: breaks.length } };
  },
  entry: (_facts, _verdict, { kind }, imported) =>
    imported && {
      op: 'portfolio.imported',
      subject: { type: 'portfolio_import', uid: imported.uid },
      details: { kind, content_hash: imported.contentHash, rows: imported.rows, breaks: imported.breaks },
    },
  refusals: unknownWorkspace,
});

/** Returns the refusal of a file whose totals differ from the events, with one fault for each difference. */
function refuseTotals(breaks: readonly RowBreak[]): ImportRefused {
  const faults = new FaultList();
  for (const each of breaks) faults.add(each);
  return faults.refusal();
}

async function readTotals(
  { kind, path, mapping }: Input,
  portfolios: KnownPortfolios,
  today: string,
): Promise<{ rows: TotalRow[]; contentHash: string }> {
  const hash = createHash('sha256');
  const reader = new RowReader<TotalRow>({
    path,
    rules: kind === 'positions' ? positionColumns : cashColumns,
    mapping,
    parser: (columns) => totalParser(kind, columns, { portfolios, today }),
    hash,
  });
  const rows: TotalRow[] = [];
  for await (const batch of reader.batches()) {
    rows.push(...batch);
    if (rows.length > ROWS_MAX)
      throw refuseFile(rows[ROWS_MAX]!.line, [
        { column: null, value: null, reason: `the file has more than ${ROWS_MAX} rows` },
      ]);
  }
  if (reader.faults.total > 0) throw reader.faults.refusal();
  return { rows, contentHash: hash.digest('hex') };
}
