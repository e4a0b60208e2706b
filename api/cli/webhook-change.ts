import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { shownOf } from '#lib/events/webhook/signature.ts';
import type { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import {
  disableWebhook,
  enableWebhook,
  lockWebhook,
  rotateSecret,
} from '#lib/events/webhook/webhook.repository.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { webhookKeyOf } from './webhook-key.ts';

const OVERLAP_HOURS_MOST = 168;

/** The commands that change one webhook. */
export function register(group: Command): void {
  withPerson(withJson(group.command('rotate <webhook>')))
    .description('give it a new secret, shown once, and key; messages carry both signatures for a while')
    .option('--overlap-hours <hours>', `0 to ${OVERLAP_HOURS_MOST}`, '24')
    .action(async (uid: string, options: OutputOptions & GovernedOptions & { overlapHours: string }) => {
      const hours = overlapOf(options.overlapHours);
      const done = await change(uid, options, 'webhook.rotated', async (_em, webhook, operator) => {
        const now = systemClock.now().getTime();
        const previousEndsAt = hours === 0 ? null : new Date(now + hours * 3_600_000);
        const { secret, publicKey } = shownOf(rotateSecret(webhook, webhookKeyOf(operator), previousEndsAt));
        const until = previousEndsAt?.toISOString() ?? null;
        return { uid, secret, public_key: publicKey, previous_secret_until: until };
      });
      print(done, options);
    });
  withPerson(withJson(group.command('disable <webhook>')))
    .description('send nothing there any more; what waits is cancelled')
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const done = await change(uid, options, 'webhook.disabled', async (em, webhook) => {
        if (webhook.state === 'disabled') throw new Refusal('webhook_disabled', 'it is disabled already');
        await disableWebhook(em, webhook, 'operator', systemClock.now());
        return { uid, state: webhook.state };
      });
      print(done, options);
    });
  withPerson(withJson(group.command('enable <webhook>')))
    .description('send events there again, from now on; `replay --since` sends what was missed')
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const done = await change(uid, options, 'webhook.enabled', async (_em, webhook) => {
        if (webhook.state === 'active') throw new Refusal('webhook_active', 'it is active already');
        enableWebhook(webhook);
        return { uid, state: webhook.state };
      });
      print(done, options);
    });
}

/** Changes a webhook as a person, with an entry in the audit log. */
async function change<T>(
  uid: string,
  options: GovernedOptions,
  op: 'webhook.rotated' | 'webhook.disabled' | 'webhook.enabled',
  work: (em: Em, webhook: Webhook, operator: Operator) => Promise<T>,
): Promise<T> {
  return asOperator((operator) =>
    operator.everywhere(async (em) => {
      const webhook = await lockWebhook(em, uid);
      if (!webhook) throw new Refusal('webhook_unknown', `there is no webhook ${uid}`);
      const place = { workspace: webhook.workspaceUid, environment: webhook.environment };
      const person = await governingPerson(em, operator, place, options);
      const done = await work(em, webhook, operator);
      const details = webhook.cause ? { cause: webhook.cause } : {};
      await record(em, { op, by: person.uid, ...ofTenant('webhook', webhook), details });
      return done;
    }),
  );
}

function overlapOf(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !Number.isInteger(hours) || hours < 0 || hours > OVERLAP_HOURS_MOST) {
    throw new Refusal('invalid_overlap', `--overlap-hours takes 0 to ${OVERLAP_HOURS_MOST}`);
  }
  return hours;
}
