import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { importLedger, TRANSACTION_HEADER, withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

const SALE = '2026-01-15T10:00:00+02:00,2026-01-17,credit,EUR,1250.50,main,,Sale 1,sales,posted,R-1,';
const RENT = '2026-01-20,,debit,EUR,900,main,,Rent January,rent,posted,R-2,';

onOneBackend('Transactions', function (live) {
  let tenancy: Tenancy;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
  });

  const read = async (query = '', key = tenancy.key) =>
    (await clientOf(live(), key).get(`/financial/transactions${query}`)).body.data as Record<string, any>[];
  const bring = (...rows: string[]) => importLedger(live(), tenancy, rows);
  const refusalOf = async (...rows: string[]): Promise<string[]> => {
    const error = await bring(...rows).then(
      () => expect.fail('it was imported'),
      (caught: { code: string; errors: { line: number; column: string; reason: string }[] }) => caught,
    );
    expect(error.code).to.equal('import_refused');
    return error.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`);
  };

  it('are imported once on the command line and returned over HTTP with their evidence', async () => {
    const counterparty = await createCounterparty(live(), tenancy.workspace);
    const words = ['--workspace', tenancy.workspace, '--source', 'bank_feed', '--json'];
    await withFile(
      [TRANSACTION_HEADER, SALE.replace('main,,', `main,${counterparty},`), RENT],
      async (file) => {
        const first = await assay(live(), 'import', 'transactions', file, ...words);
        expect(first.stderr).to.equal('');
        expect(first.json.rows).to.deep.equal({ read: 2, inserted: 2, posted: 0, unchanged: 0 });
        expect(first.json.accounts_made).to.equal(1);
        const again = await assay(live(), 'import', 'transactions', file, ...words);
        expect(again.json.rows).to.deep.equal({ read: 2, inserted: 0, posted: 0, unchanged: 2 });
      },
    );
    const [rent, sale] = await read();
    expect(sale).to.deep.include({
      booked_at: '2026-01-15T08:00:00.000Z',
      value_date: '2026-01-17',
      direction: 'credit',
      currency: 'EUR',
      amount_minor: 125050,
      amount_scale: 2,
      counterparty_id: counterparty,
      description: 'Sale 1',
      category: 'sales',
      status: 'posted',
      reverses: null,
    });
    expect(rent).to.include({
      value_date: '2026-01-20',
      account_uid: sale!['account_uid'],
      counterparty_id: null,
    });
    expect(rent!['evidence']).to.include({
      source_system: 'bank_feed',
      source_reference: 'R-2',
      hash_grade: 'sha256',
    });
  });

  it('are filtered by day, currency, account and status', async () => {
    await bring(SALE, RENT, '2026-02-01T23:59:59Z,,debit,USD,5,card,,Coffee,,pending,R-3,');
    const found = async (query: string) => (await read(query)).map((row) => row['evidence'].source_reference);
    expect(await found('?from=2026-01-20')).to.deep.equal(['R-3', 'R-2']);
    expect(await found('?to=2026-01-20')).to.deep.equal(['R-2', 'R-1']);
    expect(await found('?from=2026-02-01&to=2026-02-01')).to.deep.equal(['R-3']);
    expect(await found('?currency=USD')).to.deep.equal(['R-3']);
    expect(await found('?status=pending')).to.deep.equal(['R-3']);
    const [{ account_uid: card }] = (await read('?currency=USD')) as [Record<string, any>];
    expect(await found(`?account=${card}`)).to.deep.equal(['R-3']);
  });

  it('are rejected as a whole file with a report of every faulty row', async () => {
    expect(
      await refusalOf(
        SALE,
        'yesterday,,credit,EUR,1,main,,a,,posted,X-1,',
        '2026-01-15,,in,EUR,1,main,,a,,posted,X-2,',
        '2026-01-15,,credit,XXX,1,main,,a,,posted,X-3,',
        '2026-01-15,,credit,EUR,1.001,main,,a,,posted,X-4,',
        '2026-01-15,,credit,EUR,0,main,,a,,reversed,X-5,',
        '2026-01-15,,credit,USD,1,main,,a,,posted,X-6,',
        '2026-01-15,,credit,EUR,1,main,4711,a,,posted,X-7,',
        SALE,
      ),
    ).to.deep.equal([
      '3 booked_at is neither a date nor an instant such as 2020-09-30T16:00:00Z',
      '4 direction is not one of credit, debit',
      '5 currency is not an active ISO 4217 currency',
      '6 amount has more decimals than its currency, which allows 2',
      '7 status is not one of pending, posted',
      '7 amount is not above 0',
      '8 currency is not the currency of the account, which is EUR',
      '9 counterparty_id does not exist in the workspace',
      '10 reference repeats line 2: the same reference on the same account',
    ]);
    expect(await read()).to.deep.equal([]);
  });

  it('are rejected if they were imported before with other content', async () => {
    await bring(SALE);
    const [{ uid }] = (await read()) as [Record<string, any>];
    expect(await refusalOf(SALE.replace('1250.50', '1250.51'), RENT)).to.deep.equal([
      `2 reference contradicts ${uid}, which is already recorded under this reference and cannot change`,
    ]);
    expect(await refusalOf(RENT.replace('EUR', 'USD'))).to.deep.equal([
      '2 currency is not the currency of the account, which is EUR',
    ]);
    expect(await read()).to.have.lengthOf(1);
    for (const statement of [
      'update ledger_transaction set amount_minor = 1',
      'delete from ledger_transaction',
    ]) {
      const { workspace, environment } = tenancy;
      const code = await inTenant(live().orm('operator'), { workspace, environment }, (em) =>
        sql.raw(statement).execute(em.getKysely()),
      ).catch((error: { code: string }) => error.code);
      expect(code, statement).to.equal('42501');
    }
  });

  it('keep their uid when they change from pending to posted on their booking day', async () => {
    const pending = '2026-01-15,2026-01-15,debit,EUR,10,main,,Card,,pending,P-1,';
    const posted = '2026-01-18,2026-01-19,debit,EUR,10,main,,Card,,posted,P-1,';
    await bring(pending);
    const [before] = await read();
    expect((await bring(posted)).rows).to.deep.equal({ read: 1, inserted: 0, posted: 1, unchanged: 0 });
    for (const repeat of [pending, posted]) expect((await bring(repeat)).rows.unchanged).to.equal(1);
    const [after] = await read();
    expect(after).to.include({
      uid: before!['uid'],
      status: 'posted',
      booked_at: '2026-01-18T00:00:00.000Z',
      value_date: '2026-01-19',
    });
    expect(await read('?status=pending')).to.deep.equal([]);
    expect(await refusalOf(posted.replace('01-18', '01-17'))).to.have.lengthOf(1);
    await bring(pending.replace('P-1', 'P-2'));
    expect(await refusalOf(posted.replace('P-1', 'P-2').replace('EUR,10', 'EUR,11'))).to.have.lengthOf(1);
  });

  it('are reversed by a separate transaction once and in full', async () => {
    await bring(SALE, RENT);
    const back = '2026-01-21,,debit,EUR,1250.50,main,,Sale 1 taken back,sales,posted,V-1,R-1';
    expect(
      await refusalOf(
        back.replace('V-1,R-1', 'V-2,R-9'),
        back.replace('V-1', 'V-3').replace('1250.50', '1250.49'),
        back.replace('V-1', 'V-4').replace('debit', 'credit'),
        back.replace('V-1', 'V-5').replace('posted', 'pending'),
        back.replace('V-1', 'V-6').replace('main', 'other'),
      ),
    ).to.deep.equal([
      '2 reverses does not name a transaction of the account and source',
      '3 reverses names a transaction with a different amount',
      '4 reverses names the transaction that line 3 reverses',
      '5 reverses names the transaction that line 3 reverses',
      '6 reverses does not name a transaction of the account and source',
    ]);
    expect(await refusalOf(back.replace('debit', 'credit'))).to.deep.equal([
      '2 reverses names a transaction with the same direction',
    ]);
    await bring(back);
    expect((await bring(back)).rows.unchanged).to.equal(1);
    const [reversal, , sale] = await read();
    expect(reversal).to.include({ status: 'posted', reverses: sale!['uid'] });
    expect(sale).to.include({ status: 'reversed', reversed_by: reversal!['uid'] });
    expect(await refusalOf(back.replace('V-1', 'V-7'))).to.deep.equal([
      `2 reverses names a transaction that is already reversed by ${reversal!['uid']}`,
    ]);
    const again = `2026-01-22,,credit,EUR,1250.50,main,,x,,posted,V-8,${reversal!['uid']}`;
    expect(await refusalOf(again)).to.deep.equal(['2 reverses names a reversal, which cannot be reversed']);
  });

  it('are hidden from other workspaces and from the other environment', async () => {
    await bring(SALE);
    const { workspace } = tenancy;
    const production = await buildTenancy(live(), { workspace, environment: 'production' });
    const foreign = await buildTenancy(live());
    const [{ uid }] = (await read()) as [Record<string, any>];
    const statusOf = async (key: string) =>
      (await clientOf(live(), key).get(`/financial/transactions/${uid}`)).status;
    expect(await statusOf(tenancy.key)).to.equal(200);
    for (const { key } of [production, foreign]) {
      expect(await read('', key)).to.deep.equal([]);
      expect(await statusOf(key)).to.equal(404);
      expect((await clientOf(live(), key).get('/financial/accounts')).body.data).to.deep.equal([]);
    }
    const { body } = await clientOf(live(), tenancy.key).get('/financial/accounts');
    expect(body.data[0]).to.include({ key: 'main', currency: 'EUR', name: null });
    await importLedger(live(), production, [SALE.replace('EUR', 'USD')]);
    expect((await read('', production.key)).map((row) => row['currency'])).to.deep.equal(['USD']);
    expect((await read()).map((row) => row['currency'])).to.deep.equal(['EUR']);
  });
});
