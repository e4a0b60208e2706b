import { Client } from 'pg';
import { startBackend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import type { Bench } from './bench.ts';
import { importRows } from './data/imports.ts';
import { matrixRows } from './data/matrix.ts';
import { priceRows } from './data/prices.ts';

const BENCH = 'data';

/** Measures importing data and reading it as of a date. */
export const bench: Bench = {
  summary:
    'imports, pages and streams of prices, point-in-time matrices and snapshots; --rows says how many prices',
  targets:
    'Imports >= 0.5 x a bare COPY of the same rows. A page of prices >= 0.7 x its SQL alone through the driver: what ' +
    'HTTP, credential and the search for the series add may cost three tenths. The values known at a moment, 5,000 ' +
    'entities x 50 features, <= 3 x the time of the newest values: it looks up each cell separately. Streams and ' +
    'snapshots are only shown.',
  async run(context) {
    const { cluster, notify } = context;
    notify('starting Assay');
    const database = `assay_bench_${BENCH}`;
    const backend = await startBackend('postgres', database, { VALIDATE_RESPONSES: 'false' }, cluster);
    const superuser = new Client({ connectionString: backend.superuserUrl });
    try {
      await superuser.connect();
      const imported = await importRows(context, BENCH, backend, superuser);
      const stage = { backend, superuser, tenancy: await buildTenancy(backend) };
      return [
        ...imported,
        ...(await priceRows(context, BENCH, stage)),
        ...(await matrixRows(context, BENCH, stage)),
      ];
    } finally {
      await superuser.end();
      await backend.stop();
    }
  },
};
