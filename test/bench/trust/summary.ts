import { inTenant } from '#lib/database/orm.ts';
import { startBackend } from '../../support/backends.ts';
import { answered, createAiCall, createAiConnection } from '../../support/ai-connection.ts';
import { buildTenancy } from '../../support/build.ts';
import { importSample, importTiny } from '../../support/import.ts';
import { createConflict } from '../../support/obligation.ts';
import type { BenchContext, Row } from '../bench.ts';
import { requestsPerSecond } from '../load.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { sql } from 'kysely';

const OBLIGATIONS = { full: 20_000, tiny: 20 };
const ROUNDS = { full: 9, tiny: 1 };
const SLICE_MS = { full: 1_000, tiny: 50 };

/**
 * Measures how long a caller waits for the summary of a workspace with data, compared with the profile of the
 * workspace.
 */
export async function summaryRows(context: BenchContext): Promise<Row[]> {
  const { size, cluster, notify } = context;
  const variables = { VALIDATE_RESPONSES: 'false', RATE_LIMIT_FACTOR: '1000' };
  const backend = await startBackend('postgres', 'assay_bench_summary', variables, cluster);
  try {
    const tenancy = await buildTenancy(backend);
    await (size === 'full' ? importSample : importTiny)(backend, tenancy.workspace);
    await createConflict(backend, tenancy);
    const connection = await createAiConnection(backend, tenancy);
    await createAiCall(backend, tenancy, connection, { outcome: answered(10, 10) });
    await inTenant(backend.orm('operator'), tenancy, (em) => copyObligation(em, OBLIGATIONS[size]));
    const latency = async (path: string) => {
      const rate = await requestsPerSecond({
        method: 'GET',
        status: 200,
        clients: 1,
        forMs: SLICE_MS[size],
        url: `${backend.url}/api/v2${path}`,
        headers: { authorization: `Bearer ${tenancy.key}` },
      });
      return 1_000 / rate;
    };
    const figures = await interleave(ROUNDS[size], {
      subject: () => latency('/intelligence/summary'),
      peer: () => latency('/workspace'),
    });
    notify('summary measured');
    const note = `one client; ${OBLIGATIONS[size]} obligations; peer: GET /workspace`;
    return [ratioRow({ bench: 'trust', case: 'summary, latency', unit: 'ms', note }, figures, null)];
  } finally {
    await backend.stop();
  }
}

type Em = Parameters<Parameters<typeof inTenant>[2]>[0];

/** Copies the existing obligation `count` times, each copy with its own reference. */
async function copyObligation(em: Em, count: number): Promise<void> {
  const { rows } = await sql<{ columns: string }>`
    select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_name = 'obligation' and column_name not in ('uid', 'source_reference', 'governance_state', 'conflicts_open')
  `.execute(em.getKysely());
  const others = sql.raw(rows[0]!.columns);
  await sql`
    insert into obligation (uid, source_reference, governance_state, conflicts_open, ${others})
    select 'obl_' || lpad(n::text, 26, '0'), 'copy-' || n, 'registered', 0, ${others}
    from (select * from obligation limit 1) one, generate_series(1, ${count}) n
  `.execute(em.getKysely());
}
