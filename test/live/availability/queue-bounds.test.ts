import { expect } from 'chai';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { serviceClassLimits } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { createRuns } from '#lib/pipeline/bulk-runs.write.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

const { queuedRuns, queuedBytes } = serviceClassLimits.developer;

onOneBackend('The queue of a workspace', (live) => {
  /**
   * Creates a workspace whose queue already holds these runs and bytes. Its service class is developer. No
   * worker takes the runs, because they name a queue that does not exist.
   */
  async function buildQueued(runs: number, inputBytes: number): Promise<Tenancy> {
    const tenancy = await buildTenancy(live());
    const uids = Array.from({ length: runs }, () => newUid(prefixes.forecast));
    await asSuperuser(live(), async (client) => {
      await client.query(`update workspace set service_class = 'developer' where uid = $1`, [
        tenancy.workspace,
      ]);
      await client.query(
        `with queued as (
           insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version, input,
             input_hash, dataset_revisions, request_id, created_at)
           select uid, $2, 'sandbox', $3, 'planning.forecasts', 'queued', 'any', '1', '{}', '', '{}', 'req_test', now()
           from unnest($1::text[]) uid returning uid)
         insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at, input_bytes)
         select uid, $2, 'sandbox', 'planning.forecasts', 'nowhere', now(), $4 from queued`,
        [uids, tenancy.workspace, tenancy.application, inputBytes],
      );
    });
    return tenancy;
  }

  const submit = ({ key }: Tenancy) =>
    clientOf(live(), key).post('/trust/evidence-packs', undefined, { prefer: 'respond-async' });

  const submitBatch = ({ workspace, application }: Tenancy, items: number) =>
    inTenant(live().orm('api'), { workspace, environment: 'sandbox' }, (em) =>
      createRuns(em, forecastsRun, {
        application,
        requestId: 'req_test',
        inputs: Array.from({ length: items }, () => ({})),
        now: new Date(),
      }),
    ).then(
      () => undefined,
      ({ code, members }) => ({ code, ...members }),
    );

  it('429 states the maximum number of runs when the queue holds that number', async () => {
    const { status, body, headers } = await submit(await buildQueued(queuedRuns, 1));
    expect(status).to.equal(429);
    expect(body).to.include({
      code: 'queue_full',
      bound: 'queued_runs',
      limit: queuedRuns,
      queued: queuedRuns,
      service_class: 'developer',
    });
    expect(Number(headers.get('retry-after'))).to.be.at.least(1);
  });

  it('429 when the inputs of its runs reach the maximum of bytes', async () => {
    const { status, body } = await submit(await buildQueued(2, queuedBytes / 2));
    expect(status).to.equal(429);
    expect(body).to.include({ code: 'queue_full', bound: 'queued_bytes', limit: queuedBytes });
  });

  it('accepts a batch that fits, and rejects a larger batch with queue_full, or with batch_too_large if it can never fit', async () => {
    const tenancy = await buildQueued(queuedRuns - 10, 1);
    expect(await submitBatch(tenancy, 11)).to.include({ code: 'queue_full', requested: 11 });
    expect(await submitBatch(tenancy, queuedRuns + 1)).to.include({
      code: 'batch_too_large',
      bound: 'queued_runs',
      limit: queuedRuns,
      requested: queuedRuns + 1,
    });
    expect(await submitBatch(tenancy, 10)).to.equal(undefined);
  });
});
