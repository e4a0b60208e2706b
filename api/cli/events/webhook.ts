import { Option, type Command } from 'commander';
import { networksOf } from '#lib/core/network-address.ts';
import type { Tenant } from '#lib/database/base.ts';
import { eventTypes } from '#lib/events/catalog.ts';
import { createWebhook } from '#lib/events/webhook/create-webhook.command.ts';
import { formats, type Format } from '#lib/events/webhook/message.ts';
import { webhookSecrets } from '#lib/events/webhook/rewrap-webhook-secrets.command.ts';
import { shownOf } from '#lib/events/webhook/signature.ts';
import type { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import { listWebhooks } from '#lib/events/webhook/webhook.write.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { withPerson, workersKeyOf, type GovernedOptions } from '../shell/governed.ts';
import { listAllInPlace } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';
import { checkText, withJson, words } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';
import * as changes from './webhook-change.ts';
import * as deliveries from './webhook-deliveries.ts';

type CreateOptions = OutputOptions &
  GovernedOptions &
  Tenant & { url: string; types?: string; format: Format; description?: string };

export function register(program: Command): void {
  const group = program.command('webhook');
  withPlace(withPerson(withJson(group.command('create'))))
    .description('send events to a URL from now on; the signing secret is shown once')
    .requiredOption('--url <url>', 'the URL that receives the events')
    .option(
      '--types <types>',
      'only events of these types, separated by commas; `assay webhook types` lists them (default: all)',
    )
    .addOption(new Option('--format <format>', 'the media type of messages').choices(formats).default('json'))
    .option('--description <text>', 'a note for operators, such as the owner of the webhook')
    .action(create);
  listAllInPlace(
    group.command('list').description('list webhooks, without their secrets'),
    listWebhooks,
    presentWebhook,
  );
  withJson(group.command('types'))
    .description('list the types of events')
    .action((options: OutputOptions) =>
      printRows([...eventTypes], options, ([type, { scope, about }]) => ({ type, scope, about })),
    );
  changes.register(group);
  deliveries.register(group);
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, url, format } = options;
  const types = words(options.types ?? '');
  const unknown = types.filter((type) => !eventTypes.has(type));
  if (unknown.length > 0)
    throw new Refusal('event_type_unknown', `unknown event types: ${unknown.join(', ')}`);
  const description =
    options.description === undefined ? undefined : checkText('--description', options.description);
  const given = { workspace, environment, url, types, format, description };
  const { result } = await governAs(
    createWebhook,
    (operator) => ({
      ...given,
      networks: networksOf(operator.config.WEBHOOK_NETWORKS),
      key: workersKeyOf(webhookSecrets, operator),
    }),
    options,
  );
  const { secret, publicKey } = shownOf(result.signer);
  print({ uid: result.webhook.uid, secret, public_key: publicKey }, options);
}

function presentWebhook(webhook: Webhook) {
  return {
    uid: webhook.uid,
    url: webhook.url,
    description: webhook.description ?? null,
    types: webhook.types.length === 0 ? 'all' : webhook.types.join(','),
    format: webhook.format,
    state: webhook.state,
    cause: webhook.cause ?? null,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    previous_secret_until: webhook.previousEndsAt?.toISOString() ?? null,
    created_by: webhook.createdBy,
    created_at: webhook.createdAt.toISOString(),
  };
}
