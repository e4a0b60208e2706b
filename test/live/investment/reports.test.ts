import { expect } from 'chai';
import { exampleOf } from '#api/derive/example.ts';
import type { RunKind } from '#lib/core/run.ts';
import { ValuationAdjustmentsRequestBody } from '#lib/investment/collateral/valuation-adjustments.schema.ts';
import { reportKinds, type ReportKindName } from '#lib/investment/reports/report-kinds.query.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { NETTING_SETS, termsOf } from '../../support/netting-set.ts';
import { asSuperuser } from '../../support/rows.ts';
import { createSealedRun } from '../../support/sealed-run.ts';

const REPORTS = '/investment/reports';

type Report = {
  uid: string;
  kind: ReportKindName;
  as_of: string;
  href: string;
  headline: { name: string; value: unknown; unit: string }[];
} & Record<string, unknown>;

onOneBackend('GET /investment/reports', (live) => {
  let tenancy: Tenancy;
  let client: Client;
  /** The sealed runs, in the order of their submission. */
  const sealed: { uid: string; created_at: string; result_hash: string; seal: { hash: string } }[] = [];

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
    const counterparty = await createCounterparty(live(), tenancy.workspace);
    const { uid } = (await client.post(NETTING_SETS, termsOf(counterparty))).body;
    const position = {
      valuation_date: '2026-11-20',
      currency: 'USD',
      mark_to_market_minor: 1_050_000_000,
      collateral_balance_minor: 0,
    };
    for (const [path, body] of [
      ['/investment/theme-watch/factors', {}],
      [`${NETTING_SETS}/${uid}/margin-calls`, position],
      [`${NETTING_SETS}/${uid}/valuation-adjustments`, exampleOf(ValuationAdjustmentsRequestBody)],
    ] as const) {
      const answer = await client.post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      sealed.push(answer.body);
    }
    // This run is refused, so the list of reports must not contain it.
    const refused = await client.post('/investment/theme-watch/factors', { history_months: 240 });
    expect(refused.status).to.equal(503);
  });

  const list = async (query = ''): Promise<Report[]> => {
    const { status, body } = await client.get(`${REPORTS}${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data;
  };

  it('200 lists every sealed result, newest first, with its headline figures', async () => {
    const reports = await list();
    expect(reports.map(({ kind }) => kind)).to.deep.equal([
      'valuation_adjustment',
      'margin_call',
      'theme_factors',
    ]);
    for (const [at, run] of sealed.toReversed().entries()) {
      const report = reports[at]!;
      expect(report).to.deep.include({
        uid: run.uid,
        portfolio: null,
        created_at: run.created_at,
        result_hash: run.result_hash,
        seal_hash: run.seal.hash,
      });
      const { body } = await client.get(report.href.replace('/api/v2', ''));
      const kind: { run: RunKind; asOf: string } = reportKinds[report.kind];
      expect(report.as_of).to.equal(body.input[kind.asOf]);
      const figures = kind.run.headline!.map(({ name, unit, pointer }) => {
        const value = pointer
          .split('/')
          .slice(1)
          .reduce((members, member) => members[member], body);
        return { name, value, unit };
      });
      expect(figures).to.have.length(3);
      expect(report.headline).to.deep.equal(figures);
    }
  });

  it('200 filters the list by kind, portfolio, day and result hash', async () => {
    const [factors, call] = sealed;
    const today = factors!.created_at.slice(0, 10);
    const uidsOf = async (query: string) => (await list(query)).map(({ uid }) => uid);
    expect(await uidsOf('?kind=margin_call')).to.deep.equal([call!.uid]);
    expect(await uidsOf(`?result_hash=${factors!.result_hash}`)).to.deep.equal([factors!.uid]);
    expect(await uidsOf(`?result_hash=${factors!.result_hash}&kind=margin_call`)).to.deep.equal([]);
    expect(await uidsOf('?portfolio=global_equity')).to.deep.equal([]);
    expect(await uidsOf(`?from=${today}`)).to.have.length(3);
    expect(await uidsOf('?to=2020-01-01')).to.deep.equal([]);
    expect(await uidsOf('?from=2099-01-01')).to.deep.equal([]);
    expect((await client.get(`${REPORTS}?kind=other`)).status).to.equal(422);
  });

  it('200 returns CSV with numbered columns for the headline figures', async () => {
    const { body } = await client.get(`${REPORTS}?kind=margin_call`, { accept: 'text/csv' });
    const [header, line] = String(body).split('\r\n');
    expect(header).to.equal(
      'uid,kind,portfolio,as_of,created_at,href,result_hash,seal_hash,headline_1_name,headline_1_value,' +
        'headline_1_unit,headline_2_name,headline_2_value,headline_2_unit,headline_3_name,headline_3_value,headline_3_unit',
    );
    expect(line).to.match(
      /,margin_call_minor,\d+,minor,exposure_after_minor,\d+,minor,currency,USD,currency$/,
    );
  });

  it('304 until another result is sealed, then 200 with a new ETag', async () => {
    const own = await buildTenancy(live());
    const caller = clientOf(live(), own.key);
    const etag = (await caller.get(REPORTS)).headers.get('etag')!;
    const held = { 'if-none-match': etag };
    expect((await caller.get(REPORTS, held)).status).to.equal(304);
    await createSealedRun(live(), own, reportKinds.theme_factors.run);
    const { status, body } = await caller.get(REPORTS, held);
    expect([status, body.data.length]).to.deep.equal([200, 1]);
  });

  it('200 returns an empty headline for a result that was sealed before its kind declared headline figures', async () => {
    const own = await buildTenancy(live());
    const uid = await createSealedRun(live(), own, reportKinds.theme_factors.run);
    await asSuperuser(live(), (database) =>
      database.query('update run_result set headline = null where run_uid = $1', [uid]),
    );
    const { body } = await clientOf(live(), own.key).get(REPORTS);
    expect(body.data[0]).to.deep.include({ uid, headline: [] });
  });

  it('200 omits the reports of another workspace and of the other environment', async () => {
    const production = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      environment: 'production',
    });
    for (const { key } of [await buildTenancy(live()), production]) {
      const { status, body } = await clientOf(live(), key).get(REPORTS);
      expect([status, body.data]).to.deep.equal([200, []]);
    }
  });
});
