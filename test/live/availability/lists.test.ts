import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { newUid } from '#lib/core/id.ts';
import { databaseName, roleName } from '#lib/database/roles.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

const RUNS = 20;
const INPUT_BYTES = 900_000;

onOneBackend('Lists of runs with large inputs', (live) => {
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
    await keepRuns(tenancy, { summarised: RUNS, plain: 3 });
  });

  let restore = async () => {};
  afterEach(() => restore());

  /** Revokes the API's privilege to read the inputs of runs. Returns a function that restores it. */
  async function hideInputs(): Promise<() => Promise<void>> {
    const role = roleName(databaseName(live().ownerUrl), 'api');
    const change = (text: string) => asSuperuser(live(), async (client) => void (await client.query(text)));
    await asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ names: string }>(
        `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
         where attrelid = 'run'::regclass and attnum > 0 and not attisdropped and attname <> 'input'`,
      );
      await client.query(`revoke select on run from ${role}`);
      await client.query(`grant select (${rows[0]!.names}) on run to ${role}`);
    });
    restore = async () => {};
    return () => change(`grant select on run to ${role}`);
  }

  /**
   * Writes cancelled runs: some in the form of the current release, some in the form of the previous release.
   */
  async function keepRuns(
    { workspace, application }: Tenancy,
    { summarised, plain }: { summarised: number; plain: number },
  ): Promise<void> {
    const input = { method: 'robust_z', rows: [], filler: 'x'.repeat(INPUT_BYTES) };
    const uids = Array.from({ length: summarised + plain }, () => newUid(prefixes.anomalyRun));
    await asSuperuser(live(), (client) =>
      client.query(
        `insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version, input,
           summary, input_hash, dataset_revisions, request_id, created_at, finished_at)
         select uid, $2, 'sandbox', $3, 'generative.anomaly', 'cancelled', 'svc_anomaly_scores_v1', '1.0.0', $4::jsonb,
           case when at > $6 then '{"method": "robust_z"}'::jsonb end, $5, '{}', 'req_01K8XQ5W3ZJ6T9R2M4N7P0QABC', now(), now()
         from unnest($1::text[]) with ordinality u (uid, at)`,
        [uids, workspace, application, JSON.stringify(input), canonicalHash({}), plain],
      ),
    );
  }

  it('show the declared fields of each run in less than 1,000 bytes, without its input and its result', async () => {
    const { status, body } = await clientOf(live(), tenancy.key).get('/ml/anomaly?limit=200');
    expect(status).to.equal(200);
    expect(body.data).to.have.length(RUNS + 3);
    expect(new Set(body.data.map((run: { method: string }) => run.method))).to.deep.equal(
      new Set(['robust_z']),
    );
    expect(body.data.filter((run: object) => 'input' in run || 'result' in run)).to.deep.equal([]);
    expect(JSON.stringify(body).length).to.be.below(1_000 * (RUNS + 3));
  });

  it('filter by the method of the input', async () => {
    const client = clientOf(live(), tenancy.key);
    const found = await client.get('/ml/anomaly?limit=200&method=robust_z');
    expect(found.body.data).to.have.length(RUNS + 3);
    expect((await client.get('/ml/anomaly?method=mahalanobis')).body.data).to.deep.equal([]);
  });

  it('are returned without a read of the inputs', async () => {
    const client = clientOf(live(), tenancy.key);
    const uid = (await client.get('/ml/anomaly?limit=1')).body.data[0].uid;
    restore = await hideInputs();
    const paths = [
      '/ml/anomaly?limit=10',
      '/ml/anomaly?limit=10&method=robust_z',
      '/quant/compute/jobs?limit=10',
      `/quant/compute/jobs/${uid}?wait=1`,
    ];
    for (const path of paths) {
      expect((await client.get(path)).status, path).to.equal(200);
    }
  });
});
