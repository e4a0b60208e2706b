import { sql } from 'kysely';
import type { RowFault } from '#lib/data/import/load/import-refused.ts';
import type { Em } from '#lib/database/base.ts';
import { STAGED_EVENTS } from './event-staging.write.ts';
import { describeFault } from './lot-fault-text.ts';
import type { LotFault } from './lot-fault.ts';
import { regimes } from '../tax/regime.ts';
import { lotsOfGroup, poolsOfGroup, type PortfolioGroup } from './portfolio-group.ts';
import { readGroup } from './portfolio-group.query.ts';
import { Portfolio } from './portfolio.entity.ts';
import { relatedPortfolios } from './portfolio.query.ts';

const staged = sql.table(STAGED_EVENTS);

/** Derives the lots of the portfolios that staged rows belong to. Returns the events that contradict others. */
export async function inconsistencies(em: Em, asOf: string): Promise<RowFault[]> {
  const { rows } = await sql<{ uid: string }>`
    select distinct portfolio_uid as uid from ${staged} order by 1
  `.execute(em.getKysely());
  const checked = new Set<string>();
  const faults: RowFault[] = [];
  for (const { uid } of rows) {
    if (checked.has(uid)) continue;
    const portfolio = await em.findOneOrFail(Portfolio, { uid });
    const related = await relatedPortfolios(em, portfolio);
    for (const { uid: other } of related) checked.add(other);
    for (const fault of faultsOf(await readGroup(em, related, asOf)))
      faults.push(await atLine(em, fault, related));
  }
  return faults;
}

/** The first fault of each portfolio, under its own tax regime. */
function faultsOf(group: PortfolioGroup): LotFault[] {
  const pooled = Object.values(regimes).filter(({ pooling }) => pooling !== 'lots');
  return [...lotsOfGroup(group).faults, ...pooled.flatMap((regime) => poolsOfGroup(group, regime).faults)];
}

/** Places a fault at the row of its event; at line 1 if the event is in no row of the file. */
async function atLine(em: Em, fault: LotFault, portfolios: readonly Portfolio[]): Promise<RowFault> {
  const { uid } = portfolios.find(({ key }) => key === fault.portfolio)!;
  const { rows } = await sql<{ line: number }>`
    select line from ${staged} where portfolio_uid = ${uid} and reference = ${fault.reference} order by line limit 1
  `.execute(em.getKysely());
  return {
    line: rows[0]?.line ?? 1,
    column: 'event_reference',
    value: fault.reference,
    reason: describeFault(fault),
  };
}
