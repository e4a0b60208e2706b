import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { decideExecutionException } from '#lib/actions/execution/exceptions/decide-exception.command.ts';
import { governAsPerson } from '../../support/as-person.ts';
import { assay } from '../../support/cli.ts';
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
  lineOf,
  observe,
  openDesk,
  releaseBatch,
  settlementDay,
  type Desk,
  type Made,
} from '../../support/order-batch.ts';

/** Creates a released and confirmed batch whose orders name symbols. */
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

onOneBackend('Orders that were settled by custody evidence', (live) => {
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

  const get = (path = '') => clientOf(live(), tenancy.key).get(`/investment/portfolios/prt_global${path}`);
  const quantities = async () => {
    const { body } = await get();
    return body.positions.map((each: { symbol: string; quantity: string }) => [each.symbol, each.quantity]);
  };
  /** The quantity and the basis of the open lots of the bought symbol. */
  const lots = async () => {
    const { body } = await get('/tax-lots?symbol=ZZQB');
    return body.data.map((each: { lot: string; quantity: string; basis_minor: number }) => [
      each.lot,
      each.quantity,
      each.basis_minor,
    ]);
  };
  /** The versions of an order among the events of the portfolio, oldest first. */
  const versions = (order: string, table: 'portfolio_event' | 'order_settlement' = 'portfolio_event') =>
    inTenant(live().orm('api'), tenancy, async (em) => {
      const { rows } = await sql<{ quantity: string; withdrawn: boolean }>`
        select trim_scale(quantity)::text as quantity, withdrawn from ${sql.table(table)}
        where order_uid = ${order} order by known_at
      `.execute(em.getKysely());
      return rows.map(({ quantity, withdrawn }) => `${quantity}${withdrawn ? ' withdrawn' : ''}`);
    });

  it('become events of their portfolio, but not if they are only confirmed', async () => {
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

  it('cannot be corrected or withdrawn by an imported file', async () => {
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

  it('become no events if they name no symbol, because positions are identified by symbol', async () => {
    const other = await confirmedBatch(desk);
    expect((await observe(desk, other.uid, evidenceOf(other))).status).to.equal(200);
    expect(await quantities()).to.deep.equal([['ZZQS', '10']]);
  });

  it('become no events if the api role tries to record them before their settlement or for another workspace', async () => {
    const record = (as: Tenancy) =>
      inTenant(live().orm('api'), as, async (em) => {
        for (const order of made.orders)
          await sql`
            select record_order_settlement(${order.uid}, ${`pev_${randomBytes(8).toString('hex')}`}, 5, 5, current_date, now())
          `.execute(em.getKysely());
      });
    await record(tenancy);
    await record(await buildTenancy(live()));
    expect(await quantities()).to.deep.equal([['ZZQS', '10']]);
  });

  it('are withdrawn by evidence that contradicts the settlement, and corrected when the evidence is accepted', async () => {
    await observe(desk, made.uid, evidenceOf(made));
    const [buy] = made.orders;
    expect(await lots()).to.deep.equal([[buy!.uid, '1500', 28_499_850]]);
    const { body } = await observe(
      desk,
      made.uid,
      evidenceOf(made, { lines: [lineOf(buy!, 19_000, { quantity: '1' })] }),
    );
    expect(body.batch.state).to.equal('exception');
    expect([await lots(), await quantities()]).to.deep.equal([[], []]);
    expect((await get()).body.cash).to.deep.equal([{ currency: 'EUR', amount_minor: 191_000 }]);
    for (const { uid, kind } of body.exceptions.filter(({ state }: { state: string }) => state === 'open')) {
      if (kind === 'post_close_contradiction') continue;
      const decision = { uid, event: 'waive' as const, reason: 'accepted', evidence: null };
      for (const person of [desk.persons[1], desk.persons[2]])
        await governAsPerson(live(), decideExecutionException, decision, { tenant: tenancy, person });
    }
    expect(await lots()).to.deep.equal([[buy!.uid, '1501', 28_518_850]]);
    expect(await versions(buy!.uid)).to.deep.equal(['1500', '1500 withdrawn', '1501']);
  });

  it('have one version for each change of the settlement', async () => {
    await observe(desk, made.uid, evidenceOf(made));
    const { uid } = made.orders[0]!;
    const record = (quantity: string) =>
      inTenant(live().orm('api'), tenancy, (em) =>
        sql`
          select record_order_settlement(${uid}, ${`pev_${randomBytes(8).toString('hex')}`}, ${quantity}::numeric,
            28499850, current_date, now())
        `.execute(em.getKysely()),
      );
    const move = (state: string) =>
      inTenant(live().orm('api'), tenancy, (em) =>
        sql`update batch_order set state = ${state} where uid = ${uid}`.execute(em.getKysely()),
      );
    await record('1500');
    await record('1400');
    await record('1400');
    expect(await versions(uid)).to.deep.equal(['1500', '1400']);
    await move('break');
    await record('1400');
    await record('1400');
    expect(await quantities()).to.deep.equal([]);
    await move('settled');
    await record('1400');
    const expected = ['1500', '1400', '1400 withdrawn', '1400'];
    expect(await versions(uid)).to.deep.equal(expected);
    expect(await versions(uid, 'order_settlement')).to.deep.equal(expected);
    expect(await quantities()).to.deep.equal([['ZZQB', '1400']]);
  });
});

onOneBackend('Orders that are settled before their portfolio exists', (live) => {
  let tenancy: Tenancy;
  let desk: Desk;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    desk = await openDesk(live(), tenancy);
  });

  const get = (path = '') => clientOf(live(), tenancy.key).get(`/investment/portfolios/prt_global${path}`);
  const open = (day = '2020-01-01') =>
    importPortfolioRows(live(), tenancy, 'portfolios', [`prt_global,Global,EUR,taxable,fifo,,,${day}`]);
  const held = () =>
    importPortfolioRows(live(), tenancy, 'events', [
      'prt_global,R-1,transfer_in,2020-01-03,ZZQS,10,,,,,2020-01-02,100,,',
    ]);

  it('become events when the portfolio is imported, with the time at which they were known', async () => {
    const made = await batchOfSymbols(desk);
    await observe(desk, made.uid, evidenceOf(made));
    const imported = await open();
    expect(imported).to.deep.include({ settledOrders: { booked: 2, unbooked: 0 } });
    const refused = await get();
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'portfolio_inconsistent']);
    await held();
    const { body } = await get();
    expect(body.positions.map((each: { symbol: string }) => each.symbol)).to.deep.equal(['ZZQB']);
    expect(body.unbooked_orders).to.deep.equal([]);
    const { rows } = await inTenant(live().orm('api'), tenancy, (em) =>
      sql<{ same: boolean; later: boolean }>`
        select e.known_at = s.known_at as same, e.recorded_at > s.known_at as later
        from portfolio_event e join order_settlement s on s.uid = e.uid
      `.execute(em.getKysely()),
    );
    expect(rows).to.deep.equal(made.orders.map(() => ({ same: true, later: true })));
    expect(await open()).to.deep.include({ settledOrders: { booked: 0, unbooked: 0 } });
    const log = await assay(
      live(),
      ...['audit', 'list', '--workspace', tenancy.workspace, '--environment', tenancy.environment, '--json'],
    );
    expect(JSON.stringify(log.json)).to.include('"settled_orders":{"booked":2,"unbooked":0}');
  });

  it('become events when the portfolio is created on the command line', async () => {
    const made = await batchOfSymbols(desk);
    await observe(desk, made.uid, evidenceOf(made));
    const terms = ['--name', 'Global', '--base-currency', 'EUR', '--opened-on', '2020-01-01', '--json'];
    const place = ['--workspace', tenancy.workspace];
    const created = await assay(live(), 'portfolio', 'create', 'prt_global', ...place, ...terms);
    expect(created.json, created.stderr).to.include({ settled_orders: 2, unbooked_orders: 0 });
    await held();
    expect((await get()).body.positions).to.have.length(1);
  });

  it('stay withdrawn if the settlement was withdrawn before the portfolio existed', async () => {
    const made = await batchOfSymbols(desk);
    const [buy] = made.orders;
    await observe(desk, made.uid, evidenceOf(made));
    await observe(desk, made.uid, evidenceOf(made, { lines: [lineOf(buy!, 19_000, { quantity: '1' })] }));
    await open();
    await held();
    expect((await get()).body.positions).to.deep.equal([]);
  });

  it('are listed instead of becoming events if the opening positions contain the orders or the orders name no symbol', async () => {
    const made = await batchOfSymbols(desk);
    await inTenant(live().orm('api'), tenancy, async (em) => {
      for (const { uid } of made.orders) {
        await sql`update batch_order set state = 'settled' where uid = ${uid}`.execute(em.getKysely());
        await sql`
          select record_order_settlement(${uid}, ${`pev_${randomBytes(8).toString('hex')}`}, 1500, 28499850,
            current_date - 3, now())
        `.execute(em.getKysely());
      }
    });
    const other = await confirmedBatch(desk);
    await observe(desk, other.uid, evidenceOf(other));
    const imported = await open(settlementDay(-1));
    expect(imported).to.deep.include({ settledOrders: { booked: 0, unbooked: 4 } });
    const { body } = await get();
    expect(body.positions).to.deep.equal([]);
    const listed = body.unbooked_orders.map((each: { order: string; reason: string }) => [
      each.order,
      each.reason,
    ]);
    expect(listed).to.have.deep.members([
      ...made.orders.map(({ uid }) => [uid, 'before_opening']),
      ...other.orders.map(({ uid }) => [uid, 'no_symbol']),
    ]);
    const bought = body.unbooked_orders.find(({ order }: { order: string }) => order === made.orders[0]!.uid);
    expect(bought).to.include({ side: 'buy', symbol: 'ZZQB', quantity: '1500', amount_minor: 28_499_850 });
    expect((await get(`?as_of=${settlementDay(-1)}`)).body.unbooked_orders).to.deep.equal([]);
    // A file may record such an order under the uid of the order.
    const [buy] = other.orders;
    await importPortfolioRows(live(), tenancy, 'events', [
      `prt_global,${buy!.uid},buy,${settlementDay()},ZZQC,1500,,284998.50,,,,,,`,
    ]);
    expect((await get()).body.unbooked_orders).to.have.length(3);
  });
});
