import { Argument, type Command } from 'commander';
import type { Config } from '#lib/core/config.ts';
import type { WorkersKey } from '#lib/core/workers-key.ts';
import { providerKeys, rewrapProviderKeys } from '#lib/ai/rewrap-provider-keys.command.ts';
import { rewrapWebhookSecrets, webhookSecrets } from '#lib/events/webhook/rewrap-webhook-secrets.command.ts';
import type { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { rewrapKeys, signingKeys } from '#lib/trust/signing-key.command.ts';
import { rewrapPersonCodes } from '#lib/access/rewrap-codes.command.ts';
import { keyOf, workersKeyOf } from '../shell/governed.ts';
import { asOperator, type Operator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governBy } from '../shell/govern.ts';

/**
 * A kind of encrypted secret: the variable that holds its key, and the function that encrypts all secrets of
 * this kind with another key.
 */
type Store = {
  variable: WorkersKey['variable'] | 'ENCRYPTION_KEY';
  key(operator: Operator): Buffer;
  rewrap: ReturnType<typeof rewrapSecrets>;
};

const stores: Record<string, Store> = {
  signing: workersStore(signingKeys, rewrapKeys),
  webhooks: workersStore(webhookSecrets, rewrapWebhookSecrets),
  ai: workersStore(providerKeys, rewrapProviderKeys),
  codes: { variable: 'ENCRYPTION_KEY', key: keyOf, rewrap: rewrapPersonCodes },
};

function workersStore(key: WorkersKey, rewrap: Store['rewrap']): Store {
  return { variable: key.variable, key: (operator) => workersKeyOf(key, operator), rewrap };
}

export function register(program: Command): void {
  const group = program.command('keys');
  withJson(group.command('rewrap').addArgument(new Argument('<secrets>').choices(Object.keys(stores))))
    .description(
      'encrypt stored secrets again with the current key; set OLD_SECRET or OLD_PASSWORD to the previous value',
    )
    .action(async (secrets: string, options: OutputOptions) => {
      const store = stores[secrets]!;
      const { result } = await asOperator((operator) => {
        const change = { from: store.key(before(operator, store)), to: store.key(operator) };
        return governBy(operator, store.rewrap, change, unnamed);
      });
      print({ secrets, variable: store.variable, ...result }, options);
    });
}

/**
 * Returns the operator with the configuration that applied before the key was changed. That configuration contains the
 * old key, or the old password from which the old key was derived.
 */
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
