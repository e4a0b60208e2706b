import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import type { Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { importCsv } from '../../support/import.ts';
import { asSuperuser } from '../../support/rows.ts';
import { createSealedRun } from '../../support/sealed-run.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { latencyOf } from './latency.ts';

const ROUNDS = { full: 9, tiny: 1 };
/** Number of runs with results. Together with a revision of a dataset and its import, they make 1,000 nodes. */
const RUNS = { full: 499, tiny: 5 };

/** Measures an export of a lineage, compared with the read of one of its runs. */
export async function lineageRows(
  bench: string,
  { size, notify }: BenchContext,
  backend: Backend,
): Promise<Row[]> {
  const tenancy = await buildTenancy(backend);
  const lines = ['symbol,date,close', 'AAA,2020-01-31,1'];
  const { dataset } = (await importCsv(backend, tenancy.workspace, 'prices', lines)) as {
    dataset: { id: number; uid: string };
  };
  const sealed = await createSealedRun(backend, tenancy, scenariosRun);
  await asSuperuser(backend, async (client) => {
    const copies = `generate_series(1, ${RUNS[size]}) n`;
    const uid = `left(o.uid, 4) || '0' || lpad(n::text, 25, '0')`;
    await client.query(
      `insert into run select (jsonb_populate_record(null::run, to_jsonb(o) || jsonb_build_object('uid', ${uid},
         'dataset_revisions', jsonb_build_object($2::text, 1)))).* from run o, ${copies} where o.uid = $1`,
      [sealed, dataset.id],
    );
    await client.query(
      `insert into run_result select (jsonb_populate_record(null::run_result, to_jsonb(r) ||
         jsonb_build_object('run_uid', ${uid}, 'result_hash', encode(sha256((${uid})::bytea), 'hex')))).* from run_result r join run o on o.uid = r.run_uid, ${copies}
       where o.uid = $1`,
      [sealed],
    );
    await client.query('analyze run, run_result, run_reference');
  });
  const headers = { authorization: `Bearer ${tenancy.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    ...{ subject: { type: 'dataset', uid: dataset.uid }, direction: 'downstream' },
    ...{ depth: 2, format: 'openlineage-2-0-2' },
  });
  const url = `${backend.url}/api/v2/infrastructure/lineage-exports`;
  const made = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { nodes: number };
  notify(`lineage of ${made.nodes} nodes`);
  const figures = await interleave(ROUNDS[size], {
    subject: () => latencyOf(size, { method: 'POST', status: 201, url, headers, body }),
    peer: () =>
      latencyOf(size, {
        ...{ method: 'GET', status: 200, headers },
        url: `${backend.url}/api/v2/quant/compute/jobs/${sealed}`,
      }),
  });
  const note =
    'reads the records, writes the events and the export, and answers; the peer is the read of one run';
  const about = { bench, case: `lineage of ${made.nodes} nodes; peer: a run`, unit: 'ms', note };
  return [ratioRow(about, figures, { max: 20 })];
}
