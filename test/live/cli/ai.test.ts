import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { openProvider, status, well, type Provider } from '../../support/provider.ts';
import { asSuperuser } from '../../support/rows.ts';

const [FIRST, SECOND] = ['sk-canary-0001', 'sk-canary-0002'];

onOneBackend('assay ai', function (live) {
  let tenancy: Tenancy;
  let provider: Provider;
  let folder: string;
  let keyFile: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    provider = await openProvider();
    folder = await mkdtemp(path.join(tmpdir(), 'assay-test-'));
    keyFile = path.join(folder, 'key');
    await writeFile(keyFile, `${FIRST}\n`);
  });
  after(async () => {
    await provider.close();
    await rm(folder, { recursive: true });
  });

  const variables = { AI_NETWORKS: '127.0.0.0/8' };
  const ai = (...words: string[]) =>
    assay({ ownerUrl: live().ownerUrl, variables }, 'ai', ...words, '--json');
  const create = (baseUrl: string, label: string) =>
    ai(
      ...[
        'connection',
        'create',
        '--workspace',
        tenancy.workspace,
        '--label',
        label,
        '--provider',
        'example',
      ],
      ...['--base-url', baseUrl, '--models', 'small,large', '--key-file', keyFile],
    );

  it('connects and tests a provider, sets its prices, budget and key, and ends the connection', async () => {
    const made = await create(provider.baseUrl, 'Main');
    expect(made.stderr).to.equal('');
    expect(made.json).to.include({ label: 'Main', state: 'active', key_ends_with: '0001' });
    const uid: string = made.json.uid;

    await ai('price', uid, '--model', 'small', '--currency', 'USD', '--input', '2.50', '--output', '10');
    provider.answers(well());
    expect((await ai('connection', 'test', uid)).json).to.include({ model: 'small', input_tokens: 1_000 });
    expect(provider.requested[0]!.authorization).to.equal(`Bearer ${FIRST}`);

    await writeFile(keyFile, SECOND);
    expect((await ai('connection', 'rotate', uid, '--key-file', keyFile)).json).to.include({
      key_ends_with: '0002',
    });
    provider.answers(status(401));
    expect((await ai('connection', 'test', uid)).stderr).to.equal(
      'unauthorized: the provider returned HTTP status 401\n',
    );
    expect(provider.requested[0]!.authorization).to.equal(`Bearer ${SECOND}`);

    await ai('budget', uid, '--currency', 'USD', '--daily', '0.000001');
    expect((await ai('connection', 'test', uid)).stderr).to.match(/^budget_exhausted: /);
    expect((await ai('connection', 'revoke', uid)).json).to.include({ state: 'revoked' });
    expect((await ai('connection', 'test', uid)).stderr).to.match(/^connection_revoked: /);

    const { body } = await clientOf(live(), tenancy.key).get('/ai/byok/usage?days=1');
    expect(body.totals).to.deep.include({
      requests: 2,
      failed_requests: 1,
      cost: [{ currency: 'USD', amount_micro: 7_500 }],
    });
    const log = await assay(live(), 'audit', 'list', '--workspace', tenancy.workspace, '--json');
    const ops = log.json.data
      .map(({ op }: { op: string }) => op)
      .filter((op: string) => op.startsWith('ai.'));
    expect(ops.sort()).to.deep.equal([
      'ai.budget_set',
      'ai.connection_created',
      'ai.connection_revoked',
      'ai.key_rotated',
      'ai.price_set',
    ]);
    expect(JSON.stringify(log.json)).to.not.include('sk-canary');
  });

  it('rejects an address that is not public', async () => {
    expect((await create('https://10.1.2.3/v1', 'Inside')).stderr).to.match(/^address_refused: /);
  });

  it('stores no key in plain text in the database', async () => {
    const rows = await asSuperuser(live(), async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'ai\\_%'`,
      );
      const texts = [];
      for (const { name } of tables) {
        const { rows: found } = await client.query(`select t::text as row from ${name} t`);
        texts.push(...found.map(({ row }) => String(row)));
      }
      return texts;
    });
    expect(rows.join('\n')).to.include('Main').and.not.include('sk-canary');
  });
});
