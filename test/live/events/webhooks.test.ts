import { expect } from 'chai';
import { pino } from 'pino';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { webhookKey } from '#lib/core/encryption.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { claimDue } from '#lib/events/webhook/claim.write.ts';
import { listDeliveries } from '#lib/events/webhook/delivery-log.query.ts';
import { openSender, type Sender } from '#lib/events/webhook/sender.ts';
import { shownOf } from '#lib/events/webhook/signature.ts';
import { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import { insertWebhook, rotateSecret } from '#lib/events/webhook/webhook.write.ts';
import { webhookDelivery } from '#workers/periodic/deliver-webhooks.ts';
import { placeAuditEntries } from '#workers/periodic/place-audit-entries.ts';
import { auditDatabase, type AuditDatabase } from '../../support/audit.ts';
import { auditEvent } from '../../support/event.ts';
import { eventually } from '../../support/runs.ts';
import { loopback, openReceiver, verified, type Receiver } from '../../support/webhook.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

describe('webhooks', function () {
  let database: AuditDatabase;
  let sender: Sender;
  let key: Buffer;
  let receivers: Receiver[] = [];
  /** The time by which the clock of the worker is ahead, in milliseconds. */
  let ahead = 0;
  /** The instant at which the clock is stopped, for tests about durations of a few seconds. */
  let stopped: Date | undefined;

  before(async () => {
    database = await auditDatabase('assay_test_webhooks');
    sender = openSender(loopback);
    key = webhookKey(undefined, new URL(roleUrl(database.ownerUrl, 'worker')).password);
  });
  after(async () => {
    await sender.close();
    await database.close();
  });
  beforeEach(() => ([ahead, stopped] = [0, undefined]));
  afterEach(async () => {
    // Waiting messages of one test must not reach the next test.
    await inPlatform(database.orm('operator'), (em) =>
      em.execute(
        `update webhook set state = 'disabled', cause = 'operator', disabled_at = now() where state = 'active'`,
      ),
    );
    await Promise.all(receivers.map((each) => each.close()));
    receivers = [];
  });

  const now = () => stopped ?? new Date(Date.now() + ahead);
  const goOn = (ms: number) => (stopped = new Date(now().getTime() + ms));
  const deliver = () =>
    webhookDelivery({
      orm: database.orm('worker'),
      sender,
      key,
      log: pino({ level: 'silent' }),
      clock: { now },
    })();

  type Made = { tenant: Tenant; uid: string; secret: string; receiver: Receiver };

  async function webhook(
    given: { tenant?: Tenant; types?: string[]; format?: 'json' | 'cloudevents' } = {},
  ): Promise<Made> {
    const tenant = given.tenant ?? (await database.tenant());
    const receiver = await openReceiver();
    receivers.push(receiver);
    return inPlatform(database.orm('operator'), async (em) => {
      const [{ uid: by }] = (await em.execute('select uid from person where workspace_uid = ?', [
        tenant.workspace,
      ])) as [{ uid: string }];
      const { types = [], format = 'json' } = given;
      const wanted = { url: receiver.url, types, format, description: undefined, by, now: new Date() };
      const made = insertWebhook(em, tenant, wanted, key);
      return { tenant, uid: made.webhook.uid, secret: shownOf(made.signer).secret, receiver };
    });
  }

  /** Causes an event and returns the record that the event is about. */
  async function happen(
    tenant: Tenant,
    op: 'run.cancelled' | 'run.failed' = 'run.cancelled',
  ): Promise<string> {
    const event = auditEvent({ op });
    await inTenant(database.orm('api'), tenant, (em) => appendAudit(em, event));
    await placeAuditEntries(database.orm('worker'));
    return event.subject.uid;
  }

  const rowOf = (uid: string) =>
    inPlatform(database.orm('operator'), (em) => em.findOneOrFail(Webhook, { uid }, { filters: false }));
  const deliveriesOf = async (uid: string) => {
    const row = await rowOf(uid);
    return inPlatform(database.orm('operator'), (em) => listDeliveries(em, row, { limit: 100 }));
  };
  const subjects = ({ receiver, secret }: Made) =>
    receiver.received.map((message) => verified(message, secret).data.subject.uid);

  it('receive each event of their types once with a signature', async () => {
    const made = await webhook({ types: ['run.cancelled'] });
    const elsewhere = await webhook();
    const about = await happen(made.tenant);
    await happen(made.tenant, 'run.failed');
    await deliver();
    await deliver();
    expect(subjects(made)).to.deep.equal([about]);
    expect(elsewhere.receiver.received).to.deep.equal([]);
    const [{ headers, body }] = made.receiver.received as [Receiver['received'][0]];
    expect(headers).to.include({ 'content-type': 'application/json', 'webhook-id': JSON.parse(body).id });
    const [delivery] = await deliveriesOf(made.uid);
    expect(delivery).to.include({ state: 'delivered', attempts: 1, status: 204, error: null });
  });

  it('receive CloudEvents on request', async () => {
    const made = await webhook({ format: 'cloudevents' });
    await happen(made.tenant);
    await deliver();
    const [{ headers }] = made.receiver.received as [Receiver['received'][0]];
    expect(headers['content-type']).to.equal('application/cloudevents+json');
    expect(subjects(made)).to.have.lengthOf(1);
  });

  it('receive messages signed with both secrets after a rotation until the old secret ends', async () => {
    const made = await webhook();
    const fresh = await inPlatform(database.orm('operator'), async (em) => {
      const row = await em.findOneOrFail(Webhook, { uid: made.uid }, { filters: false });
      return shownOf(rotateSecret(row, key, new Date(Date.now() + DAY))).secret;
    });
    await happen(made.tenant);
    await deliver();
    const [message] = made.receiver.received;
    for (const secret of [made.secret, fresh]) verified(message!, secret);
    await inPlatform(database.orm('operator'), async (em) => {
      const row = await em.findOneOrFail(Webhook, { uid: made.uid }, { filters: false });
      row.previousEndsAt = new Date(Date.now() - 1);
    });
    await happen(made.tenant);
    await deliver();
    const after = made.receiver.received[1]!;
    verified(after, fresh);
    expect(() => verified(after, made.secret)).to.throw('No matching signature');
  });

  it('have encrypted secrets with different ciphertexts', async () => {
    const [one, other] = [await webhook(), await webhook()];
    const row = await rowOf(one.uid);
    expect(JSON.stringify(row)).to.not.include(one.secret.slice('whsec_'.length));
    await inPlatform(database.orm('operator'), async (em) => {
      (await em.findOneOrFail(Webhook, { uid: other.uid }, { filters: false })).secret = row.secret;
    });
    await happen(other.tenant);
    await deliver();
    expect(other.receiver.received).to.deep.equal([]);
    expect((await deliveriesOf(other.uid))[0]).to.include({ state: 'pending', error: 'secret_unreadable' });
  });

  it('receive a message again under the same id after a failure or on request', async () => {
    const made = await webhook();
    await happen(made.tenant);
    made.receiver.answer = () => ({ status: 503, headers: { 'retry-after': '60' }, body: 'busy' });
    stopped = now();
    await deliver();
    expect((await deliveriesOf(made.uid))[0]).to.include({ state: 'pending', status: 503, excerpt: 'busy' });
    expect((await rowOf(made.uid)).failingSince).to.be.instanceOf(Date);
    goOn(59_000);
    await deliver();
    expect(made.receiver.received).to.have.lengthOf(1);
    goOn(2_000);
    made.receiver.answer = () => ({ status: 200 });
    await deliver();
    const ids = made.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).to.deep.equal([ids[0], ids[0]]);
    expect((await deliveriesOf(made.uid))[0]).to.include({ state: 'delivered', attempts: 2 });
    expect((await rowOf(made.uid)).failingSince).to.equal(null);
  });

  it('receive a message again when the worker that was sending it died', async () => {
    const made = await webhook();
    await happen(made.tenant);
    stopped = now();
    const leaseEndsAt = new Date(stopped.getTime() + MINUTE);
    const limits = { max: 10, maxEach: 10, pending: new Map<string, number>() };
    const claim = () =>
      inPlatform(database.orm('worker'), (em) => claimDue(em, { now: now(), leaseEndsAt, ...limits }));
    expect(await claim()).to.have.lengthOf(1);
    expect(await claim()).to.deep.equal([]);
    await deliver();
    expect(made.receiver.received).to.deep.equal([]);
    goOn(MINUTE + 1_000);
    await deliver();
    expect(made.receiver.received).to.have.lengthOf(1);
  });

  it('are disabled by a 410 response, which creates an event', async () => {
    const made = await webhook({ types: ['run.cancelled'] });
    const watching = await webhook({ tenant: made.tenant, types: ['webhook.disabled'] });
    made.receiver.answer = () => ({ status: 410 });
    await happen(made.tenant);
    await deliver();
    expect(await rowOf(made.uid)).to.include({ state: 'disabled', cause: 'gone' });
    await happen(made.tenant);
    await deliver();
    expect(made.receiver.received).to.have.lengthOf(1);
    expect(subjects(watching)).to.deep.equal([made.uid]);
  });

  it('are disabled if they have accepted no message for three days', async () => {
    const made = await webhook();
    made.receiver.answer = () => ({ status: 500 });
    await happen(made.tenant);
    for (let attempts = 1; (await rowOf(made.uid)).state === 'active' && attempts < 12; attempts++) {
      await deliver();
      ahead += 1.1 * DAY;
    }
    expect(await rowOf(made.uid)).to.include({ state: 'disabled', cause: 'failing' });
    expect(made.receiver.received).to.have.lengthOf(4);
    expect((await deliveriesOf(made.uid))[0]).to.include({ state: 'failed' });
  });

  it('do not delay other webhooks if they are slow', async () => {
    const [slow, quick] = [await webhook(), await webhook()];
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    slow.receiver.answer = async () => {
      await held;
      return { status: 204 };
    };
    for (let each = 0; each < 20; each++) await happen(slow.tenant);
    for (let each = 0; each < 20; each++) await happen(quick.tenant);
    const turn = deliver();
    await eventually(async () => quick.receiver.received.length === 20);
    expect(slow.receiver.received.length).to.be.lessThan(20);
    release();
    await turn;
    await eventually(async () => (await deliver()) === 0 && slow.receiver.received.length === 20);
    for (const made of [slow, quick]) expect(new Set(subjects(made)).size).to.equal(20);
  });

  it('receive nothing at an address that is not public, even if the stored URL was changed', async () => {
    const made = await webhook();
    await inPlatform(database.orm('operator'), async (em) => {
      const row = await em.findOneOrFail(Webhook, { uid: made.uid }, { filters: false });
      row.url = 'https://169.254.169.254/latest/meta-data';
    });
    await happen(made.tenant);
    await deliver();
    expect((await deliveriesOf(made.uid))[0]).to.include({
      state: 'pending',
      error: 'address_refused',
      status: null,
    });
  });
});
