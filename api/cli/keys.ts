import { Argument, type Command } from 'commander';
import { SecretUnknown, type KeyChange } from '#lib/core/rewrap.ts';
import type { Config } from '#lib/core/config.ts';
import { rewrapConnectionKeys } from '#lib/ai/connection.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { rewrapWebhooks } from '#lib/events/webhook/webhook.repository.ts';
import { rewrapSigningKeys } from '#lib/trust/signing-key.repository.ts';
import { rewrapCodes } from '#lib/workspace/person-code.repository.ts';
import { wrappingKey } from './ai-key.ts';
import { keyOf } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { ofTenant, record, recordEverywhere } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { workersSecret } from './signing-secret.ts';
import { webhookKeyOf } from './webhook-key.ts';

/** One kind of secrets at rest: by which variable they are encrypted, and how all of them come under another key. */
type Store = {
  variable: 'SIGNING_SECRET' | 'WEBHOOK_KEY' | 'AI_CONNECTION_KEY' | 'ENCRYPTION_KEY';
  key(operator: Operator): Buffer;
  /** Rewraps and records each; how many were not under the new key yet. */
  rewrap(em: Em, change: KeyChange): Promise<number>;
};

const stores: Record<string, Store> = {
  signing: {
    variable: 'SIGNING_SECRET',
    key: ({ config, ownerUrl }) => workersSecret(ownerUrl, config),
    async rewrap(em, change) {
      const keyids = await rewrapSigningKeys(em, change);
      for (const uid of keyids) {
        await recordEverywhere(em, { op: 'signing_key.rewrapped', subject: { type: 'signing_key', uid } });
      }
      return keyids.length;
    },
  },
  webhooks: {
    variable: 'WEBHOOK_KEY',
    key: webhookKeyOf,
    async rewrap(em, change) {
      const webhooks = await rewrapWebhooks(em, change);
      for (const each of webhooks)
        await record(em, { op: 'webhook.rewrapped', ...ofTenant('webhook', each) });
      return webhooks.length;
    },
  },
  ai: {
    variable: 'AI_CONNECTION_KEY',
    key: wrappingKey,
    async rewrap(em, change) {
      const connections = await rewrapConnectionKeys(em, change);
      for (const each of connections) {
        await record(em, { op: 'ai_connection.rewrapped', ...ofTenant('ai_connection', each) });
      }
      return connections.length;
    },
  },
  codes: {
    variable: 'ENCRYPTION_KEY',
    key: keyOf,
    async rewrap(em, change) {
      const codes = await rewrapCodes(em, change);
      for (const { personUid: uid, workspaceUid: workspace } of codes) {
        await record(em, { op: 'person.code_rewrapped', workspace, subject: { type: 'person', uid } });
      }
      return codes.length;
    },
  },
};

export function register(program: Command): void {
  const group = program.command('keys').description('the keys that secrets at rest are encrypted with');
  withJson(group.command('rewrap').addArgument(new Argument('<secrets>').choices(Object.keys(stores))))
    .description(
      'encrypt stored secrets with the key that is set now; OLD_SECRET or OLD_PASSWORD tell the one before',
    )
    .action(async (secrets: string, options: OutputOptions) => {
      const store = stores[secrets]!;
      const rewrapped = await asOperator((operator) => {
        const change = { from: store.key(before(operator, store)), to: store.key(operator) };
        return operator.everywhere((em) => store.rewrap(em, change));
      }).catch((error: unknown) => {
        if (!(error instanceof SecretUnknown)) throw error;
        throw new Refusal('secret_unknown', `${error.message}; nothing was changed`);
      });
      print({ secrets, variable: store.variable, rewrapped }, options);
    });
}

/** The operator as it was configured before: its key was set, or followed from a password. */
function before(operator: Operator, { variable }: Store): Operator {
  const { OLD_SECRET, OLD_PASSWORD, ...rest } = operator.config;
  const config: Config = { ...rest };
  if (OLD_SECRET === undefined) delete config[variable];
  else config[variable] = OLD_SECRET;
  if (OLD_PASSWORD === undefined) return { ...operator, config };
  config.WORKER_PASSWORD = OLD_PASSWORD;
  const databaseUrl = new URL(operator.databaseUrl);
  databaseUrl.password = encodeURIComponent(OLD_PASSWORD);
  return { ...operator, config, databaseUrl: databaseUrl.href };
}
