import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { refuseFile } from '#lib/data/import/load/fault-list.ts';
import type { Mapping } from '#lib/data/import/readers/mapping.ts';
import { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { comparedTerms } from './portfolio-terms.query.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import { portfolioColumns, portfolioParser, type PortfolioRow } from './portfolio-row.ts';
import { bookSettledOrders } from './settled-order.write.ts';
import { recordImport, writePortfolios, type TermChange } from './portfolio.write.ts';

type Input = Tenant & { path: string; mapping?: Mapping | undefined };

/** Maximum number of portfolios in a file. */
const PORTFOLIOS_MAX = 10_000;
/** Maximum number of changed terms in an audit entry. */
const CHANGES_MAX = 500;

/**
 * Imports a file of portfolios: the whole file or, with an `ImportRefused`, nothing. Orders that were settled before
 * their portfolio existed become events of the portfolio.
 */
export const importPortfolios = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockPortfolios(em, place),
  facts: (em, _locked, input, { place, now }) => readPortfolios(em, place, input, now),
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, { rows, changes, contentHash }, _verdict, at) {
    const uid = newUid(prefixes.portfolioImport);
    const { created, ...counts } = await writePortfolios(em, at.place, rows, at.now);
    const facts = { kind: 'portfolios', fileName: basename(at.input.path), contentHash } as const;
    const read = rows.length;
    const done = { read, rejected: 0, person: personOf(at), now: at.now };
    await recordImport(em, uid, at.place, { ...facts, ...counts, ...done });
    const settledOrders = await bookSettledOrders(em, at.place, created, at.now);
    return { result: { uid, contentHash, changes, settledOrders, rows: { read, ...counts } } };
  },
  entry: (_facts, _verdict, _input, imported) =>
    imported && {
      op: 'portfolio.imported',
      subject: { type: 'portfolio_import', uid: imported.uid },
      details: {
        kind: 'portfolios',
        content_hash: imported.contentHash,
        rows: imported.rows,
        changes: imported.changes,
        settled_orders: imported.settledOrders,
      },
    },
  refusals: unknownWorkspace,
});

async function readPortfolios(
  em: Em,
  tenant: Tenant,
  { path, mapping }: Input,
  now: Date,
): Promise<{ rows: PortfolioRow[]; changes: TermChange[]; contentHash: string }> {
  const hash = createHash('sha256');
  const reader = new RowReader<PortfolioRow>({
    path,
    rules: portfolioColumns,
    mapping,
    parser: (columns) => portfolioParser(columns, now),
    hash,
  });
  const rows: PortfolioRow[] = [];
  for await (const batch of reader.batches()) {
    rows.push(...batch);
    if (rows.length > PORTFOLIOS_MAX)
      throw refuseFile(rows[PORTFOLIOS_MAX]!.line, [
        { column: null, value: null, reason: `the file has more than ${PORTFOLIOS_MAX} portfolios` },
      ]);
  }
  const { faults, changes } = await comparedTerms(em, tenant, rows);
  for (const fault of faults) reader.faults.add(fault);
  if (changes.length > CHANGES_MAX) {
    const reason = `the file changes more than ${CHANGES_MAX} terms of portfolios; split the file`;
    reader.faults.add({ line: 1, column: null, value: null, reason });
  }
  if (reader.faults.total > 0) throw reader.faults.refusal();
  return { rows, changes, contentHash: hash.digest('hex') };
}
