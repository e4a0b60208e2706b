import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Answer } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

const POOL = 2;
const BEYOND = 6;

onOneBackend('An API whose connections are all in use', (live) => {
  let api: ApiProcess;
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
    api = await startApi(live(), { DATABASE_POOL: String(POOL), DATABASE_WAIT_MS: '500' });
  });
  after(() => api.stop());

  it('503 with Retry-After after a bounded wait while no connection is free', async () => {
    const read = () => clientOf(api, tenancy.key).get('/workspace');
    expect((await read()).status).to.equal(200);
    const held = await asSuperuser(live(), async (client) => {
      await client.query('begin');
      await client.query('lock table credential in access exclusive mode');
      const reads = Array.from({ length: POOL + BEYOND }, read);
      const refused: Answer[] = [];
      for (const each of reads) void each.then((answer) => refused.push(answer));
      await eventually(async () => refused.length === BEYOND);
      return { reads, refused: [...refused] };
    });
    expect(held.refused.map(({ status, body }) => [status, body.code])).to.deep.equal(
      Array.from({ length: BEYOND }, () => [503, 'dependency_unavailable']),
    );
    expect(Number(held.refused[0]!.headers.get('retry-after'))).to.be.at.least(1);
    const all = await Promise.all(held.reads);
    expect(all.filter(({ status }) => status === 200)).to.have.length(POOL);
    expect((await read()).status).to.equal(200);
  });
});
