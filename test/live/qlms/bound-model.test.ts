import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importSampleEconomics } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { MONTHLY_RETURNS } from '../../support/monthly-returns.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';
import { serveModel } from '../../support/numeric-model.ts';
import { servingQuestionModel } from '../../support/qlm.ts';

const [HEADER, ...MONTHS] = MONTHLY_RETURNS as [string, ...string[]];
const REGIMES = 'Which regime was most likely in the last month that the model knows?';
const STORED = 'What was GDPC1 in 2019-Q2?';

onOneBackend('The bound numeric model of a question model', (live) => {
  let tenancy: Tenancy;
  let client: Client;
  let numeric: { uid: string; key: string };
  let tolerant: string;
  let strict: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importSampleEconomics(live(), tenancy.workspace);
    numeric = await serveModel(live(), tenancy, { lines: [HEADER, ...MONTHS.slice(0, 197)] });
    const profile = { purpose: 'Answers questions about regimes.', domains: ['economics', 'model'] as const };
    const written = { ...profile, domains: [...profile.domains] };
    tolerant = await servingQuestionModel(live(), tenancy, written, { key: numeric.key });
    strict = await servingQuestionModel(
      live(),
      tenancy,
      { ...written, drift_policy: 'refuse_all' },
      { key: numeric.key },
    );
  });

  const ask = async (model: string, question: string) => {
    const { status, body } = await client.post(`/qlms/${model}/invoke`, { question });
    return { status, code: body.code ?? body.refusal?.code ?? null, outcome: body.outcome, body };
  };

  it('answers from its checkpoint while no drift is known', async () => {
    for (const model of [tolerant, strict]) {
      const { status, outcome, body } = await ask(model, REGIMES);
      expect([status, outcome], JSON.stringify(body)).to.deep.equal([200, 'answered']);
      expect(body.facts[0].source.kind).to.equal('model');
      const sum = body.facts.reduce(
        (total: number, { value }: { value: string }) => total + Number(value),
        0,
      );
      expect(sum).to.be.closeTo(1, 1e-9);
    }
  });

  it('that has drifted refuses facts of the model and no stored fact, or all questions (I-183)', async () => {
    const stored = (await ask(tolerant, STORED)).body;
    const id = await importNumericDataset(live(), tenancy, {
      name: 'later',
      lines: [HEADER, ...MONTHS.slice(197)],
      units: HEADER.split(',')
        .slice(1)
        .map((name) => `${name}=log_return`)
        .join(','),
    });
    const assessed = await client.post(`/lqm/models/${numeric.uid}/drift-assessments`, { dataset_id: id });
    expect([assessed.status, assessed.body.result.severity]).to.deep.equal([201, 'material']);
    const refused = await ask(tolerant, REGIMES);
    expect([refused.status, refused.outcome, refused.code]).to.deep.equal([
      200,
      'refused',
      'bound_model_drifted',
    ]);
    expect(refused.body.facts).to.deep.equal([]);
    const kept = (await ask(tolerant, STORED)).body;
    expect([kept.outcome, kept.facts, kept.text]).to.deep.equal([stored.outcome, stored.facts, stored.text]);
    const all = await ask(strict, STORED);
    expect([all.status, all.code]).to.deep.equal([409, 'bound_model_drifted']);
    const shown = await client.get(`/qlms/${tolerant}`);
    expect(shown.body.bound_lqm.drift.severity).to.equal('material');
  });

  it('stays bound to its checkpoint when a new version of the numeric model serves (I-182)', async () => {
    const before = (await client.get(`/qlms/${tolerant}`)).body;
    const { json, stderr } = await assay(
      live(),
      ...['lqm', 'review', 'list', '--workspace', tenancy.workspace, '--json'],
    );
    const [request] = json.data as { uid: string }[];
    const { person: second } = await buildTenancy(live(), { workspace: tenancy.workspace });
    const review = await assay(
      live(),
      'lqm',
      'review',
      'approve',
      request!.uid,
      ...['--reason', 'A test.', '--as', second, '--json'],
    );
    expect(review.json, `${stderr}${review.stderr}`).to.include({ version: 2 });
    const { bound_lqm: bound, serving_version: serving } = (await client.get(`/qlms/${tolerant}`)).body;
    expect(serving).to.equal(before.serving_version);
    expect([bound.version, bound.checkpoint_hash]).to.deep.equal([1, before.bound_lqm.checkpoint_hash]);
    expect((await client.get(`/qlms/${tolerant}/versions`)).body.data).to.have.length(1);
    // A person has decided the retraining, so the drift is reviewed.
    expect((await ask(tolerant, REGIMES)).outcome).to.equal('answered');
  });
});
