import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { readKey } from '#lib/ai/connection.write.ts';
import { decrypt } from '#lib/core/encryption.ts';
import { openEnvelope } from '#lib/core/envelope-encryption.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { ensureSigningKey, activeSigningKey, openSigningKey } from '#lib/trust/signing-key.write.ts';
import { shownOf } from '#lib/events/webhook/signature.ts';
import { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import { auditDatabase, type AuditDatabase } from '../../support/audit.ts';
import { assay } from '../../support/cli.ts';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((word) => Buffer.alloc(32, word));
const set = (variable: string, key: Buffer, old?: Buffer) => ({
  [variable]: key.toString('base64'),
  ...(old ? { OLD_SECRET: old.toString('base64') } : {}),
});

describe('assay keys rewrap', function () {
  let database: AuditDatabase;
  let folder: string;

  before(async () => {
    database = await auditDatabase('assay_test_rewrap');
    folder = await mkdtemp(path.join(tmpdir(), 'assay-rewrap-'));
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const run = (variables: Record<string, string>, ...words: string[]) =>
    assay({ ownerUrl: database.ownerUrl, variables }, ...words, '--json');
  const rewrap = (secrets: string, variables: Record<string, string>) =>
    run(variables, 'keys', 'rewrap', secrets);
  const everywhere = <T>(work: Parameters<typeof inPlatform<T>>[1]) =>
    inPlatform(database.orm('operator'), work);
  const recorded = async (workspace: string, op: string) =>
    (await run({}, 'audit', 'list', '--workspace', workspace, '--op', op)).json.data.map(
      ({ subject }: { subject: { uid: string } }) => subject.uid,
    );
  const opensWith = async (webhook: string, key: Buffer) => {
    const { secret } = await everywhere((em) =>
      em.findOneOrFail(Webhook, { uid: webhook }, { filters: false, refresh: true }),
    );
    return shownOf(decrypt(secret, key, webhook)).secret;
  };
  const createWebhook = async (workspace: string, key: Buffer) => {
    const words = ['--workspace', workspace, '--url', 'https://hooks.example.com/'];
    const made = await run(set('WEBHOOK_KEY', key), 'webhook', 'create', ...words);
    expect(made.status, made.stderr).to.equal(0);
    return made.json as { uid: string; secret: string };
  };

  it('encrypts the secrets of all webhooks with the new key once, with a log entry for each', async () => {
    const { workspace } = await database.tenant();
    const made = [await createWebhook(workspace, FIRST!), await createWebhook(workspace, FIRST!)];
    await run(set('WEBHOOK_KEY', FIRST!), 'webhook', 'rotate', made[1]!.uid);
    const done = await rewrap('webhooks', set('WEBHOOK_KEY', SECOND!, FIRST));
    expect(done.json).to.deep.equal({ secrets: 'webhooks', variable: 'WEBHOOK_KEY', rewrapped: 2 });
    expect(await opensWith(made[0]!.uid, SECOND!)).to.equal(made[0]!.secret);
    const { previousSecret } = await everywhere((em) =>
      em.findOneOrFail(Webhook, { uid: made[1]!.uid }, { filters: false }),
    );
    expect(shownOf(decrypt(previousSecret!, SECOND!, made[1]!.uid)).secret).to.equal(made[1]!.secret);
    expect(await recorded(workspace, 'webhook.rewrapped')).to.have.members(made.map(({ uid }) => uid));
    const again = await rewrap('webhooks', set('WEBHOOK_KEY', SECOND!, FIRST));
    expect([again.json.rewrapped, (await recorded(workspace, 'webhook.rewrapped')).length]).to.deep.equal([
      0, 2,
    ]);
  });

  it('changes nothing if neither key decrypts a secret', async () => {
    const { workspace } = await database.tenant();
    const [mine, strange] = [await createWebhook(workspace, SECOND!), await createWebhook(workspace, THIRD!)];
    const refused = await rewrap('webhooks', set('WEBHOOK_KEY', FIRST!, SECOND));
    expect(refused).to.include({ status: 1, stdout: '' });
    expect(refused.stderr)
      .to.match(/^secret_unknown: /)
      .and.include(strange.uid);
    expect(await opensWith(mine.uid, SECOND!)).to.equal(mine.secret);
    expect((await rewrap('webhooks', set('WEBHOOK_KEY', SECOND!, THIRD))).json.rewrapped).to.equal(1);
    expect(await opensWith(strange.uid, SECOND!)).to.equal(strange.secret);
  });

  it('re-encrypts signing keys, keys of AI providers and one-time codes, even if the old key was derived from a password', async () => {
    const { workspace } = await database.tenant();
    await run({}, 'signing-key', 'rotate');
    const keyid = await everywhere(async (em) => {
      await ensureSigningKey(em, FIRST!, new Date());
      return (await activeSigningKey(em))!.keyid;
    });
    expect((await rewrap('signing', set('SIGNING_SECRET', FIRST!))).json.rewrapped).to.equal(1);
    const opened = await everywhere((em) => openSigningKey(em, keyid, FIRST!));
    expect(opened).to.be.a('string');
    expect(await recorded(workspace, 'signing_key.rewrapped')).to.deep.equal([keyid, keyid]);
    expect(await recorded(workspace, 'signing_key.rotated')).to.deep.equal([keyid, keyid]);

    const file = path.join(folder, 'key');
    await writeFile(file, 'sk-canary-0001');
    const names = ['--label', 'Main', '--provider', 'example', '--base-url', 'https://ai.example.com/v1'];
    const words = ['--workspace', workspace, ...names, '--models', 'small', '--key-file', file];
    const connection = (await run({}, 'ai', 'connection', 'create', ...words)).json.uid;
    expect((await rewrap('ai', set('AI_CONNECTION_KEY', FIRST!))).json.rewrapped).to.equal(1);
    const envelope = await everywhere((em) => readKey(em, connection));
    expect(openEnvelope(envelope!, FIRST!, connection)).to.equal('sk-canary-0001');
    expect(await recorded(workspace, 'ai_connection.rewrapped')).to.deep.equal([connection]);

    const names2 = ['--name', 'ann', '--email', 'ann@acme.example', '--roles', 'owner'];
    const ann = (await run({}, 'person', 'create', '--workspace', workspace, ...names2)).json.uid;
    const { secret } = (await run({}, 'person', 'enrol', ann)).json;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await rewrap('codes', set('ENCRYPTION_KEY', FIRST!))).json.rewrapped).to.equal(1);
    expect(await recorded(workspace, 'person.code_rewrapped')).to.deep.equal([ann, ann]);
    const who = ['--name', 'ben', '--email', 'ben@acme.example', '--roles', 'approver'];
    const by = ['--workspace', workspace, ...who, '--as', ann, '--code', code];
    const made = await run(set('ENCRYPTION_KEY', FIRST!), 'person', 'create', ...by);
    expect(made.status, made.stderr).to.equal(0);
  });

  it('accepts the earlier password of a derived key and can return to that password', async () => {
    const password = (key: string) => ({ OLD_PASSWORD: key });
    const { workspace } = await database.tenant();
    await rewrap('webhooks', { OLD_SECRET: SECOND!.toString('base64'), WORKER_PASSWORD: 'a'.repeat(16) });
    const { uid } = (
      await run(
        { WORKER_PASSWORD: 'a'.repeat(16) },
        ...['webhook', 'create', '--workspace', workspace, '--url', 'https://hooks.example.com/'],
      )
    ).json;
    const wrong = await rewrap('webhooks', {
      ...set('WEBHOOK_KEY', FIRST!),
      ...password('b'.repeat(16)),
    });
    expect(wrong.stderr).to.match(/^secret_unknown: /);
    const done = await rewrap('webhooks', { ...set('WEBHOOK_KEY', FIRST!), ...password('a'.repeat(16)) });
    expect(done.json.rewrapped).to.be.greaterThan(1);
    expect(await opensWith(uid, FIRST!)).to.match(/^whsec_/);
  });
});
