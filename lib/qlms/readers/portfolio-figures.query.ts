import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { formatMajor, minorDigits } from '#lib/core/money.ts';
import { tenantOf } from '#lib/database/base.ts';
import { holdingsInput } from '#lib/investment/portfolios/holdings.query.ts';
import holdings, { type Holdings } from '#lib/investment/portfolios/holdings.ts';
import type { RecordFigure } from '../facts/readers.ts';
import { knownBy, ReadingRefused, rememberRecord, type ReadingState } from './reading.ts';

/** The largest number of portfolios that a question derives. */
const PORTFOLIOS_MAX = 20;
/**
 * The largest number of events of the workspace with which a question derives portfolios. A question is answered within
 * a request, so a larger derivation is refused; `GET /investment/portfolios/{portfolio}` makes it.
 */
const EVENTS_MAX = 5_000;

/**
 * Returns a figure of portfolios, derived from the events that were known by the end of a day: the number of positions,
 * the cash, or the value by currency. A portfolio is left out of `value` if one of its positions has no current price,
 * because its total would be too small, and of every figure if its events contradict each other.
 */
export async function portfolioFigures(
  state: ReadingState,
  { field, labels, asOf }: { field: string; labels: readonly string[]; asOf: string | undefined },
): Promise<RecordFigure[]> {
  const day = knownBy(state, asOf) ?? state.today;
  const uids = await portfolioUids(state, labels);
  if (labels.length > PORTFOLIOS_MAX) throw new ReadingRefused('too_many_facts');
  const figures: RecordFigure[] = [];
  for (const label of labels) {
    const uid = uids.get(label);
    if (uid === undefined) continue;
    const { input } = await holdingsInput(state.em, uid, day);
    const held = holdings(input);
    rememberRecord(state, label, uid);
    figures.push(...figuresOf(held, field).map((each) => ({ ...each, label })));
  }
  state.records.set(`portfolio.${field}`, canonicalHash(figures));
  return figures;
}

/** Returns the uids of portfolios by their keys. Refuses if the workspace has more events than a question derives. */
async function portfolioUids({ em }: ReadingState, labels: readonly string[]): Promise<Map<string, string>> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ key: string; uid: string; isLarge: boolean }>`
    select p.key, p.uid, (select count(*) from (
        select from portfolio_event e where e.workspace_uid = ${workspace} and e.environment = ${environment}
        limit ${EVENTS_MAX + 1}
      ) found) > ${EVENTS_MAX} as "isLarge"
    from portfolio p
    where p.workspace_uid = ${workspace} and p.environment = ${environment} and p.key = any(${[...labels]}::text[])
  `.execute(em.getKysely());
  if (rows.some(({ isLarge }) => isLarge)) throw new ReadingRefused('too_many_facts');
  return new Map(rows.map(({ key, uid }) => [key, uid]));
}

function figuresOf(held: Holdings, field: string): Omit<RecordFigure, 'label'>[] {
  if (held.state === 'inconsistent') return [];
  const { positions, cash, totals, coverage } = held;
  if (field === 'holdings') return [{ value: String(positions.length), currency: null }];
  if (field === 'cash')
    return cash.map(({ currency, amount_minor: minor }) => ({ value: major(minor, currency), currency }));
  if (field !== 'value' || coverage.priced < coverage.positions || coverage.assumed_currency.length > 0)
    return [];
  return totals.map(({ currency, value_minor: minor }) => ({ value: major(minor, currency), currency }));
}

function major(minor: number, currency: string): string {
  return formatMajor(BigInt(minor), minorDigits(currency) ?? 2);
}
