import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { callTool } from '../../support/agent.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { sealPackOf } from '../../support/evidence-pack.ts';
import { onOneBackend } from '../../support/live.ts';
import { NETTING_SETS, termsOf } from '../../support/netting-set.ts';
import { offer, sourceOf } from '../../support/obligation.ts';
import { eventually } from '../../support/runs.ts';

/**
 * A word that can be part of a name, a code or an address. `AMOUNT` is an amount that occurs nowhere else.
 */
const CANARY = 'kanarie7';
const AMOUNT = 424_242_424.42;

onOneBackend('I-124: text that persons and applications sent', function (live) {
  let tenancy: Tenancy;
  let folder: string;

  const run = async (...words: string[]) => {
    const printed = await assay(live(), ...words, '--json');
    expect(printed.status, `${words.join(' ')}: ${printed.stderr}`).to.equal(0);
    return printed.json;
  };

  before(async () => {
    tenancy = await buildTenancy(live());
    folder = await mkdtemp(path.join(tmpdir(), 'assay-canaries-'));
    const keyFile = path.join(folder, 'key');
    await writeFile(keyFile, `sk-${CANARY}-key`);
    const of = ['--workspace', tenancy.workspace];
    const mail = `${CANARY}@${CANARY}.example`;
    await run('person', 'create', ...of, '--name', CANARY, '--email', mail, '--roles', 'approver');
    const url = `https://${CANARY}.example/`;
    await run('webhook', 'create', ...of, '--url', url, '--description', CANARY);
    const provider = ['--label', CANARY, '--provider', CANARY, '--models', CANARY];
    const at = ['--base-url', 'https://ai.example.com/v1'];
    await run('ai', 'connection', 'create', ...of, ...provider, ...at, '--key-file', keyFile);
    const { id } = await run('counterparty', 'create', ...of, '--name', CANARY);
    const said = { source_system: CANARY, source_reference: CANARY, original_amount: AMOUNT };
    const source = sourceOf(id, { ...said, outstanding_amount: AMOUNT });
    expect((await offer(live(), tenancy.key, source)).status).to.equal(201);
    const other = { ...source, source_hash: 'ab'.repeat(32) };
    expect((await offer(live(), tenancy.key, other)).status).to.equal(422);
    const terms = { name: CANARY, source_reference: CANARY, threshold_minor: AMOUNT * 100 };
    const client = clientOf(live(), tenancy.key);
    expect((await client.post(NETTING_SETS, termsOf(id, terms))).status).to.equal(201);
    await callTool(live(), tenancy.key, 'workspace_get', { [CANARY]: AMOUNT });
    await callTool(live(), tenancy.key, CANARY, { uid: CANARY });
    await client.get(`/quant/compute/jobs?cursor=${CANARY}`);
  });
  after(() => rm(folder, { recursive: true }));

  const expectNone = (text: string, about: string) => {
    expect(text.length, about).to.be.greaterThan(2);
    for (const each of [CANARY, '424242424'])
      expect(text.includes(each), `${each} in ${about}`).to.equal(false);
  };

  it('is in no sealed, signed or exported pack', async () => {
    const pack = await sealPackOf(live(), tenancy.key);
    expect(pack.aggregates.entries).to.be.greaterThan(5);
    expectNone(JSON.stringify(pack), 'the pack');
    expectNone(Buffer.from(pack.envelope.payload, 'base64').toString(), 'what was signed');
    const file = path.join(folder, 'pack.json');
    await writeFile(file, JSON.stringify(pack));
    expectNone((await assay(undefined, 'evidence', 'oscal', file)).stdout, 'the assessment results');
  });

  it('is in no event and no webhook message', async () => {
    const events = await eventually(async () => {
      const { body } = await clientOf(live(), tenancy.key).get('/events?limit=200');
      const types = new Set(body.data.map(({ type }: { type: string }) => type));
      return types.has('netting_set.recorded') && types.has('obligation.conflict') && body.data;
    });
    expectNone(JSON.stringify(events), 'the events');
  });

  it('is in no record of an agent call', async () => {
    const { body } = await clientOf(live(), tenancy.key).get('/agents/invocations');
    expect(body.data).to.have.lengthOf(2);
    expectNone(JSON.stringify(body), 'the calls');
  });

  it('is in neither the audit log nor a process log', async () => {
    const file = path.join(folder, 'log.ndjson');
    const of = ['--workspace', tenancy.workspace, '--environment', 'sandbox'];
    await run('audit', 'export', file, ...of);
    expectNone(await readFile(file, 'utf8'), 'the audit log');
    const logs = live().logDirectory;
    const files = (await readdir(logs, { recursive: true })).filter((name) => name.endsWith('.log'));
    expect(files).to.not.deep.equal([]);
    for (const name of files) expectNone(await readFile(path.join(logs, name), 'utf8'), name);
  });

  it('is in neither the intelligence summary nor the value report', async () => {
    const client = clientOf(live(), tenancy.key);
    for (const at of ['/intelligence/summary', '/commercial/financial-operations/value']) {
      expectNone(JSON.stringify((await client.get(at)).body), at);
    }
  });
});
