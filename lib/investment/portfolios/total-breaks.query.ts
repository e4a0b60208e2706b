import type { Em } from '#lib/database/base.ts';
import { breaksAt } from './holdings.ts';
import { type ParsedGroup, parseGroup } from './portfolio-group.ts';
import { readGroup } from './portfolio-group.query.ts';
import { findPortfolio, relatedPortfolios } from './portfolio.query.ts';
import type { TotalRow } from './total-row.ts';

/** A row of a statement that differs from the events, or a position that the statement does not list. */
export type RowBreak = { line: number; column: string; value: string; reason: string };

/**
 * Compares the rows of statements with the events up to the day of each statement, as known at the end of the day
 * `today`.
 */
export async function breaksOfRows(
  em: Em,
  kind: 'positions' | 'cash',
  rows: readonly TotalRow[],
  today: string,
): Promise<RowBreak[]> {
  const found: RowBreak[] = [];
  const groups = new Map<string, ParsedGroup>();
  for (const statement of Map.groupBy(rows, (row) => `${row.portfolioUid} ${row.asOf}`).values()) {
    const [{ portfolioUid: uid, portfolio, asOf, line: first }] = statement as [TotalRow];
    const related = await relatedPortfolios(em, (await findPortfolio(em, uid, today))!, today);
    const name = related.map((each) => each.uid).join(' ');
    const group = groups.get(name) ?? parseGroup(await readGroup(em, related, today));
    groups.set(name, group);
    for (const { symbol, currency, reported, derived, difference } of breaksAt(asOf, statement, {
      portfolio,
      group,
    })) {
      const row = statement.find((each) => each.symbol === symbol && each.currency === currency);
      found.push({
        line: row?.line ?? first,
        column: kind === 'positions' ? 'quantity' : 'amount',
        value: row ? (row.quantity ?? row.amountMinor)! : (symbol ?? currency)!,
        reason: `${symbol ?? currency} of ${portfolio} on ${asOf}: reported ${reported}, events add up to ${derived}, difference ${difference}`,
      });
    }
  }
  return found;
}
