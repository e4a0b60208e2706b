import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';
import {
  batchFile,
  confirmBatch,
  confirmedBatch,
  draftBatch,
  evidenceOf,
  observe,
  openDesk,
  releaseBatch,
  type Desk,
  type Made,
} from '../../support/order-batch.ts';

/** A released and confirmed batch whose orders name symbols. */
async function batchOfSymbols(desk: Desk): Promise<Made> {
  const file = batchFile();
  const [buy, sell] = file.orders;
  const orders = [
    { ...buy!, instrument: { ...buy!.instrument, symbol: 'ZZQB' } },
    { ...sell!, instrument: { ...sell!.instrument, symbol: 'ZZQS' } },
  ];
  const made = await draftBatch(desk, { ...file, orders });
  await releaseBatch(desk, made.uid);
  await confirmBatch(desk, made);
  return made;
}

onOneBackend('Orders that custody evidence settles', (live) => {
  let tenancy: Tenancy;
  let desk: Desk;
  let made: Made;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    desk = await openDesk(live(), tenancy);
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'prt_global,Global,EUR,taxable,fifo,,,2020-01-01',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'prt_global,R-1,transfer_in,2020-01-03,ZZQS,10,,,,,2020-01-02,100,,',
    ]);
    made = await batchOfSymbols(desk);
  });

  const quantities = async () => {
    const { body } = await clientOf(live(), tenancy.key).get('/investment/portfolios/prt_global');
    return body.positions.map((each: { symbol: string; quantity: string }) => [each.symbol, each.quantity]);
  };

  it('are events of their portfolio, and a confirmation alone is not', async () => {
    expect(await quantities()).to.deep.equal([['ZZQS', '10']]);
    const evidence = evidenceOf(made);
    expect((await observe(desk, made.uid, evidence)).status).to.equal(200);
    expect(await quantities()).to.deep.equal([['ZZQB', '1500']]);
    const { body } = await clientOf(live(), tenancy.key).get('/investment/portfolios/prt_global');
    expect(body.cash).to.deep.equal([
      { currency: 'EUR', amount_minor: 191_000 },
      { currency: 'USD', amount_minor: -28_499_850 },
    ]);
    await observe(desk, made.uid, evidence);
    expect(await quantities(), 'after the same evidence again').to.deep.equal([['ZZQB', '1500']]);
  });

  it('cannot be corrected or withdrawn by a file', async () => {
    await observe(desk, made.uid, evidenceOf(made));
    const [buy] = made.orders;
    const refused = await importPortfolioRows(live(), tenancy, 'events', [
      `prt_global,${buy!.uid},buy,2020-01-03,ZZQB,1,1,,,,,,,`,
    ]).then(
      () => expect.fail('it was imported'),
      (error: { errors: { reason: string }[] }) => error.errors.map(({ reason }) => reason),
    );
    expect(refused).to.deep.equal([
      'event_conflict: is an event from custody evidence, which a file cannot correct',
    ]);
    expect(await quantities()).to.deep.equal([['ZZQB', '1500']]);
  });

  it('have no event if they name no symbol, because the positions are by symbol', async () => {
    const other = await confirmedBatch(desk);
    expect((await observe(desk, other.uid, evidenceOf(other))).status).to.equal(200);
    expect(await quantities()).to.deep.equal([['ZZQS', '10']]);
  });

  it('cannot be recorded by the API unless they are settled, nor for another tenant', async () => {
    const record = (as: Tenancy) =>
      inTenant(live().orm('api'), as, async (em) => {
        for (const order of made.orders)
          await sql`
            select record_settled_order(${order.uid}, ${`pev_${randomBytes(8).toString('hex')}`}, 5, 5, current_date, now())
          `.execute(em.getKysely());
      });
    await record(tenancy);
    await record(await buildTenancy(live()));
    expect(await quantities()).to.deep.equal([['ZZQS', '10']]);
  });
});
