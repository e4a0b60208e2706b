import { sql } from 'kysely';
import type { RowFault } from '#lib/data/import/load/import-refused.ts';
import type { Em } from '#lib/database/base.ts';
import { STAGED_EVENTS } from './event-staging.write.ts';
import { describeFault } from './lot-fault-text.ts';
import type { LotFault } from './lot-fault.ts';
import { regimes } from '../tax/regime.ts';
import { lotsOfGroup, type ParsedGroup, parseGroup, poolsOfGroup } from './portfolio-group.ts';
import { readGroup } from './portfolio-group.query.ts';
import { findPortfolio, relatedPortfolios, type KnownPortfolio } from './portfolio.query.ts';

const staged = sql.table(STAGED_EVENTS);

/** An event that contradicts other events. */
export type Contradiction = {
  portfolioUid: string;
  reference: string;
  /** Whether the event is in the imported file. */
  isStaged: boolean;
  fault: RowFault;
};

/**
 * Derives the lots of the portfolios that have staged rows. Returns the events that contradict other events.
 */
export async function inconsistencies(em: Em, asOf: string): Promise<Contradiction[]> {
  const { rows } = await sql<{ uid: string }>`
    select distinct portfolio_uid as uid from ${staged} order by 1
  `.execute(em.getKysely());
  const checked = new Set<string>();
  const found: Contradiction[] = [];
  for (const { uid } of rows) {
    if (checked.has(uid)) continue;
    const related = await relatedPortfolios(em, (await findPortfolio(em, uid, asOf))!, asOf);
    for (const { uid: other } of related) checked.add(other);
    for (const fault of faultsOf(parseGroup(await readGroup(em, related, asOf))))
      found.push(await atLine(em, fault, related));
  }
  return found;
}

/** The first fault of each portfolio, under its own tax regime. */
function faultsOf(group: ParsedGroup): LotFault[] {
  const pooled = Object.values(regimes).filter(({ pooling }) => pooling !== 'lots');
  return [...lotsOfGroup(group).faults, ...pooled.flatMap((regime) => poolsOfGroup(group, regime).faults)];
}

/** Returns a fault with the line of its event in the file. If the event is not in the file, the line is 1. */
async function atLine(
  em: Em,
  fault: LotFault,
  portfolios: readonly KnownPortfolio[],
): Promise<Contradiction> {
  const { uid } = portfolios.find(({ key }) => key === fault.portfolio)!;
  const { reference } = fault;
  const { rows } = await sql<{ line: number }>`
    select line from ${staged} where portfolio_uid = ${uid} and reference = ${reference} order by line limit 1
  `.execute(em.getKysely());
  const line = rows[0]?.line ?? 1;
  return {
    portfolioUid: uid,
    reference,
    isStaged: rows.length > 0,
    fault: { line, column: 'event_reference', value: reference, reason: describeFault(fault) },
  };
}
