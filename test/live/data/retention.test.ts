import { expect } from 'chai';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import {
  addPartitions,
  dropUnwantedObservations,
  dropUnwantedPartitions,
} from '#lib/data/partition.query.ts';
import { priceSeriesTexts } from '#lib/data/price-series.query.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant, openOrm } from '#lib/database/orm.ts';
import { databaseName, roleUrl, type Role } from '#lib/database/roles.ts';
import { keepPartitions } from '#workers/periodic/keep-partitions.ts';
import { freshDatabase, testCluster, type Backend } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { createCompany } from '../../support/company.ts';
import { importCsv } from '../../support/import.ts';
import { keepYears } from '../../support/retention.ts';

describe('The maintenance of partitions', function () {
  let own: Backend;
  let superuser: Client;
  const orms = new Map<Role, Orm>();
  let [first, second]: Tenancy[] = [];

  before(async () => {
    const ownerUrl = await freshDatabase('assay_test_retention');
    const orm = (role: Role) => {
      if (!orms.has(role)) orms.set(role, openOrm(roleUrl(ownerUrl, role), 2));
      return orms.get(role)!;
    };
    // A backend that has only the database. The functions called with it use no process of the service.
    own = { ownerUrl, orm } as Backend;
    superuser = new Client({ connectionString: (await testCluster()).superuserUrl(databaseName(ownerUrl)) });
    await superuser.connect();
    [first, second] = [await buildTenancy(own), await buildTenancy(own)];
  });
  after(async () => {
    for (const orm of orms.values()) await orm.close();
    await superuser.end();
  });

  const pricesOf = async (tenancy: Tenancy, days: readonly string[]) =>
    (
      await importCsv(own, tenancy.workspace, 'prices', [
        'symbol,date,close',
        ...days.map((day) => `A,${day},1`),
      ])
    ).dataset;
  const daysOf = async (dataset: { id: number }) => {
    const { rows } = await superuser.query<{ day: string; partition: string }>(
      `select observed_on::text as day, tableoid::regclass::text as partition from price
       where dataset_id = $1 order by day`,
      [dataset.id],
    );
    return rows.map(({ day, partition }) => `${day} ${partition.replace('partitions.', '')}`);
  };
  /** The prices of the second workspace, as a run reads them in a process that keeps what it read lately. */
  const pricesRead = async () => {
    const { workspace } = second!;
    const [found] = await inTenant(own.orm('worker'), { workspace, environment: 'sandbox' }, async (em) => {
      const { rows } = await sql<{
        id: number;
      }>`select id from dataset where workspace_uid = ${workspace}`.execute(em.getKysely());
      return priceSeriesTexts(em, {
        symbols: ['A'],
        frequency: 'monthly',
        from: '1960-01-01',
        until: '2030-12-31',
        asOf: '2100-01-01',
        revisions: Object.fromEntries(rows.map(({ id }) => [id, 9])),
        member: 'close',
      });
    });
    return found!.observations;
  };
  const droppedNames = async () =>
    (await keepPartitions(orms.get('worker')!)).dropped.map((each) => each.partition);

  it('creates the next partition ahead of time and moves its rows from the default partition', async () => {
    const dataset = await pricesOf(first!, ['2020-01-31']);
    // No import accepts a future day. A day that was imported with a wrong clock can nevertheless be in the
    // future.
    await superuser.query(
      `insert into price (dataset_id, symbol, frequency, observed_on, known_at, known_at_basis, revision, close)
       values ($1, 'A', 'daily', '2036-01-31', now(), 'stated', 1, 1)`,
      [dataset.id],
    );
    expect(await daysOf(dataset)).to.deep.equal(['2020-01-31 price_2020', '2036-01-31 price_rest']);
    const worker = own.orm('worker');
    const yearsAhead = 2038 - new Date().getUTCFullYear();
    const { added } = await keepPartitions(worker, { yearsAhead });
    expect(added).to.deep.equal(['price_2035']);
    expect((await keepPartitions(worker, { yearsAhead })).added).to.deep.equal([]);
    expect(await daysOf(dataset)).to.deep.equal(['2020-01-31 price_2020', '2036-01-31 price_2035']);
    const { rows } = await superuser.query(
      `select c.relrowsecurity and c.relforcerowsecurity as walled, c.relacl is null as closed,
         pg_get_userbyid(c.relowner) = current_database() || '_owner' as owned
       from pg_class c where c.oid = 'partitions.price_2035'::regclass`,
    );
    expect(rows).to.deep.equal([{ walled: true, closed: true, owned: true }]);
  });

  it('may be requested only by workers and only within bounds', async () => {
    for (const role of ['api', 'operator'] as const) {
      for (const work of [
        (em: any) => addPartitions(em, 5),
        dropUnwantedPartitions,
        dropUnwantedObservations,
      ]) {
        const code = await inPlatform<unknown>(own.orm(role), work).catch((error) => error.code);
        expect(code, role).to.equal('42501');
      }
    }
    for (const years of [0, 51]) {
      const refused = inPlatform(own.orm('worker'), (em) => addPartitions(em, years));
      expect(await refused.catch((error) => error.code)).to.equal('22023');
    }
    for (const statement of [
      `select add_partition('price', 1950)`,
      `select datasets_in_partition('price_2020')`,
      `select is_unwanted('price_2020', '2000-01-01')`,
      'drop table partitions.price_2020',
    ]) {
      const refused = inPlatform(own.orm('worker'), (em) => sql.raw(statement).execute(em.getKysely()));
      expect(await refused.catch((error) => error.code), statement).to.equal('42501');
    }
  });

  it('keeps every partition that any dataset still needs', async () => {
    const days = ['1961-01-31', '1968-01-31', '2020-02-28'];
    const [mine, theirs] = [await pricesOf(first!, days), await pricesOf(second!, days)];
    const all = [await daysOf(mine), await daysOf(theirs)];
    expect(await droppedNames()).to.deep.equal([]);
    await keepYears(own, first!, 10);
    expect(await droppedNames()).to.deep.equal([]);
    await keepYears(own, second!, 200);
    expect(await droppedNames()).to.deep.equal([]);
    await keepYears(own, second!, null);
    expect(await droppedNames()).to.deep.equal([]);
    expect([await daysOf(mine), await daysOf(theirs)]).to.deep.equal(all);
  });

  it('drops partitions whose retention has passed in all datasets and logs each drop in each workspace', async () => {
    // All days of the partition 1960 to 1964 exceed the retention period. The partition 1965 to 1969 also has
    // days within the period.
    const years = new Date().getUTCFullYear() - 1966;
    await keepYears(own, second!, years);
    expect(await pricesRead(), 'kept by this process').to.match(/^1961-01-31 1,1968-01-31 1,/);
    expect(await droppedNames()).to.deep.equal(['price_1960', 'price_1960']);
    expect(await pricesRead(), 'after the drop').to.match(/^1968-01-31 1,/);
    const { rows } = await superuser.query(
      `select observed_on::text as day, count(*)::int as count from price where observed_on < '2000-01-01'
       group by 1 order by 1`,
    );
    expect(rows).to.deep.equal([{ day: '1968-01-31', count: 2 }]);
    const said = await superuser.query(
      `select rows_held::int as rows, first_observed_on::text as first from dataset where workspace_uid = $1`,
      [second!.workspace],
    );
    expect(said.rows).to.deep.equal([{ rows: 2, first: '1965-01-01' }]);
    for (const { workspace } of [first!, second!]) {
      for (const environment of ['sandbox', 'production']) {
        const entries = await superuser.query(
          `select e.body::json -> 'details' as details, e.body::json -> 'subject' ->> 'uid' = d.uid as of_dataset
           from audit_entry e, dataset d
           where e.workspace_uid = $1 and e.environment = $2 and e.op = 'dataset.partition_dropped'
             and d.workspace_uid = $1`,
          [workspace, environment],
        );
        expect(entries.rows).to.deep.equal([
          {
            details: { partition: 'price_1960', from: '1960-01-01', before: '1965-01-01' },
            of_dataset: true,
          },
        ]);
      }
    }
  });

  it('drops nothing and retries later if it cannot get a lock soon', async () => {
    await keepYears(own, second!, 5);
    await superuser.query(`begin; select from price limit 1`);
    const code = await keepPartitions(own.orm('worker')).catch((error) => error.code);
    await superuser.query('rollback');
    expect(code).to.equal('55P03');
    expect(await droppedNames()).to.deep.equal(['price_1965', 'price_1965']);
  });

  const countsOf = async (workspace: string) => {
    const { rows } = await superuser.query<{ text: string }>(
      `select concat_ws(' ', d.kind, d.rows_held, d.first_observed_on, d.last_observed_on, (
         select count(*) from (
           select dataset_id from corporate_action union all select dataset_id from fundamental
           union all select dataset_id from economic_observation union all select dataset_id from company_metric
         ) o where o.dataset_id = d.id)) as text
       from dataset d where d.workspace_uid = $1 order by d.kind`,
      [workspace],
    );
    return rows.map(({ text }) => text);
  };

  it('deletes and logs whole years of other observations after the retention of their dataset', async () => {
    const [mine, theirs] = [await buildTenancy(own), await buildTenancy(own)];
    const company = await createCompany(own, mine.workspace);
    const year = new Date().getUTCFullYear();
    const [gone, kept] = [`${year - 11}-12-31`, `${year - 10}-01-01`];
    const bring = (kind: DatasetKind, lines: readonly string[], of = mine) =>
      importCsv(own, of.workspace, kind, lines);
    const economics = [
      'series,date,value,known_at',
      `A,${gone},1,${gone}`,
      `A,${gone},2,${kept}`,
      `A,${kept},3,${kept}`,
    ];
    await bring('economics', economics);
    await bring('economics', economics, theirs);
    await bring('fundamentals', ['symbol,as_of,eps', `A,${gone},1`, `A,${kept},2`]);
    await bring('corporate_actions', [
      'symbol,ex_date,type,amount',
      `A,${gone},cash_dividend,1`,
      `A,${kept},cash_dividend,1`,
    ]);
    await bring('metrics', ['company_id,metric,period,value,currency', `${company},revenue,${gone},1,EUR`]);
    await bring('instruments', ['symbol,name', 'A,Acme']);
    const held = await countsOf(theirs.workspace);
    await keepYears(own, mine, 10);
    const { deleted } = await keepPartitions(own.orm('worker'));
    expect(deleted.map(({ workspace, before, rows }) => [workspace, before, rows])).to.have.deep.members([
      [mine.workspace, kept, 2],
      [mine.workspace, kept, 1],
      [mine.workspace, kept, 1],
      [mine.workspace, kept, 1],
    ]);
    const counts = await countsOf(mine.workspace);
    expect(counts.filter((text) => !text.startsWith('instruments'))).to.deep.equal([
      `corporate_actions 1 ${kept} ${kept} 1`,
      `economics 1 ${kept} ${kept} 1`,
      `fundamentals 1 ${kept} ${kept} 1`,
      'metrics 0 0',
    ]);
    expect(counts.find((text) => text.startsWith('instruments'))).to.match(/^instruments 1 /);
    expect(await countsOf(theirs.workspace)).to.deep.equal(held);
    expect((await keepPartitions(own.orm('worker'))).deleted).to.deep.equal([]);
    const { rows } = await superuser.query(
      `select e.body::json -> 'details' as details from audit_entry e
       where e.workspace_uid = $1 and e.environment = 'production' and e.op = 'dataset.observations_dropped'
         and e.body::json -> 'subject' ->> 'uid' = (select uid from dataset where kind = 'economics' and workspace_uid = $1)`,
      [mine.workspace],
    );
    expect(rows).to.deep.equal([{ details: { before: kept, rows: 2 } }]);
    const { rows: datasets } = await superuser.query<{ uid: string }>(
      `select uid from dataset where kind = 'instruments' and workspace_uid = $1`,
      [mine.workspace],
    );
    const refused = await assay(
      own,
      'dataset',
      'retention',
      datasets[0]!.uid,
      '--years',
      '3',
      '--as',
      mine.person,
    );
    expect(refused.stderr).to.match(
      /^dataset_kind_kept: A dataset of instruments cannot have a retention period/m,
    );
  });

  it('follows a retention period that a person sets on the command line', async () => {
    const { rows } = await superuser.query<{ uid: string }>(
      'select uid from dataset where workspace_uid = $1',
      [first!.workspace],
    );
    const of = ['dataset', 'retention', rows[0]!.uid, '--json'];
    const years = await assay(own, ...of, '--years', '30', '--as', first!.person);
    expect(years.json, years.stderr).to.include({ uid: rows[0]!.uid, keep_years: 30 });
    expect((await assay(own, ...of)).json).to.include({ keep_years: 30 });
    expect((await assay(own, ...of, '--forever')).json).to.include({ keep_years: null });
    const { rows: entries } = await superuser.query(
      `select body::json -> 'details' as details from audit_entry
       where op = 'dataset.retention_set' and workspace_uid = $1 and environment = 'sandbox' order by id`,
      [first!.workspace],
    );
    expect(entries).to.deep.equal([{ details: { keep_years: 30 } }, { details: { keep_years: null } }]);
    expect((await assay(own, ...of, '--years', '0')).status).to.equal(2);
    const foreign = await assay(own, ...of, '--years', '3', '--as', second!.person);
    expect(foreign.stderr).to.match(/^person_unknown: /m);
  });
});
