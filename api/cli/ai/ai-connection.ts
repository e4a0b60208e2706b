import type { Command } from 'commander';
import { networksOf } from '#lib/core/network-address.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { listConnections, type Connection } from '#lib/ai/connection.write.ts';
import { createConnection } from '#lib/ai/create-connection.command.ts';
import { revokeConnection } from '#lib/ai/revoke-connection.command.ts';
import { rotateConnectionKey } from '#lib/ai/rotate-connection-key.command.ts';
import type { Query, Tenant } from '#lib/database/base.ts';
import { providerKeys } from '#lib/ai/rewrap-provider-keys.command.ts';
import { readProviderKey } from './ai-key.ts';
import { registerTest } from './ai-test.ts';
import { withPerson, workersKeyOf, type GovernedOptions } from '../shell/governed.ts';
import { listAllInPlace } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';
import { checkText, withJson, words } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';

type CreateOptions = OutputOptions &
  GovernedOptions &
  Tenant & { label: string; provider: string; baseUrl: string; models: string; keyFile: string };
type KeyOptions = OutputOptions & GovernedOptions & { keyFile: string };

const KEY_FILE = ['--key-file <file>', 'a file with the key of the provider; - for stdin'] as const;

export function registerConnections(group: Command): void {
  withPlace(withPerson(withJson(group.command('create'))))
    .description('connect a provider that has an OpenAI-compatible API')
    .requiredOption('--label <text>', 'the name of the connection, for people')
    .requiredOption('--provider <name>', 'the provider, such as openai')
    .requiredOption('--base-url <url>', 'the base URL of the API, such as https://api.openai.com/v1')
    .requiredOption('--models <list>', 'the models that may be called, separated by commas')
    .requiredOption(...KEY_FILE)
    .action(create);
  listAllInPlace(
    group.command('list').description('list the connections, with the last four characters of each key'),
    listConnections as Query<[], Connection[]>,
    row,
  );
  withPerson(withJson(group.command('rotate <connection>')))
    .description('replace the key of a connection from now on')
    .requiredOption(...KEY_FILE)
    .action(async (connection: string, options: KeyOptions) => {
      const key = await readProviderKey(options.keyFile);
      const { result } = await governAs(
        rotateConnectionKey,
        (operator) => ({ connection, key, wrappingKey: workersKeyOf(providerKeys, operator) }),
        options,
      );
      print(row(result), options);
    });
  withPerson(withJson(group.command('revoke <connection>')))
    .description('stop all calls through a connection; its usage remains recorded')
    .action(async (connection: string, options: OutputOptions & GovernedOptions) => {
      const { result } = await governAs(revokeConnection, { connection }, options);
      print(row(result), options);
    });
  registerTest(group);
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, baseUrl } = options;
  const label = checkText('--label', options.label);
  const provider = checkText('--provider', options.provider);
  const models = words(options.models).map((model) => checkText('--models', model));
  if (models.length === 0 || models.length > 50)
    throw new Refusal('invalid_models', '--models takes 1 to 50 models');
  const key = await readProviderKey(options.keyFile);
  const given = { workspace, environment, label, provider, baseUrl, models, key };
  const { result } = await governAs(
    createConnection,
    (operator) => ({
      ...given,
      wrappingKey: workersKeyOf(providerKeys, operator),
      networks: networksOf(operator.config.AI_NETWORKS),
    }),
    options,
  );
  print(row(result), options);
}

function row({ uid, label, provider, baseUrl, models, state, createdAt, lastFour, keySetAt }: Connection) {
  return {
    uid,
    label,
    provider,
    base_url: baseUrl,
    models,
    state,
    key_ends_with: lastFour,
    key_set_at: keySetAt,
    created_at: createdAt,
  };
}
