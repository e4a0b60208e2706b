import { expect } from 'chai';
import { simulationParts } from '#lib/quant/simulations/simulation-parts.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { partsKept } from '../../support/kept-parts.ts';
import { onEachBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';

const SIMULATIONS = '/quant/compute/simulations';
const source = { kind: 'parametric', means: [0.005], covariance: [[0.0016]] };
const largest = { source, horizon: 600, paths: 10_000_000, seed: 3 };

onEachBackend('A simulation that is divided among workers', (live) => {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  const submit = async (request: object): Promise<string> => {
    const { status, body } = await client.post(SIMULATIONS, request, { prefer: 'respond-async' });
    expect(status, JSON.stringify(body)).to.equal(202);
    return body.uid;
  };
  const jobOf = async (uid: string) => (await client.get(`/quant/compute/jobs/${uid}`)).body;
  const cancel = async (uid: string) => {
    const { status, body } = await client.post(`/quant/compute/jobs/${uid}/cancel`, {});
    expect(status, JSON.stringify(body)).to.be.within(200, 202);
    await eventually(async () => (await jobOf(uid)).state === 'cancelled');
  };

  it('201 seals the same bytes as in one part', async () => {
    const request = { source, horizon: 100, paths: 245_760, seed: 3 };
    expect(simulationParts({ ...request, assets: ['a'] })!.length).to.be.greaterThan(1);
    const uid = await submit(request);
    const body = await eventually(async () => {
      const { body: read } = await client.get(`${SIMULATIONS}/${uid}?wait=20`);
      return read.state !== 'queued' && read.state !== 'running' && read;
    });
    expect(body.state, JSON.stringify(body.problem)).to.equal('succeeded');
    const replay = await assay(live(), 'replay', body.uid, '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
  });

  it('shows the progress of the first part long before it is done', async () => {
    const uid = await submit(largest);
    const { progress } = await eventually(async () => {
      const job = await jobOf(uid);
      return job.progress > 0 && job;
    });
    expect(await partsKept(live(), tenancy)).to.equal(0);
    expect(progress).to.be.below(1 / 16);
    const later = await eventually(async () => {
      const job = await jobOf(uid);
      return job.progress > progress && job;
    });
    expect(later.state).to.equal('running');
    await cancel(uid);
  });

  it('of ten million paths stops without a stored part when it is cancelled', async () => {
    const uid = await submit(largest);
    await eventually(async () => (await jobOf(uid)).state === 'running');
    await cancel(uid);
    expect(await partsKept(live(), tenancy)).to.equal(0);
  });
});
