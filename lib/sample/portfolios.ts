import { fileURLToPath } from 'node:url';
import type { Tenant } from '#lib/database/base.ts';
import { importEvents } from '#lib/investment/portfolios/import-events.command.ts';
import { importPortfolios } from '#lib/investment/portfolios/import-portfolios.command.ts';
import { importTotals } from '#lib/investment/portfolios/import-totals.command.ts';
import { listPortfolios } from '#lib/investment/portfolios/portfolio.query.ts';
import { governWith, person, type SampleOperators } from './sample-operators.ts';

/**
 * Imports the three sample portfolios, their events and the positions of a statement, as a person. Running it again
 * changes nothing.
 */
export async function seedPortfolios(
  operators: SampleOperators,
  place: Tenant,
  importer: string,
): Promise<void> {
  const page = { after: undefined, limit: 1 };
  if ((await operators.query(place, listPortfolios, page)).length > 0) return;
  const file = (name: string) => ({
    ...place,
    path: fileURLToPath(new URL(`./${name}.csv`, import.meta.url)),
  });
  await governWith(operators, importPortfolios, file('portfolios'), person(importer));
  await governWith(operators, importEvents, file('portfolio_events'), person(importer));
  const totals = { ...file('portfolio_positions'), kind: 'positions', recordsBreaks: false } as const;
  await governWith(operators, importTotals, totals, person(importer));
}
