import { importEvents } from '#lib/investment/portfolios/import-events.command.ts';
import { importPortfolios } from '#lib/investment/portfolios/import-portfolios.command.ts';
import { importTotals } from '#lib/investment/portfolios/import-totals.command.ts';
import { governAsPerson } from './as-person.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { withFile } from './ledger.ts';

export const PORTFOLIO_HEADER =
  'portfolio,name,base_currency,account_kind,lot_relief,tax_regime,tax_entity,opened_on';
export const EVENT_HEADER =
  'portfolio,event_reference,type,traded_on,symbol,quantity,price,amount,fees,lot,acquired_on,basis,known_at,withdrawn';
export const POSITION_HEADER = 'portfolio,as_of,symbol,quantity';

const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];

let count = 0;

type Place = Pick<Tenancy, 'workspace' | 'environment' | 'person'>;

/**
 * Imports rows of portfolios, events or positions, without the header, as the person of a tenancy. Unknown symbols of
 * events are registered by default.
 */
export function importPortfolioRows(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Place,
  kind: 'portfolios' | 'events' | 'positions',
  rows: readonly string[],
  { register = true }: { register?: boolean } = {},
): Promise<{ uid: string; rows: Record<string, number> }> {
  const tenant = { workspace, environment };
  const header = { portfolios: PORTFOLIO_HEADER, events: EVENT_HEADER, positions: POSITION_HEADER }[kind];
  const as = { tenant, person };
  return withFile([header, ...rows], async (path) => {
    const file = { ...tenant, path };
    const imported =
      kind === 'portfolios'
        ? await governAsPerson(backend, importPortfolios, file, as)
        : kind === 'events'
          ? await governAsPerson(backend, importEvents, { ...file, isRegistering: register }, as)
          : await governAsPerson(backend, importTotals, { ...file, kind, recordsBreaks: false }, as);
    if (!imported.ok) throw new Error(imported.code);
    return imported.result;
  });
}

/** Imports a file of portfolios with its header, as the person of a tenancy. */
export function importPortfolioFile(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Place,
  lines: readonly string[],
): Promise<void> {
  const tenant = { workspace, environment };
  return withFile(lines, async (path) => {
    const imported = await governAsPerson(backend, importPortfolios, { ...tenant, path }, { tenant, person });
    if (!imported.ok) throw new Error(imported.code);
  });
}

/** Creates a portfolio with five lots, and control totals that match. Returns its uid. */
export async function createPortfolio(backend: Backend, tenancy: Tenancy): Promise<string> {
  count += 1;
  const key = `portfolio-${count}`;
  const buy = (symbol: string, at: number) => `${key},R-${at},buy,2020-01-0${at + 1},${symbol},10,100,,,,,,,`;
  await importPortfolioRows(backend, tenancy, 'portfolios', [`${key},Main,USD,taxable,fifo,,,2020-01-01`]);
  await importPortfolioRows(backend, tenancy, 'events', SYMBOLS.map(buy));
  const held = SYMBOLS.map((symbol) => `${key},2020-02-01,${symbol},10`);
  await importPortfolioRows(backend, tenancy, 'positions', held);
  const { body } = await clientOf(backend, tenancy.key).get(`/investment/portfolios?portfolio=${key}`);
  return body.data[0].uid;
}
