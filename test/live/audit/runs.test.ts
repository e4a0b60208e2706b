import { expect } from 'chai';
import { listAudit, type ListedEntry } from '#lib/audit/audit-entry.query.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';
import { whileStopped } from '../../support/stopped.ts';

const FACTORS = '/investment/theme-watch/factors';

onOneBackend('The audit log of runs', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let tenant: Tenant;

  before(async () => {
    tenancy = await buildTenancy(live());
    tenant = { workspace: tenancy.workspace, environment: tenancy.environment };
    client = clientOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
  });

  const entriesOf = (subject: string): Promise<ListedEntry[]> =>
    inTenant(live().orm('api'), tenant, (em) => listAudit(em, { subject, limit: 10 }));

  /** The io worker places entries in the Merkle tree every second. */
  const placed = (subject: string) =>
    eventually(async () => {
      const [entry] = await entriesOf(subject);
      return entry?.index !== null && entry;
    });

  const whileNothingComputes = <T>(work: () => Promise<T>) =>
    whileStopped(live(), ['worker-numerics-1', 'scheduler'], work);

  it('has an entry with the hash of each seal', async () => {
    const { body: run } = await client.post(FACTORS, {});
    const { entry } = await placed(run.uid);
    expect(entry).to.deep.equal({
      at: run.seal.sealed_at,
      op: 'run.sealed',
      actor: { kind: 'application', uid: tenancy.application },
      subject: { type: 'run', uid: run.uid, version: null },
      outcome: { status: 'done', code: null },
      request_id: run.request_id,
      decision_uid: null,
      payload_hash: run.input_hash,
      before_hash: null,
      after_hash: run.seal.hash,
      details: { kind: run.kind, result_hash: run.result_hash },
    });
    expect(await entriesOf(run.uid)).to.have.lengthOf(1);
  });

  it('contains seal entries in canonical JSON (RFC 8785), whatever characters their texts contain', async () => {
    const { body: run } = await client.post(FACTORS, {}, { 'x-request-id': '~!#$%&*+-./:;<=>?@^_`|' });
    const [row] = await inTenant(live().orm('api'), tenant, (em) =>
      em.execute<{ body: string; escaped: string }[]>(
        `select body, audit_text(E'a"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\\u00e9\\u2028\\U0001F600') as escaped
         from audit_entry where subject_uid = '${run.uid}'`,
      ),
    );
    expect(row!.body).to.equal(canonicalJson(JSON.parse(row!.body)));
    expect(row!.escaped).to.equal(canonicalJson('a"\\/\b\f\n\r\t\u0001\u001f\u007f\u00e9\u2028\u{1F600}'));
  });

  it('has one entry with the actor for a cancellation, over HTTP and on the command line', async () => {
    await whileNothingComputes(async () => {
      const submit = async () =>
        (await client.post(FACTORS, {}, { prefer: 'respond-async' })).body.uid as string;
      const [byCaller, byOperator] = [await submit(), await submit()];
      const answers = [
        await client.post(`/quant/compute/jobs/${byCaller}/cancel`),
        await client.post(`/quant/compute/jobs/${byCaller}/cancel`),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect((await assay(live(), 'jobs', 'cancel', byOperator)).status).to.equal(0);
      const [caller, operator] = [await entriesOf(byCaller), await entriesOf(byOperator)];
      expect([caller.length, operator.length]).to.deep.equal([1, 1]);
      expect(caller[0]!.entry).to.deep.include({
        op: 'run.cancelled',
        actor: { kind: 'application', uid: tenancy.application, credential_uid: tenancy.credential },
        request_id: answers[0]!.headers.get('x-request-id'),
      });
      expect(operator[0]!.entry).to.deep.include({
        op: 'run.cancelled',
        actor: { kind: 'system', uid: null },
        request_id: null,
      });
    });
  });

  it('has every entry placed in the tree even when the worker is killed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const pid = live().pid('worker-io')!;
      process.kill(pid, 'SIGKILL');
      const { body: run } = await client.post(FACTORS, {});
      await placed(run.uid);
      expect(live().pid('worker-io')).to.not.equal(pid);
    }
  });
});
