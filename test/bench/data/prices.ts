import { sql } from 'kysely';
import { Pool, type Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { inPlatform } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { Backend } from '../../support/backends.ts';
import type { Tenancy } from '../../support/build.ts';
import { importCsv } from '../../support/import.ts';
import { namesOf } from '../../support/scale.ts';
import type { BenchContext, Row } from '../bench.ts';
import { requestsPerSecond, turnsPerSecond } from '../load.ts';
import { backendsOf, processorRow } from '../processor-time.ts';
import { interleave, ratioRow } from '../rounds.ts';

const DAYS = 5_000;
const ROWS = { full: 1_000_000, tiny: 100 };
const POOL = 10;
const CLIENTS = 16;
const ROUNDS = { full: 9, tiny: 1 };
const SLICE_MS = { full: 1_000, tiny: 50 };
const LIMIT = 50;
const PEER = 'bare pages';

const PAGE = `
  select observed_on::text, open::text, high::text, low::text, close::text, adj_close::text, volume::text, known_at::text,
    known_at_basis
  from (
    select distinct on (observed_on) * from price
    where dataset_id = $1 and symbol = $2 and frequency = 'daily' and observed_on >= $3::date
    order by observed_on, known_at desc, revision desc
  ) latest where not withdrawn order by observed_on limit ${LIMIT}`;

type Market = { datasetId: number; symbol: string; uid: string; rows: number; from: string };

/**
 * Measures two reads of prices over HTTP. A page deep in a series is compared with its SQL statement alone. A
 * whole series as CSV is compared with a COPY of the series.
 */
export async function priceRows(
  context: BenchContext,
  bench: string,
  { backend, tenancy, superuser }: { backend: Backend; tenancy: Tenancy; superuser: Client },
): Promise<Row[]> {
  const { size, notify } = context;
  const market = await fillMarket(context, backend, tenancy, superuser);
  const headers = { authorization: `Bearer ${tenancy.key}` };
  const url = `${backend.url}/api/v2/data/instruments/${market.uid}/prices?frequency=daily`;
  const pool = new Pool({
    connectionString: roleUrl(backend.ownerUrl, 'api'),
    max: POOL,
    application_name: PEER,
  });
  try {
    const common = { method: 'GET', status: 200, forMs: SLICE_MS[size], headers } as const;
    const sides = {
      subject: () =>
        requestsPerSecond({ ...common, clients: CLIENTS, url: `${url}&limit=${LIMIT}&from=${market.from}` }),
      peer: () => turnsPerSecond(POOL, SLICE_MS[size], () => barePage(pool, tenancy, market)),
    };
    notify(`${ROUNDS[size]} rounds of pages of ${LIMIT} in ${market.rows} prices`);
    if (size === 'full') await interleave(1, sides);
    const pages = await interleave(ROUNDS[size], sides);
    const api = backend.pid('api')!;
    const times = await processorRow(
      {
        bench,
        case: 'the same: processor time of a page',
        note: 'of the API or the driver, and of PostgreSQL for it',
      },
      {
        subject: { pids: [api, ...(await backendsOf(superuser, `assay api ${api}`))], work: sides.subject },
        peer: { pids: [process.pid, ...(await backendsOf(superuser, PEER))], work: sides.peer },
      },
    );
    notify(`${ROUNDS[size]} rounds of whole series`);
    const csv = { ...headers, accept: 'text/csv' };
    const bytes = (await (await fetch(url, { headers: csv })).arrayBuffer()).byteLength / 1e6;
    const streams = await interleave(ROUNDS[size], {
      subject: async () => bytes * (await requestsPerSecond({ ...common, headers: csv, clients: 2, url })),
      peer: async () => megabytesPerSecond(superuser, market, SLICE_MS[size]),
    });
    const pageNote = `${market.rows} prices; ${CLIENTS} clients; the peer is the SQL of the page in a transaction of the tenant, ${POOL} connections of the driver, no HTTP`;
    const csvNote = `a series of ${Math.min(DAYS, market.rows)} prices, 2 clients; the peer is COPY of one query as CSV; only shown`;
    return [
      ratioRow(
        { bench, case: 'a page deep in a series of prices', unit: 'requests/s', note: pageNote },
        pages,
        {
          min: 0.7,
        },
      ),
      times,
      ratioRow({ bench, case: 'a series of prices as CSV', unit: 'MB/s', note: csvNote }, streams, null),
    ];
  } finally {
    await pool.end();
  }
}

async function barePage(
  pool: Pool,
  { workspace }: Tenancy,
  { datasetId, symbol, from }: Market,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('app.workspace', $1, true), set_config('app.environment', 'sandbox', true)`,
      [workspace],
    );
    const { rowCount } = await client.query(PAGE, [datasetId, symbol, from]);
    if (!rowCount) throw new Error('the page is empty');
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function megabytesPerSecond(superuser: Client, { datasetId, symbol }: Market, forMs: number) {
  const query = PAGE.replace('$1', String(datasetId))
    .replace('$2', superuser.escapeLiteral(symbol))
    .replace('$3', "'1900-01-01'")
    .replace(`limit ${LIMIT}`, '');
  let bytes = 0;
  const perSecond = await turnsPerSecond(1, forMs, async () => {
    bytes = 0;
    const stream = superuser.query(copyTo(`copy (${query}) to stdout (format csv)`));
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length;
  });
  return (bytes / 1e6) * perSecond;
}

/** Imports instruments and one row of prices; inserts the remaining rows directly. */
async function fillMarket(
  { size, rows = ROWS[size], notify }: BenchContext,
  backend: Backend,
  { workspace }: Tenancy,
  superuser: Client,
): Promise<Market> {
  const days = Math.min(DAYS, rows);
  const symbols = namesOf(Math.max(1, Math.round(rows / days)));
  await importCsv(backend, workspace, 'instruments', [
    'symbol,name,sector',
    ...symbols.map((symbol) => `${symbol},Name of ${symbol},Energy`),
  ]);
  const { dataset } = await importCsv(backend, workspace, 'prices', [
    'symbol,date,open,high,low,close',
    'X,2000-01-03,1,1,1,1',
  ]);
  notify(`filling in ${symbols.length} series of ${days} daily prices`);
  const BATCH = 500;
  for (let first = 0; first < symbols.length; first += BATCH) {
    await superuser.query(
      `insert into price (dataset_id, symbol, frequency, observed_on, known_at, known_at_basis, revision, open, high, low,
         close, adj_close, volume)
       select $1, symbol, 'daily', day, (day + 1)::timestamp at time zone 'utc', 'assumed', 1, 20.25, 21.5, 19.75, 20.5,
         18.1234, 1000000
       from unnest($2::text[]) symbol, generate_series(0, $3 - 1) n, lateral (select date '2000-01-01' + n) d (day)`,
      [dataset.id, symbols.slice(first, first + BATCH), days],
    );
  }
  await superuser.query('vacuum analyze price');
  const symbol = symbols[Math.floor(symbols.length / 2)]!;
  const found = await inPlatform(backend.orm('operator'), (em) =>
    sql<{ uid: string }>`
      select i.uid from instrument i join dataset d on d.id = i.dataset_id
      where d.workspace_uid = ${workspace} and i.symbol = ${symbol}
    `.execute(em.getKysely()),
  );
  const from = new Date(Date.UTC(2000, 0, 1 + Math.floor(days * 0.8))).toISOString().slice(0, 10);
  return { datasetId: dataset.id, symbol, uid: found.rows[0]!.uid, rows: symbols.length * days, from };
}
