import { expect } from 'chai';
import { sql, type QueryExecutorProvider } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { keptSubjectSeries } from '#lib/data/kept-series.query.ts';
import { dropUnwantedObservations } from '#lib/data/partition.query.ts';
import { setRetention } from '#lib/data/retention.write.ts';
import type { Em } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { instrumentOf } from '../../support/market.ts';

onOneBackend('The series of an instrument that the API keeps', (live) => {
  const build = async () => {
    const own = await buildTenancy(live());
    const load = (kind: Parameters<typeof importCsv>[2], lines: string[], dataset?: string) =>
      importCsv(live(), own.workspace, kind, lines, dataset === undefined ? {} : { dataset });
    await load('instruments', ['symbol,name,published_at', 'ABC,Alphabet Soup,2020-01-01']);
    const uid = await instrumentOf(live(), own, 'ABC');
    const closes = async () => {
      const { body } = await clientOf(live(), own.key).get(`/data/instruments/${uid}/prices`);
      return body.data.map((row: { close: string }) => row.close);
    };
    return { own, load, uid, closes };
  };

  /** Sets whether the workspace may read a dataset. */
  const permit = ({ workspace }: Tenancy, dataset: number, isPermitted: boolean) =>
    inPlatform(live().orm('operator'), (em) =>
      (isPermitted
        ? sql`insert into dataset_entitlement (workspace_uid, dataset_id, granted_at) values (${workspace}, ${dataset}, now())`
        : sql`delete from dataset_entitlement where workspace_uid = ${workspace} and dataset_id = ${dataset}`
      ).execute(em.getKysely()),
    );

  it('follows imports, entitlements and changes of the symbol at once', async () => {
    const { own, load, closes } = await build();
    expect(await closes()).to.deep.equal([]);
    await load('prices', ['symbol,date,close', 'ABC,2020-01-31,1']);
    expect(await closes(), 'with a series').to.deep.equal(['1']);
    const { dataset } = await load(
      'prices',
      ['symbol,date,close', 'ABC,2020-01-30,2', 'ABC,2020-01-31,3'],
      'other',
    );
    expect(await closes(), 'of the oldest dataset').to.deep.equal(['1']);
    const { dataset: first } = await load('prices', ['symbol,date,close', 'ABC,2020-02-28,4']);
    expect(await closes(), 'with another month').to.deep.equal(['1', '4']);
    await permit(own, first.id, false);
    expect(await closes(), 'without the oldest dataset').to.deep.equal(['2', '3']);
    await permit(own, dataset.id, false);
    expect(await closes(), 'without any dataset').to.deep.equal([]);
    await permit(own, first.id, true);
    expect(await closes(), 'with the oldest dataset again').to.deep.equal(['1', '4']);
    await load('prices', ['symbol,date,close', 'XYZ,2020-03-31,5']);
    await load('instruments', [
      'symbol,name,published_at,previous_symbol',
      'XYZ,Alphabet Soup,2020-03-01,ABC',
    ]);
    expect(await closes(), 'under its new symbol').to.deep.equal(['1', '4', '5']);
  });

  it('follows the deletion of old observations by retention', async () => {
    const { own, load, uid } = await build();
    const header = 'symbol,ex_date,type,amount';
    const { dataset } = await load('corporate_actions', [header, 'ABC,2001-02-01,cash_dividend,1']);
    await load('corporate_actions', [header, 'ABC,2020-02-03,cash_dividend,2'], 'other');
    const amounts = async () => {
      const { body } = await clientOf(live(), own.key).get(`/data/instruments/${uid}/corporate-actions`);
      return body.data.map((row: { amount: string }) => row.amount);
    };
    expect(await amounts(), 'of the oldest dataset').to.deep.equal(['1']);
    await inPlatform(live().orm('operator'), (em) =>
      setRetention(em, {
        datasetId: dataset.id,
        workspace: own.workspace,
        keepYears: 10,
        setBy: own.person,
        now: new Date(),
      }),
    );
    await inPlatform(live().orm('worker'), dropUnwantedObservations);
    expect(await amounts(), 'of the other dataset').to.deep.equal(['2']);
  });

  describe('in a process', () => {
    /** Chooses the series of prices, and calls `between` before the statement that chooses. */
    const choose = ({ workspace }: Tenancy, uid: string, between: () => Promise<unknown>) =>
      inTenant(live().orm('api'), { workspace, environment: 'sandbox' }, async (em) => {
        const question = { kind: 'prices', asOf: undefined } as const;
        const found = await keptSubjectSeries(interrupted(em, between), uid, question);
        return found?.series?.datasetId;
      });

    it('is chosen once while the datasets stay the same', async () => {
      const { own, load, uid } = await build();
      const { dataset } = await load('prices', ['symbol,date,close', 'ABC,2020-01-31,1']);
      let choices = 0;
      const count = async () => (choices += 1);
      for (let times = 0; times < 3; times += 1) expect(await choose(own, uid, count)).to.equal(dataset.id);
      expect(choices).to.equal(1);
      const other = newUid(prefixes.instrument);
      for (let times = 0; times < 3; times += 1) expect(await choose(own, other, count)).to.equal(undefined);
      expect(choices, 'an unknown instrument is not kept').to.equal(4);
    });

    it('is not kept if the datasets change while it is chosen', async () => {
      const { own, load, uid } = await build();
      const { dataset } = await load('prices', ['symbol,date,close', 'ABC,2020-01-31,1']);
      expect(await choose(own, uid, () => permit(own, dataset.id, false))).to.equal(undefined);
      await permit(own, dataset.id, true);
      expect(await choose(own, uid, async () => {})).to.equal(dataset.id);
    });
  });
});

/** Returns an entity manager that does something else before its second statement. */
function interrupted(em: Em, between: () => Promise<unknown>): Em {
  let statements = 0;
  const getKysely = () => {
    statements += 1;
    const executor = (em.getKysely() as QueryExecutorProvider).getExecutor();
    if (statements !== 2) return em.getKysely();
    const executeQuery: typeof executor.executeQuery = async (...query) => {
      await between();
      return executor.executeQuery(...query);
    };
    const slow = new Proxy(executor, {
      get(target, name) {
        const member = Reflect.get(target, name, target) as unknown;
        if (name === 'executeQuery') return executeQuery;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    return { getExecutor: () => slow };
  };
  return {
    getKysely,
    getFilterParams: () => em.getFilterParams('tenant'),
    getDriver: () => em.getDriver(),
  } as never;
}
