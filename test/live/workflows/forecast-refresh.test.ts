import { expect } from 'chai';
import { presentReport } from '#api/cli/workflows/workflow-present.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { library } from '#lib/workflows/library.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { FORECASTS, importEconomics } from '../../support/forecast.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS } from '../../support/monthly-returns.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';
import { writeModel } from '../../support/numeric-model.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { eventually } from '../../support/runs.ts';
import {
  countJobs,
  publishWorkflow,
  readWorkflowRun,
  setWorkflowRate,
  startWorkflow,
  workflowPolicy,
} from '../../support/workflow.ts';

const [HEADER, ...MONTHS] = MONTHLY_RETURNS as [string, ...string[]];
const EARLIER = MONTHS.slice(0, 197);
/** The same values with the months in reverse order: the rows differ, but the distribution is the same. */
const TURNED = EARLIER.map((month, at) => {
  const values = EARLIER.at(-1 - at)!;
  return month.slice(0, month.indexOf(',')) + values.slice(values.indexOf(','));
});

onOneBackend('The workflow forecast-refresh', function (live) {
  let tenancy: Tenancy;
  let second: string;
  let model: string;
  let version: WorkflowVersion;

  before(async () => {
    tenancy = await buildTenancy(live());
    second = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    await importEconomics(live(), tenancy.workspace);
    await setWorkflowRate(live(), tenancy);
    model = (await writeModel(live(), tenancy, { lines: [HEADER, ...EARLIER], factors: FACTORS })).uid;
    for (const step of ['trainings', 'evaluations']) {
      const { status, body } = await clientOf(live(), tenancy.key).post(`/lqm/models/${model}/${step}`, {});
      expect(status, JSON.stringify(body)).to.equal(201);
    }
    version = await publishWorkflow(live(), tenancy, library['forecast-refresh']);
  });

  const read = (uid: string) => readWorkflowRun(live(), tenancy, uid);
  const reaches = (uid: string, state: string) =>
    eventually(async () => {
      const { run } = await read(uid);
      if (run.state === 'failed') throw new Error(run.errorCode ?? 'failed');
      return run.state === state;
    });
  const start = async (name: string, months: readonly string[]) => {
    const units = HEADER.split(',')
      .slice(1)
      .map((each) => `${each}=log_return`)
      .join(',');
    const dataset_id = await importNumericDataset(live(), tenancy, {
      name,
      lines: [HEADER, ...months],
      units,
    });
    const parameters = { model_uid: model, dataset_id, metric: 'economics.GDPC1', horizon: 4 };
    return startWorkflow(live(), tenancy, version, parameters);
  };
  const reported = async (uid: string) => {
    const found = await read(uid);
    const report = presentReport(found) as any;
    expect(checkSeal(report)).to.deep.include({ intact: true });
    const forecast = found.steps.find(({ key }) => key === 'forecast')!.jobUid!;
    const { body } = await clientOf(live(), tenancy.key).get(`${FORECASTS}/${forecast}`);
    expect(report.figures.points).to.deep.equal(body.result.points);
    expect(report.figures.result_hash).to.equal(body.result_hash);
    expect(report.evidence.map(({ step }: any) => step)).to.deep.equal(['drift', 'forecast']);
    expect(await countJobs(live(), tenancy, uid)).to.deep.equal({ requested: 2, metered: 2 });
    expect(found.cost).to.deep.include({ currency: 'EUR', isFloor: false });
    return report.figures;
  };

  it('forecasts and reports without an approval if the data has not drifted', async () => {
    const uid = await start('turned', TURNED);
    await reaches(uid, 'succeeded');
    const gate = (await read(uid)).steps.find(({ key }) => key === 'drift_gate')!;
    expect([gate.output!['passed'], gate.decidedByUid ?? null]).to.deep.equal([true, null]);
    expect(await reported(uid)).to.deep.include({ severity: gate.output!['value'], drifted_columns: 0 });
  });

  it('stops at the gate for the approval of another person if the data has drifted', async () => {
    const uid = await start('later', MONTHS.slice(197));
    await reaches(uid, 'waiting_approval');
    const states = (await read(uid)).steps.map(({ state, attempts }) => [state, attempts]);
    expect(states).to.deep.equal([
      ['succeeded', 1],
      ['waiting_approval', 1],
      ['pending', 0],
      ['pending', 0],
    ]);
    const approve = (person: string) =>
      assay(live(), 'workflow', 'approve', uid, '--as', person, '--reason', 'looked at', '--json');
    expect((await approve(tenancy.person)).stderr).to.match(/^second_person_required/);
    expect((await approve(second)).json?.approved).to.deep.equal(['drift_gate']);
    await reaches(uid, 'succeeded');
    expect((await reported(uid)).severity).to.equal('material');
  });
});
