import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { assay } from '../../support/cli.ts';
import {
  dividedScenarios,
  PARTS,
  request,
  SCENARIOS,
  type DividedScenarios,
} from '../../support/divided-scenarios.ts';
import { onEachBackend } from '../../support/live.ts';

const THREAD = new URL('../../../workers/process/thread.ts', import.meta.url);

onEachBackend('A scenario run that is divided among workers', function (live) {
  let scenarios: DividedScenarios;
  before(async () => {
    scenarios = await dividedScenarios(live());
  });

  it('has the same hashes and samples as the run in one part', async () => {
    const { status, body } = await scenarios.client.post(SCENARIOS, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect([body.attempts, body.progress]).to.deep.equal([1, 1]);
    expect(Object.keys(body.result.hashes)).to.have.length(6);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const samples = await fetch(`${live().url}/api/v2/generative/runs/${body.uid}/samples`, {
      headers: { authorization: `Bearer ${scenarios.tenancy.key}` },
    });
    const bytes = new Uint8Array(await samples.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(body.result.hashes.samples_hash);
    expect(await scenarios.partsKept()).to.equal(0);
  });

  it('ends with the same error as the run in one part', async () => {
    const far = { ...request, stress: [{ factor: 'KO', shock: -3 }] };
    const whole = await scenarios.client.post('/generative/scenarios', far);
    const divide = () => PARTS;
    await scenarios.withWorker({ divide }, THREAD, async () => {
      const { status, body } = await scenarios.client.post('/generative/scenarios', far);
      expect([status, body.code, body.detail]).to.deep.equal([422, 'stress_invalid', whole.body.detail]);
    });
  });
});
