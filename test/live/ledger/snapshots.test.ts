import { expect } from 'chai';
import fc from 'fast-check';
import { systemClock } from '#lib/core/clock.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { LedgerSnapshot } from '#lib/ledger/ledger-snapshot.entity.ts';
import { replaySnapshot } from '#lib/ledger/snapshot.query.ts';
import { takeSnapshot } from '#lib/ledger/take-snapshot.command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { takeLedgerSnapshots } from '#workers/periodic/take-ledger-snapshots.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importLedger } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { logTail } from '../../support/log-tail.ts';
import { repetitions } from '../../support/repetitions.ts';

onOneBackend('Sealed balances', function (live) {
  let tenancy: Tenancy;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
  });

  const read = async (query = '', key = tenancy.key) =>
    (await clientOf(live(), key).get(`/financial/snapshots${query}`)).body.data as Record<string, any>[];
  const bring = (...rows: string[]) => importLedger(live(), tenancy, rows);
  const inLedger = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm('operator'), { workspace: tenancy.workspace, environment: 'sandbox' }, work);
  const take = (asOf: string) => {
    const place = { workspace: tenancy.workspace, environment: 'sandbox' as const };
    const by = { actor: { kind: 'system' as const }, place, clock: systemClock };
    return inLedger((em) => governWithin(em, takeSnapshot, { ...place, asOf }, by));
  };
  const snapshot = (...words: string[]) =>
    assay(live(), 'ledger', 'snapshot', '--workspace', tenancy.workspace, '--json', ...words);

  it('are computed from the transactions by account and currency, without conversion', async () => {
    await bring(
      '2026-01-10,,credit,EUR,500,main,,Sale,,posted,1,',
      '2026-01-11,,debit,EUR,120.50,main,,Rent,,posted,2,',
      '2026-01-12,,debit,EUR,30,main,,Card,,pending,3,',
      '2026-01-12,,credit,EUR,10,savings,,Interest,,posted,4,',
      '2026-01-13,,credit,JPY,1000,tokyo,,Sale,,posted,5,',
      '2026-02-01,,credit,EUR,1,main,,Later,,posted,6,',
    );
    const { json, stderr } = await snapshot('--as-of', '2026-01-31');
    expect(stderr).to.equal('');
    const [{ balances, ...seen }] = (await read()) as [Record<string, any>];
    expect(balances.map(({ account_uid: _, ...rest }: Record<string, unknown>) => rest)).to.have.deep.members(
      [
        { currency: 'EUR', amount_scale: 2, ledger_minor: 37950, available_minor: 34950 },
        { currency: 'EUR', amount_scale: 2, ledger_minor: 1000, available_minor: null },
        { currency: 'JPY', amount_scale: 0, ledger_minor: 1000, available_minor: null },
      ],
    );
    expect(seen).to.deep.include({
      uid: json.uid,
      as_of: '2026-01-31',
      by_currency: [
        { currency: 'EUR', ledger_minor: 38950 },
        { currency: 'JPY', ledger_minor: 1000 },
      ],
      fx: { applied: false },
      late_transactions: 0,
      previous_uid: null,
    });
    expect(seen['transactions'].count).to.equal(5);
    const { as_of, by_currency, fx, transactions, sealed_hash } = seen as Record<string, any>;
    expect(canonicalHash({ as_of, balances, by_currency, fx, transactions })).to.equal(sealed_hash);
    expect((await clientOf(live(), tenancy.key).get(`/financial/snapshots/${json.uid}`)).body).to.deep.equal({
      balances,
      ...seen,
    });
    const verified = await assay(live(), 'ledger', 'verify', json.uid, '--json');
    expect(verified.json).to.deep.equal({ uid: json.uid, identical: true });
  });

  it('stay unchanged when a booking arrives late, which the next snapshot reports', async () => {
    await bring('2026-01-10,,credit,EUR,500,main,,Sale,,posted,1,');
    const first = await take('2026-01-31');
    expect(await take('2026-01-31')).to.have.nested.property('result.isNew', false);
    await bring(
      '2026-01-20,,credit,EUR,7,main,,Forgotten,,posted,2,',
      '2026-02-03,,debit,EUR,1,main,,Fee,,posted,3,',
    );
    const next = await take('2026-02-28');
    const again = await take('2026-01-31');
    const [newest, second, oldest] = await read();
    expect(oldest!['by_currency']).to.deep.equal([{ currency: 'EUR', ledger_minor: 50000 }]);
    expect(second).to.deep.include({
      as_of: '2026-02-28',
      by_currency: [{ currency: 'EUR', ledger_minor: 50600 }],
      late_transactions: 1,
      previous_uid: oldest!['uid'],
    });
    expect(newest).to.deep.include({
      as_of: '2026-01-31',
      by_currency: [{ currency: 'EUR', ledger_minor: 50700 }],
      late_transactions: 1,
      previous_uid: oldest!['uid'],
    });
    for (const taken of [first, next, again]) {
      expect(taken.ok && (await inLedger((em) => replaySnapshot(em, taken.result.snapshot)))).to.equal(true);
    }
    expect(await read('?from=2026-02-01')).to.have.lengthOf(1);
    expect(await read('?to=2026-01-31')).to.have.lengthOf(2);
  });

  it('have one audit entry each for their account, their import and every seal', async () => {
    const log = await logTail(live(), { workspace: tenancy.workspace, environment: 'sandbox' });
    const create = (...words: string[]) =>
      assay(live(), 'ledger', 'account', 'create', '--workspace', tenancy.workspace, ...words, '--json');
    expect((await create('--key', 'main', '--currency', 'EUR')).json).to.include({ key: 'main', name: null });
    expect((await create('--key', 'main', '--currency', 'USD')).stderr).to.match(/^account_exists: /);
    expect((await create('--key', 'other', '--currency', 'XXZ')).stderr).to.match(/^invalid_currency: /);
    await bring('2026-01-10,,credit,EUR,500,main,,Sale,,posted,1,');
    await snapshot('--as-of', '2026-01-31');
    await snapshot('--as-of', '2026-01-31');
    expect(await log.ops()).to.deep.equal([
      'ledger.account_created',
      'ledger.imported',
      'ledger.snapshot_sealed',
    ]);
  });

  it('are rejected for a day that is not over or precedes all data', async () => {
    await bring('2026-01-10,,credit,EUR,500,main,,Sale,,posted,1,');
    const today = new Date().toISOString().slice(0, 10);
    expect((await snapshot('--as-of', today)).stderr).to.match(/^day_not_over: /);
    expect(await take('2026-01-09')).to.include({ ok: false, code: 'nothing_recorded' });
  });

  it('are rejected if a balance exceeds a JSON integer, without blocking the other balances', async () => {
    const max = '90000000000000.00';
    await bring(
      `2026-01-10,,credit,EUR,${max},main,,Sale,,posted,1,`,
      `2026-01-11,,credit,EUR,${max},main,,Sale,,posted,2,`,
    );
    expect(await take('2026-01-31')).to.include({ ok: false, code: 'amount_range' });
    expect(await take('2026-01-10')).to.include({ ok: true });
  });

  it('are sealed daily by the worker for every ledger', async () => {
    const other = await buildTenancy(live());
    await bring('2026-01-10,,credit,EUR,500,main,,Sale,,posted,1,');
    await importLedger(live(), other, ['2026-01-10,,credit,EUR,9,main,,Sale,,posted,1,']);
    const now = new Date('2026-03-02T00:10:00Z');
    expect(await takeLedgerSnapshots(live().orm('worker'), now)).to.be.at.least(2);
    expect(await takeLedgerSnapshots(live().orm('worker'), now)).to.equal(0);
    expect((await read()).map((row) => [row['as_of'], row['by_currency'][0].ledger_minor])).to.deep.equal([
      ['2026-03-01', 50000],
    ]);
    expect(await read('', other.key)).to.have.lengthOf(1);
  });

  it('are hidden from other workspaces and from the other environment', async () => {
    await bring('2026-01-10,,credit,EUR,500,main,,Sale,,posted,1,');
    const taken = await take('2026-01-31');
    const { workspace } = tenancy;
    const uid = taken.ok ? taken.result.snapshot.uid : '';
    for (const { key } of [
      await buildTenancy(live(), { workspace, environment: 'production' }),
      await buildTenancy(live()),
    ]) {
      expect(await read('', key)).to.deep.equal([]);
      expect((await clientOf(live(), key).get(`/financial/snapshots/${uid}`)).status).to.equal(404);
    }
  });

  // Compares the sums of the database with a naive replay, over histories of pending transactions, postings
  // and reversals.
  it('agree with a computation in memory for any history and order of imports', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 12 }), async (events) => {
        tenancy = await buildTenancy(live());
        for (const [at, each] of events.entries()) {
          const day = (offset: number) => `2026-01-${String(each.day + offset).padStart(2, '0')}`;
          const rest = `${each.direction},EUR,${each.amount},${each.account},,x,`;
          const opposite = rest.replace(each.direction, each.direction === 'credit' ? 'debit' : 'credit');
          const announced = each.fate === 'posted' || each.fate === 'reversed' ? 'posted' : 'pending';
          await bring(`${day(0)},,${rest},${announced},R-${at},`);
          if (each.fate === 'settled') await bring(`${day(each.delay)},,${rest},posted,R-${at},`);
          if (each.fate === 'reversed') await bring(`${day(each.delay)},,${opposite},posted,V-${at},R-${at}`);
          if (each.fate === 'cancelled')
            await bring(`${day(each.delay)},,${opposite},pending,V-${at},R-${at}`);
        }
        for (const asOf of ['2026-01-08', '2026-01-31']) {
          const taken = await take(asOf);
          const expected = naive(events, Number(asOf.slice(-2)));
          expect(taken.ok ? balancesBy(taken.result.snapshot) : []).to.have.deep.members(expected);
        }
      }),
      { numRuns: repetitions.ledgers },
    );
  });
});

