import { decideDataUse, type Entitlement } from '#lib/data/rights/decide.ts';
import type { Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { importEconomics } from '../../support/forecast.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { latencyOf } from './latency.ts';

const ROUNDS = { full: 9, tiny: 1 };
const DECISIONS = { full: 20_000, tiny: 100 };
const DATASET = 'dst_00000000000000000000000001';
const ASSIGNEE = 'wsp_00000000000000000000000001';

/** Measures a decision about a use of data, compared with the read that the decision guards. */
export async function decisionRows(bench: string, { size }: BenchContext, backend: Backend): Promise<Row[]> {
  const tenancy = await buildTenancy(backend);
  await importEconomics(backend, tenancy.workspace);
  const held = entitlements();
  const use = {
    ...{ dataset: DATASET, assignee: ASSIGNEE, action: 'export', at: '2026-06-01T00:00:00.000Z' },
    ...{ purpose: 'research', region: 'eu', data_age_minutes: 60, rows_today: 100, rows_requested: 50 },
  };
  const figures = await interleave(ROUNDS[size], {
    subject: async () => {
      const started = performance.now();
      let permitted = 0;
      for (let at = 0; at < DECISIONS[size]; at += 1)
        if (decideDataUse(held, use).effect === 'permit') permitted += 1;
      if (permitted !== DECISIONS[size]) throw new Error('the use is not permitted');
      return (performance.now() - started) / DECISIONS[size];
    },
    peer: () =>
      latencyOf(size, {
        ...{ method: 'GET', status: 200, headers: { authorization: `Bearer ${tenancy.key}` } },
        url: `${backend.url}/api/v2/data/economics/series/GDPC1/observations?limit=50`,
      }),
  });
  const note =
    '20 entitlements with constraints; the peer is a page of 50 observations over HTTP, one client';
  const about = { bench, case: 'a decision about a use of data; peer: a page', unit: 'ms', note };
  return [ratioRow(about, figures, { max: 0.02 })];
}

function entitlements(): Entitlement[] {
  const constraints = {
    ...{ purposes: ['research', 'risk'], regions: ['eu', 'us'], delay_minutes: 15, max_rows_per_day: 10_000 },
    ...{ valid_from: '2026-01-01T00:00:00Z', valid_until: '2027-01-01T00:00:00Z' },
  };
  return Array.from({ length: 20 }, (_, at) => ({
    uid: `ent_${String(at).padStart(26, '0')}`,
    dataset: DATASET,
    assignee: ASSIGNEE,
    permissions: ['read', 'display', 'export'].map((action) => ({ action, constraints })),
    prohibitions: [{ action: 'train', constraints: {} }],
    duties: [{ action: 'attribute', due: null }],
  }));
}
