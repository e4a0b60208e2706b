import { expect } from 'chai';
import { assay } from '../support/cli.ts';
import { usualBackendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { createEvent } from '../support/event.ts';
import { slowed } from '../support/patience.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually } from '../support/runs.ts';
import { LOOPBACK, openReceiver, verified, type Receiver } from '../support/webhook.ts';
import { times } from '../support/repetitions.ts';

const KILLS = times({ usual: 1, full: 2, all: 5 });
const EVENTS_A_ROUND = 10;

for (const name of usualBackendNames) {
  describe(`kill -9 of the io worker that sends webhooks (queue on ${name})`, function () {
    let live: Backend;
    let receiver: Receiver;
    before(async () => {
      receiver = await openReceiver();
      const variables = { WEBHOOK_NETWORKS: LOOPBACK, LOCK_MS: String(slowed(1_000)), SWEEP_MS: '500' };
      live = await startBackend(name, `assay_test_webhook_kills_${name}`, variables);
    });
    after(async () => {
      await live?.stop();
      await receiver?.close();
    });

    it(`loses no signed message (${KILLS} kills)`, async () => {
      const tenancy = await buildTenancy(live);
      const made = await webhookTo(live, tenancy.workspace, receiver.url);
      const events = new Set<string>();
      for (let kill = 0; kill < KILLS; kill++) {
        // The worker is killed while it waits for the response to a delivery.
        let release = () => {};
        const held = new Promise<void>((resolve) => (release = resolve));
        receiver.answer = async () => {
          await held;
          return { status: 204 };
        };
        const before = receiver.received.length;
        for (let each = 0; each < EVENTS_A_ROUND; each++) events.add(await createEvent(live, tenancy));
        await eventually(async () => receiver.received.length > before);
        const worker = live.pid('worker-io')!;
        process.kill(worker, 'SIGKILL');
        release();
        receiver.answer = () => ({ status: 204 });
        await eventually(async () => live.pid('worker-io') !== worker);
      }
      const open = () =>
        asSuperuser(live, async (client) => {
          const { rows } = await client.query(`select from webhook_delivery where state <> 'delivered'`);
          return rows.length;
        });
      await eventually(async () => (await open()) === 0);
      const ids = receiver.received.map((message) => {
        expect(verified(message, made.secret).id).to.equal(message.headers['webhook-id']);
        return message.headers['webhook-id'] as string;
      });
      expect(new Set(ids)).to.deep.equal(events);
      // Deliveries that were in flight when their worker was killed were sent again.
      expect(ids.length).to.be.greaterThan(events.size);
    });
  });
}

/** Creates a webhook as an operator does, routed to an address of this machine. */
async function webhookTo(
  live: Backend,
  workspace: string,
  url: string,
): Promise<{ uid: string; secret: string }> {
  const words = ['--workspace', workspace, '--url', 'https://hooks.example.com/', '--types', 'run.cancelled'];
  const made = await assay(live, 'webhook', 'create', ...words, '--json');
  expect(made.status, made.stderr).to.equal(0);
  await asSuperuser(live, (client) => client.query('update webhook set url = $1', [url]));
  return made.json;
}