type Event = {
  account: string;
  direction: 'credit' | 'debit';
  amount: number;
  day: number;
  delay: number;
  fate: 'posted' | 'reversed' | 'pending' | 'settled' | 'cancelled';
};

const event: fc.Arbitrary<Event> = fc.record({
  account: fc.constantFrom('one', 'two'),
  direction: fc.constantFrom('credit', 'debit'),
  amount: fc.integer({ min: 1, max: 1_000 }),
  day: fc.integer({ min: 5, max: 12 }),
  delay: fc.integer({ min: 0, max: 5 }),
  fate: fc.constantFrom('posted', 'reversed', 'pending', 'settled', 'cancelled'),
});

function naive(events: readonly Event[], asOf: number): [ledger: number, available: number | null][] {
  return ['one', 'two'].flatMap((account): [number, number | null][] => {
    const begun = events.filter((each) => each.account === account && each.day <= asOf);
    if (begun.length === 0) return [];
    let [ledger, held, announces] = [0, 0, false];
    for (const { direction, amount, day, delay, fate } of begun) {
      const minor = amount * 100;
      const isEnded = day + delay <= asOf;
      const signed = direction === 'credit' ? minor : -minor;
      if (fate === 'posted' || (fate === 'reversed' && !isEnded)) ledger += signed;
      if (fate === 'settled' && isEnded) ledger += signed;
      const isPending = fate === 'pending' || ((fate === 'settled' || fate === 'cancelled') && !isEnded);
      if (isPending && direction === 'debit') held += minor;
      if (fate !== 'posted' && fate !== 'reversed') announces = true;
    }
    return [[ledger, announces ? ledger - held : null]];
  });
}

function balancesBy({ content }: LedgerSnapshot): [number, number | null][] {
  return content.balances.map(({ ledger_minor, available_minor }) => [ledger_minor, available_minor]);
}
