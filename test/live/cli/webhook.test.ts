import { expect } from 'chai';
import { inPlatform } from '#lib/database/orm.ts';
import { webhookKey } from '#lib/core/encryption.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { pino } from 'pino';
import { openSender } from '#lib/events/webhook/sender.ts';
import { webhookDelivery } from '#workers/periodic/deliver-webhooks.ts';
import { placeAuditEntries } from '#workers/periodic/place-audit-entries.ts';
import { auditDatabase, type AuditDatabase } from '../../support/audit.ts';
import { assay } from '../../support/cli.ts';
import { createEvent } from '../../support/event.ts';
import { loopback, openReceiver, verified, type Receiver } from '../../support/webhook.ts';

describe('assay webhook', function () {
  let database: AuditDatabase;
  let receiver: Receiver;

  before(async () => {
    database = await auditDatabase('assay_test_webhook_cli');
    receiver = await openReceiver();
  });
  after(async () => {
    await receiver.close();
    await database.close();
  });

  const webhook = (...words: string[]) => assay(database, 'webhook', ...words, '--json');

  async function deliver(): Promise<void> {
    await placeAuditEntries(database.orm('worker'));
    const sender = openSender(loopback);
    const key = webhookKey(undefined, new URL(roleUrl(database.ownerUrl, 'worker')).password);
    const log = pino({ level: 'silent' });
    await webhookDelivery({ orm: database.orm('worker'), sender, key, log })();
    await sender.close();
  }

  it('rejects an address that is not public and an event type that is unknown', async () => {
    const { workspace } = await database.tenant();
    const create = (...words: string[]) => webhook('create', '--workspace', workspace, ...words);
    const refused = await create('--url', 'https://10.0.0.1/');
    expect([refused.status, refused.stderr.split(':')[0]]).to.deep.equal([1, 'address_refused']);
    const unknown = await create('--url', 'https://hooks.example.com/', '--types', 'run.sealed,run.dreamt');
    expect([unknown.status, unknown.stderr.split(':')[0]]).to.deep.equal([1, 'event_type_unknown']);
  });

  it('creates, lists and rotates a webhook, shows and replays its deliveries, and disables and enables it', async () => {
    const tenant = await database.tenant();
    const made = await webhook(
      'create',
      '--workspace',
      tenant.workspace,
      '--url',
      'https://hooks.example.com/',
      '--types',
      'run.cancelled',
    );
    const { uid, secret } = made.json;
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    // The URL is set in the database, because the command rejects addresses of this machine, where the
    // receiver of the test listens.
    await inPlatform(database.orm('operator'), (em) =>
      em.execute('update webhook set url = ? where uid = ?', [receiver.url, uid]),
    );
    const listed = await webhook('list', '--workspace', tenant.workspace);
    expect(listed.json.data[0]).to.include({ uid, state: 'active', types: 'run.cancelled' });
    expect(listed.stdout).to.not.include('whsec_');

    const rotated = await webhook('rotate', uid, '--overlap-hours', '1');
    const event = await createEvent(database, tenant);
    await deliver();
    for (const each of [secret, rotated.json.secret]) {
      expect(verified(receiver.received[0]!, each).id).to.equal(event);
    }

    const [delivery] = (await webhook('deliveries', uid)).json.data;
    expect(delivery).to.include({
      event,
      type: 'run.cancelled',
      state: 'delivered',
      attempts: 1,
      status: 204,
    });
    expect((await webhook('replay', delivery.uid)).json).to.include({ messages: 1 });
    await deliver();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([event, event]);
    expect((await webhook('deliveries', uid)).json.data[0]).to.include({ state: 'delivered', attempts: 2 });

    expect((await webhook('disable', uid)).json).to.include({ state: 'disabled' });
    const missed = await createEvent(database, tenant);
    await deliver();
    expect(receiver.received).to.have.lengthOf(2);
    expect((await webhook('replay', uid, '--since', '2026-01-01T00:00:00Z')).status).to.equal(1);
    expect((await webhook('enable', uid)).json).to.include({ state: 'active' });
    expect((await webhook('replay', uid, '--since', '2026-01-01T00:00:00Z')).json).to.include({
      messages: 2,
    });
    await deliver();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(2).toSorted()).to.deep.equal([event, missed].toSorted());
    const ops = (await assay(database, 'audit', 'list', '--workspace', tenant.workspace, '--json')).json.data;
    const reported = ops
      .map(({ op }: { op: string }) => op)
      .filter((op: string) => op.startsWith('webhook.'));
    expect(reported.toReversed()).to.deep.equal([
      'webhook.created',
      'webhook.rotated',
      'webhook.replayed',
      'webhook.disabled',
      'webhook.enabled',
      'webhook.replayed',
    ]);
  });
});
