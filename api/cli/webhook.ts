import { Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { eventTypes } from '#lib/events/catalog.ts';
import { urlFault, type UrlFault } from '#lib/core/public-agent.ts';
import { formats, type Format } from '#lib/events/webhook/message.ts';
import { shownOf } from '#lib/events/webhook/signature.ts';
import { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import { createWebhook, WEBHOOKS_MOST } from '#lib/events/webhook/webhook.repository.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import type { Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson, words } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import * as changes from './webhook-change.ts';
import * as deliveries from './webhook-deliveries.ts';
import { webhookKeyOf, webhookNetworks } from './webhook-key.ts';

type CreateOptions = OutputOptions &
  GovernedOptions &
  Place & { url: string; types?: string; format: Format; description?: string };

const faults: Record<UrlFault, string> = {
  url_invalid: 'the address is no http or https URL of at most 2,000 characters',
  url_not_https: 'the address has to begin with https://',
  url_with_credentials: 'the address has a name or password in it; messages are signed instead',
  address_refused: 'the address is not on the public internet; WEBHOOK_NETWORKS lets others in',
};

export function register(program: Command): void {
  const group = program
    .command('webhook')
    .description('addresses that events are sent to, signed by Standard Webhooks');
  withPerson(withJson(group.command('create')))
    .description('send events to an address from now on; its secret is shown once')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--url <url>', 'where to')
    .option('--types <types>', 'only these, by comma: `assay webhook types` (default: all)')
    .addOption(new Option('--format <format>', 'the media type of messages').choices(formats).default('json'))
    .option('--description <text>', 'whose it is, for operators')
    .action(create);
  withJson(group.command('list'))
    .description('list webhooks, without their secrets')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .action(list);
  withJson(group.command('types'))
    .description('list the types of events')
    .action((options: OutputOptions) =>
      printRows(
        [...eventTypes].map(([type, { scope, about }]) => ({ type, scope, about })),
        options,
      ),
    );
  changes.register(group);
  deliveries.register(group);
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, url, format } = options;
  const types = words(options.types ?? '');
  const unknown = types.filter((type) => !eventTypes.has(type));
  if (unknown.length > 0) throw new Refusal('event_type_unknown', `no such type: ${unknown.join(', ')}`);
  const description =
    options.description === undefined ? undefined : checkText('--description', options.description);
  const made = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        const fault = urlFault(url, webhookNetworks(operator));
        if (fault) throw new Refusal(fault, faults[fault]);
        const person = await governingPerson(em, operator, { workspace, environment }, options);
        const given = { url, types, format, description, by: person.uid, now: systemClock.now() };
        const created = await createWebhook(em, { workspace, environment }, given, webhookKeyOf(operator));
        if (!created) throw new Refusal('webhook_limit_reached', `there are ${WEBHOOKS_MOST} active ones`);
        await record(em, { op: 'webhook.created', by: person.uid, ...ofTenant('webhook', created.webhook) });
        return created;
      },
      environment,
    ),
  );
  const { secret, publicKey } = shownOf(made.signer);
  print({ uid: made.webhook.uid, secret, public_key: publicKey }, options);
}

async function list(options: OutputOptions & Place): Promise<void> {
  const { workspace, environment } = options;
  const found = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        return em.find(Webhook, {}, { orderBy: { uid: 'desc' } });
      },
      environment,
    ),
  );
  printRows(found.map(presentWebhook), options);
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
