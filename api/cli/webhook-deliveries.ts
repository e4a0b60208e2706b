import { Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import {
  deliveryStates,
  listDeliveries,
  replay,
  webhookOf,
} from '#lib/events/webhook/delivery-log.repository.ts';
import { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import { asOperator } from './operator.ts';
import { limitOption, parseInstant, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

/** The commands about what was sent to a webhook. */
export function register(group: Command): void {
  withJson(group.command('deliveries <webhook>'))
    .description('what was sent, or waits, newest first, with its last attempt')
    .addOption(new Option('--state <state>').choices(deliveryStates))
    .addOption(limitOption(50))
    .action(list);
  withJson(group.command('replay <uid>'))
    .description(
      'send again, under the same ids: a delivery, or all that happened for a webhook since an instant',
    )
    .option('--since <instant>', 'for a webhook: since when, such as 2026-11-20T00:00:00Z')
    .action(sendAgain);
}

async function list(uid: string, options: OutputOptions & { state?: string; limit: number }): Promise<void> {
  const found = await asOperator((operator) =>
    operator.everywhere(async (em) =>
      listDeliveries(em, await findWebhook(em, uid), { state: options.state, most: options.limit }),
    ),
  );
  printRows(
    found.map((each) => ({
      uid: each.uid,
      event: each.event,
      type: each.type,
      state: each.state,
      attempts: each.attempts,
      due_at: each.state === 'pending' ? each.dueAt : null,
      ended_at: each.endedAt,
      status: each.status,
      error: each.error,
      duration_ms: each.durationMs,
      excerpt: each.excerpt,
    })),
    options,
  );
}

async function sendAgain(uid: string, options: OutputOptions & { since?: string }): Promise<void> {
  const wanted = wantedBy(uid, options.since);
  const count = await asOperator(async (operator) => {
    const webhook = await operator.everywhere(async (em) => {
      const of = 'delivery' in wanted ? await webhookOf(em, uid) : uid;
      if (of === undefined) throw new Refusal('delivery_unknown', `there is no delivery ${uid}`);
      return findWebhook(em, of);
    });
    if (webhook.state === 'disabled')
      throw new Refusal('webhook_disabled', 'the webhook is disabled; enable it first');
    const { workspaceUid: workspace, environment } = webhook;
    return operator.inWorkspace(
      workspace,
      async (em) => {
        const messages = await replay(em, webhook, wanted, systemClock.now());
        if (messages > 0)
          await record(em, {
            op: 'webhook.replayed',
            ...ofTenant('webhook', webhook),
            details: { messages },
          });
        return messages;
      },
      environment,
    );
  });
  if (count === 0 && 'delivery' in wanted) {
    throw new Refusal('nothing_to_replay', 'it waits to be sent already, or its event is no longer kept');
  }
  print({ uid, messages: count }, options);
}

function wantedBy(uid: string, since: string | undefined): { delivery: string } | { since: Date } {
  if (isUid(uid, prefixes.webhookDelivery)) return { delivery: uid };
  if (since === undefined) throw new Refusal('since_missing', 'of a webhook, --since says since when');
  return { since: parseInstant('--since', since) };
}

async function findWebhook(em: Em, uid: string): Promise<Webhook> {
  const webhook = await em.findOne(Webhook, { uid }, { filters: false });
  if (!webhook) throw new Refusal('webhook_unknown', `there is no webhook ${uid}`);
  return webhook;
}
