import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';
import {
  confirmedBatch,
  evidenceOf,
  observe,
  openDesk,
  type Desk,
  type Made,
} from '../../support/order-batch.ts';

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
      'prt_global,R-1,transfer_in,2020-01-03,DE0007164600,10,,,,,2020-01-02,100,,',
    ]);
    made = await confirmedBatch(desk);
  });

  const quantities = async () => {
    const { body } = await clientOf(live(), tenancy.key).get('/investment/portfolios/prt_global');
    return body.positions.map((each: { symbol: string; quantity: string }) => [each.symbol, each.quantity]);
  };

  it('are events of their portfolio, and a confirmation alone is not', async () => {
    expect(await quantities()).to.deep.equal([['DE0007164600', '10']]);
    const evidence = evidenceOf(made);
    expect((await observe(desk, made.uid, evidence)).status).to.equal(200);
    expect(await quantities()).to.deep.equal([['US0378331005', '1500']]);
    const { body } = await clientOf(live(), tenancy.key).get('/investment/portfolios/prt_global');
    expect(body.cash).to.deep.equal([
      { currency: 'EUR', amount_minor: 191_000 },
      { currency: 'USD', amount_minor: -28_499_850 },
    ]);
    await observe(desk, made.uid, evidence);
    expect(await quantities(), 'after the same evidence again').to.deep.equal([['US0378331005', '1500']]);
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
    expect(await quantities()).to.deep.equal([['DE0007164600', '10']]);
  });
});
