import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importSampleEconomics } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { createQuestionModel, servingQuestionModel } from '../../support/qlm.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('POST /qlms/{uid}/invoke', (live) => {
  it('200 seals a refusal without the text of the question, and shows the text only to the asking application', async () => {
    const tenancy = await buildTenancy(live());
    const model = await servingQuestionModel(live(), tenancy);
    const client = clientOf(live(), tenancy.key);
    const question = 'What was the zorblax of Qwxzzy AG?';
    const { status, body } = await client.post(`/qlms/${model}/invoke`, { question });
    expect([status, body.outcome, checkSeal(body).intact]).to.deep.equal([200, 'refused', true]);
    expect(body.question).to.equal(question);
    const other = await buildTenancy(live(), { workspace: tenancy.workspace });
    const read = await clientOf(live(), other.key).get(`/qlms/${model}/answers/${body.uid}`);
    expect([read.status, read.body.question]).to.deep.equal([200, null]);
    const events = JSON.stringify((await client.get('/events')).body);
    expect(events).not.to.contain('zorblax');
    const changed = { ...body, flags: ['stale'] };
    expect(checkSeal(changed).intact).to.equal(false);
  });

  it('returns the same answer for the same idempotency key and stores one answer', async () => {
    const tenancy = await buildTenancy(live());
    const model = await servingQuestionModel(live(), tenancy);
    const client = clientOf(live(), tenancy.key);
    const ask = () =>
      client.post(`/qlms/${model}/invoke`, { question: 'What is GDP?' }, { 'idempotency-key': 'once' });
    const [first, second] = [await ask(), await ask()];
    expect(second.body).to.deep.equal(first.body);
    expect((await client.get(`/qlms/${model}/answers`)).body.data).to.have.length(1);
  });

  it('returns the same answer with and without data if the scope of the domain is missing', async () => {
    const [held, empty] = [await buildTenancy(live()), await buildTenancy(live())];
    await importSampleEconomics(live(), held.workspace);
    const answers = await Promise.all(
      [held, empty].map(async (tenancy) => {
        const model = await servingQuestionModel(live(), tenancy);
        const { workspace } = tenancy;
        const narrow = await buildTenancy(live(), { workspace, scopes: ['qlm:invoke'] });
        const asked = await clientOf(live(), narrow.key).post(`/qlms/${model}/invoke`, {
          question: 'What was GDPC1 in 2019-Q2?',
        });
        return [asked.status, asked.body.outcome, asked.body.refusal];
      }),
    );
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('409 without a serving version, and 404 for a question model of another workspace', async () => {
    const [mine, theirs] = [await buildTenancy(live()), await buildTenancy(live())];
    const { modelUid } = await createQuestionModel(live(), mine);
    const body = { question: 'What is GDP?' };
    const asked = await clientOf(live(), mine.key).post(`/qlms/${modelUid}/invoke`, body);
    expect([asked.status, asked.body.code]).to.deep.equal([409, 'qlm_not_serving']);
    expect((await clientOf(live(), theirs.key).post(`/qlms/${modelUid}/invoke`, body)).status).to.equal(404);
  });

  it('422 for bad input, and writes nothing', async () => {
    const tenancy = await buildTenancy(live());
    const model = await servingQuestionModel(live(), tenancy);
    const client = clientOf(live(), tenancy.key);
    const bodies = [
      {},
      { question: '' },
      { question: 'x'.repeat(1_001) },
      { question: 'What is GDP?', query: { op: 'capabilities' } },
      { question: 'What is GDP?', as_of: '9999-12-31' },
      { query: { op: 'value', measure: 'economics.GDP', period: { at: '9999-Q5' } } },
      { query: { op: 'rank', measure: 'price.close', period: { at: 'latest' }, limit: 1, nth: 2 } },
      { query: { op: 'value', measure: 'economics.GDP', period: { from: '2020', to: 'latest' } } },
    ];
    for (const body of bodies) {
      const { status } = await client.post(`/qlms/${model}/invoke`, body);
      expect([status, JSON.stringify(body).slice(0, 80)]).to.deep.equal([
        422,
        JSON.stringify(body).slice(0, 80),
      ]);
    }
    expect((await client.get(`/qlms/${model}/answers`)).body.data).to.deep.equal([]);
  });

  it('works although the API role may not change models, versions, suites or the serving version', async () => {
    const refused = await asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ allowed: boolean }>(
        `select has_table_privilege(r.rolname, t.name, p.privilege) as allowed
         from pg_roles r, unnest(array['qlm_version', 'qlm_serving', 'qlm_suite', 'qlm_model']) t (name),
           unnest(array['insert', 'update', 'delete']) p (privilege)
         where r.rolname = current_database() || '_api'`,
      );
      return rows.map(({ allowed }) => allowed);
    });
    expect(new Set(refused)).to.deep.equal(new Set([false]));
  });
});
