import { expect } from 'chai';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { createFeature } from '../../support/feature.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { offer, sourceOf } from '../../support/obligation.ts';
import { servingQuestionModel } from '../../support/qlm.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('Questions that name records and features', (live) => {
  it('are answered for a reference of the caller and refused alike for a foreign and an unknown reference', async () => {
    const [mine, theirs] = [await buildTenancy(live()), await buildTenancy(live())];
    const of = async ({ workspace, key }: typeof mine, reference: string, amount: number) => {
      const counterparty = await createCounterparty(live(), workspace);
      const source = { source_reference: reference, outstanding_amount: amount };
      return (await offer(live(), key, sourceOf(counterparty, source))).body.uid as string;
    };
    const uid = await of(mine, 'TERM-117', 750_000.25);
    await of(mine, 'TERM-118', 800_000);
    await of(theirs, 'TERM-119', 5);
    const profile = { purpose: 'Answers questions about records.', domains: ['actions' as const] };
    const model = await servingQuestionModel(live(), mine, profile);
    const ask = async (question: string, key = mine.key) => {
      const { status, body } = await clientOf(live(), key).post(`/qlms/${model}/invoke`, { question });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const told = await ask('What is still outstanding on TERM-117?');
    expect(told.facts.map(({ display }: { display: string }) => display)).to.deep.equal(['750000.25 EUR']);
    expect(told.facts[0].source.record_uid).to.equal(uid);
    const named = await ask(`What is the original amount of ${uid}?`);
    expect(named.facts.map(({ display }: { display: string }) => display)).to.deep.equal(['1000000.00 EUR']);
    const ranked = await ask('What are the two largest obligations?');
    expect(ranked.facts.map(({ of: [label] }: { of: string[] }) => label)).to.deep.equal([
      'TERM-118',
      'TERM-117',
    ]);
    const [foreign, unknown] = [
      await ask('What is still outstanding on TERM-119?'),
      await ask('What is still outstanding on TERM-999?'),
    ];
    expect(foreign.refusal.code).to.equal('unknown_entity');
    expect(foreign.refusal).to.deep.equal(unknown.refusal);
    const narrow = await buildTenancy(live(), { workspace: mine.workspace, scopes: ['qlm:invoke'] });
    expect((await ask('What is still outstanding on TERM-117?', narrow.key)).refusal.code).to.equal(
      'not_entitled',
    );
  });

  it('are answered for features with the scopes of the market and of features, as known on a day', async () => {
    const tenancy = await buildTenancy(live());
    const { workspace } = tenancy;
    await importCsv(live(), workspace, 'instruments', [
      'symbol,name,sector,first_price_date',
      ...['AAA', 'BBB'].map((symbol) => `${symbol},Test ${symbol},Energy,2019-06-01`),
    ]);
    const value = (entity: string, knownAt: string, size: number) => ({
      entity,
      eventTime: '2020-01-31T00:00:00Z',
      knownAt: `${knownAt}T00:00:00Z`,
      value: size,
    });
    const { versionId } = await createFeature(live(), tenancy, {
      key: 'momentum_6m',
      values: [
        value('AAA', '2020-01-31', 0.25),
        value('AAA', '2020-03-01', 0.5),
        value('BBB', '2020-01-31', 0.75),
      ],
    });
    await asSuperuser(live(), (client) =>
      client.query(
        `insert into dataset_entitlement (dataset_id, workspace_uid, granted_at)
         select dataset_id, $2, now() from feature_version where id = $1`,
        [versionId, workspace],
      ),
    );
    const profile = { purpose: 'Answers questions about features.', domains: ['market' as const] };
    const model = await servingQuestionModel(live(), tenancy, profile);
    const ask = async (body: object, key = tenancy.key) =>
      (await clientOf(live(), key).post(`/qlms/${model}/invoke`, body)).body;
    const question = 'What was the 6-month momentum of AAA in January 2020?';
    const now = await ask({ question });
    expect(now.query, JSON.stringify(now)).to.include({ op: 'value', measure: 'feature.momentum_6m' });
    expect(now.facts[0]).to.include({ value: '0.5', unit: 'ratio' });
    expect(now.facts[0].source.dataset_uid).to.be.a('string');
    expect((await ask({ question, as_of: '2020-02-15' })).facts[0].value).to.equal('0.25');
    const ranked = await ask({ question: 'Which instrument had the highest momentum_6m in January 2020?' });
    expect(ranked.facts.map(({ of: [symbol] }: { of: string[] }) => symbol)).to.deep.equal(['BBB']);
    const scopes = ['qlm:invoke', 'data:market:read', 'data:reference:read'];
    const narrow = await buildTenancy(live(), { workspace, scopes });
    expect((await ask({ question }, narrow.key)).outcome).to.equal('refused');
    const { query } = now;
    expect((await ask({ query }, narrow.key)).refusal.code).to.equal('unknown_metric');
  });
});
