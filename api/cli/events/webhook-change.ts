import type { Command } from 'commander';
import { webhookSecrets } from '#lib/events/webhook/rewrap-webhook-secrets.command.ts';
import { rotateWebhook } from '#lib/events/webhook/rotate-webhook.command.ts';
import { shownOf } from '#lib/events/webhook/signature.ts';
import { switchWebhook } from '#lib/events/webhook/switch-webhook.command.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { withPerson, workersKeyOf, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { registerEvents } from '../shell/events.ts';
import { governAs } from '../shell/govern.ts';

const OVERLAP_HOURS_MAX = 168;

const switches = {
  disable: 'stop sending events to a webhook; waiting deliveries are cancelled',
  enable: 'send events to a disabled webhook again from now on; `replay --since` sends the missed events',
} as const;

/** Registers the commands that change one webhook. */
export function register(group: Command): void {
  withPerson(withJson(group.command('rotate <webhook>')))
    .description(
      'issue a new secret, shown once, and a new key pair; during the overlap, messages are signed with the old and the new ones',
    )
    .option(
      '--overlap-hours <hours>',
      `the hours during which messages are also signed with the old secret and key, 0 to ${OVERLAP_HOURS_MAX}`,
      '24',
    )
    .action(rotate);
  registerEvents(group, 'webhook', {
    descriptions: switches,
    command: switchWebhook,
    inputOf: (webhook, event) => ({ webhook, event }),
    present: ({ next }, uid) => ({ uid, state: next }),
  });
}

async function rotate(
  webhook: string,
  options: OutputOptions & GovernedOptions & { overlapHours: string },
): Promise<void> {
  const overlapHours = overlapOf(options.overlapHours);
  const { result } = await governAs(
    rotateWebhook,
    (operator) => ({ webhook, overlapHours, key: workersKeyOf(webhookSecrets, operator) }),
    options,
  );
  const { secret, publicKey } = shownOf(result.signer);
  const until = result.previousEndsAt?.toISOString() ?? null;
  print({ uid: webhook, secret, public_key: publicKey, previous_secret_until: until }, options);
}

function overlapOf(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !Number.isInteger(hours) || hours < 0 || hours > OVERLAP_HOURS_MAX) {
    throw new Refusal('invalid_overlap', `--overlap-hours takes 0 to ${OVERLAP_HOURS_MAX}`);
  }
  return hours;
}
