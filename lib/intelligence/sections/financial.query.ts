import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';

type Row = {
  late: number;
  knownAt: string;
  balances: { currency: string; ledger_minor: number }[];
};

/** The section on the balances of the newest sealed snapshot, separately for each currency. */
export const financialSection: Source = {
  key: 'financial',
  scope: 'financial:read',
  // The worker seals one snapshot a day. After 50 hours without a snapshot, at least one is missing.
  staleAfterHours: 50,
  async read(em) {
    const { workspace, environment } = tenantOf(em);
    const { rows } = await sql<Row>`
      select late_transactions as late, ${instant(sql`known_at`)} as "knownAt", content -> 'by_currency' as balances
      from ledger_snapshot where workspace_uid = ${workspace} and environment = ${environment}
      order by as_of desc, uid desc limit 1
    `.execute(em.getKysely());
    const [newest] = rows;
    return {
      metrics: (newest?.balances ?? []).map(({ currency, ledger_minor }) => ({
        key: 'ledger_balance',
        value: ledger_minor,
        unit: 'minor' as const,
        currency,
        as_of: newest!.knownAt,
      })),
      attention: [
        {
          code: 'transactions_booked_late',
          severity: 'info',
          count: newest?.late ?? 0,
          link: '/financial/snapshots',
        },
      ],
    };
  },
};
