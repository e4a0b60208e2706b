import { expect } from 'chai';
import { asked } from '#lib/core/asked.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createPack } from '../../support/evidence-pack.ts';
import { createPortfolio } from '../../support/imported-portfolio.ts';
import { importSampleEconomics } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { servingQuestionModel } from '../../support/qlm.ts';

onOneBackend('Questions about the records of other products', (live) => {
  it('are answered from the tables that the products declare', async () => {
    const tenancy = await buildTenancy(live());
    const { workspace } = tenancy;
    await importSampleEconomics(live(), workspace);
    await createPack(live(), tenancy);
    await createPortfolio(live(), tenancy);
    const model = await servingQuestionModel(live(), tenancy, {
      purpose: 'Answers questions about records.',
      domains: ['trust', 'data', 'execution', 'actions'],
    });
    const ask = async (question: string, key = tenancy.key) => {
      const { status, body } = await clientOf(live(), key).post(`/qlms/${model}/invoke`, { question });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const counted: Record<string, string> = {};
    for (const [noun, { names }] of Object.entries(asked)) {
      const body = await ask(`How many ${names[1]} are there?`);
      expect(body.outcome, JSON.stringify(body.refusal)).to.equal('answered');
      counted[noun] = body.facts[0].value;
    }
    expect(counted).to.include({ evidence_pack: '1', portfolio: '1', batch: '0' });
    expect(Number(counted['dataset'])).to.be.at.least(1);
    const { body: listed } = await clientOf(live(), tenancy.key).get('/data/datasets');
    expect(counted['dataset']).to.equal(String(listed.data.length));
    const economic = listed.data.find(({ kind }: { kind: string }) => kind === 'economics');
    const rows = await ask(`How many rows does the dataset ${economic.name} have?`);
    expect(rows.facts.map(({ value }: { value: string }) => value)).to.deep.equal([
      String(economic.rows ?? economic.rows_held),
    ]);
    expect(rows.facts[0].source.record_uid).to.equal(economic.uid);
    const currency = await ask('What is the base currency of our portfolios?');
    expect(currency.facts.map(({ text }: { text: string }) => text)).to.deep.equal(['USD']);
    expect((await ask('How many taxable portfolios are there?')).facts[0].value).to.equal('1');
    const holdings = await ask('Which portfolio has the most holdings?');
    const [held] = (await clientOf(live(), tenancy.key).get('/investment/portfolios')).body.data;
    const { body: detail } = await clientOf(live(), tenancy.key).get(`/investment/portfolios/${held.uid}`);
    expect(holdings.facts.map(({ value }: { value: string }) => value)).to.deep.equal([
      String(detail.positions.length),
    ]);
    expect(holdings.facts[0].source.record_uid).to.equal(held.uid);
    const cash = await ask(`How much cash does the portfolio ${held.portfolio} hold?`);
    expect(cash.facts.map(({ display }: { display: string }) => display)).to.deep.equal(
      detail.cash.map(
        ({ currency, amount_minor: minor }: { currency: string; amount_minor: number }) =>
          `${(minor / 100).toFixed(2)} ${currency}`,
      ),
    );
    const unpriced = await ask(`What is the value of the portfolio ${held.portfolio}?`);
    expect(unpriced.refusal.code).to.equal('missing_value');
    const narrow = await buildTenancy(live(), { workspace, scopes: ['qlm:invoke', 'data:reference:read'] });
    expect((await ask('How many evidence packs are there?', narrow.key)).refusal.code).to.equal(
      'not_entitled',
    );
    expect((await ask('How many datasets are there?', narrow.key)).outcome).to.equal('answered');
    const other = await buildTenancy(live());
    const foreign = await servingQuestionModel(live(), other, {
      purpose: 'Answers questions about records.',
      domains: ['execution'],
    });
    const empty = await clientOf(live(), other.key).post(`/qlms/${foreign}/invoke`, {
      question: 'How many portfolios are there?',
    });
    expect(empty.body.facts[0].value).to.equal('0');
  });
});
