import { Option, type Command } from 'commander';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { deliveriesOf, deliveryStates } from '#lib/events/webhook/delivery-log.query.ts';
import { replayDelivery, replaySince } from '#lib/events/webhook/replay-webhook.command.ts';
import { unknownWebhook } from '#lib/events/webhook/webhook-entry.ts';
import { ask } from '../shell/operator.ts';
import { limitOption, parseInstant, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governUnnamed } from '../shell/govern.ts';

/** Registers the commands for the deliveries of a webhook. */
export function register(group: Command): void {
  withJson(group.command('deliveries <webhook>'))
    .description('list sent and waiting deliveries, newest first, with the last attempt of each')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(deliveryStates))
    .addOption(limitOption(50))
    .action(list);
  withJson(group.command('replay <uid>'))
    .description('resend one delivery, or all events of a webhook since an instant, with their original ids')
    .option(
      '--since <instant>',
      'for a webhook: the time of the earliest event to resend, such as 2026-11-20T00:00:00Z',
    )
    .action(sendAgain);
}

async function list(uid: string, options: OutputOptions & { state?: string; limit: number }): Promise<void> {
  const found = await ask('everywhere', deliveriesOf, uid, { state: options.state, limit: options.limit });
  if (!found) throw new Refusal('webhook_unknown', unknownWebhook.webhook_unknown);
  printRows(found, options, (each) => ({
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
  }));
}

async function sendAgain(uid: string, options: OutputOptions & { since?: string }): Promise<void> {
  const { result } = isUid(uid, prefixes.webhookDelivery)
    ? await governUnnamed(replayDelivery, { delivery: uid })
    : await governUnnamed(replaySince, { webhook: uid, since: sinceOf(options) });
  print({ uid, messages: result }, options);
}

function sinceOf({ since }: { since?: string }): Date {
  if (since === undefined) throw new Refusal('since_missing', 'replaying a webhook needs --since');
  return parseInstant('--since', since);
}
