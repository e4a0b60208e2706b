import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { networksOf } from '#lib/core/network-address.ts';
import { urlFault } from '#lib/core/public-agent.ts';
import {
  createConnection,
  listConnections,
  revokeConnection,
  setConnectionKey,
  type Connection,
} from '#lib/ai/connection.repository.ts';
import type { Environment } from '#lib/database/base.ts';
import { keptKey, readProviderKey } from './ai-key.ts';
import { registerTest } from './ai-test.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { onConnection } from './on-connection.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson, words } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type PlaceOptions = OutputOptions & { workspace: string; environment: Environment };
type CreateOptions = PlaceOptions &
  GovernedOptions & { label: string; provider: string; baseUrl: string; models: string; keyFile: string };
type KeyOptions = OutputOptions & GovernedOptions & { keyFile: string };

const KEY_FILE = ['--key-file <file>', 'the key of the provider; - reads it from stdin'] as const;

export function registerConnections(group: Command): void {
  withPerson(withJson(group.command('create')))
    .description('connect a provider with an OpenAI-compatible API')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--label <text>', 'what its people call it')
    .requiredOption('--provider <name>', 'whose service it is, such as openai')
    .requiredOption('--base-url <url>', 'such as https://api.openai.com/v1')
    .requiredOption('--models <list>', 'the models that may be asked, by comma')
    .requiredOption(...KEY_FILE)
    .action(create);
  withJson(group.command('list'))
    .description('list the connections; of a key its last four characters')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .action(async (options: PlaceOptions) => {
      const { workspace, environment } = options;
      const rows = await asOperator((operator) =>
        operator.inWorkspace(
          workspace,
          async (em) => {
            await findWorkspace(em, workspace);
            return listConnections(em);
          },
          environment,
        ),
      );
      printRows(rows.map(row), options);
    });
  withPerson(withJson(group.command('rotate <connection>')))
    .description('call with another key from now on')
    .requiredOption(...KEY_FILE)
    .action(async (uid: string, options: KeyOptions) => {
      const key = await readProviderKey(options.keyFile);
      const changed = await onConnection(uid, 'ai.key_rotated', options, async ({ em, operator, by }) => {
        await setConnectionKey(em, uid, keptKey(operator, uid, key), { by, now: systemClock.now() });
        return { result: (await listConnections(em, uid))[0]! };
      });
      print(row(changed), options);
    });
  withPerson(withJson(group.command('revoke <connection>')))
    .description('call no more; what was used stays on record')
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const changed = await onConnection(uid, 'ai.connection_revoked', options, async ({ em, by }) => {
        if (!(await revokeConnection(em, uid, { by, now: systemClock.now() }))) {
          throw new Refusal('connection_revoked', 'it was revoked before');
        }
        return { result: (await listConnections(em, uid))[0]! };
      });
      print(row(changed), options);
    });
  registerTest(group);
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, baseUrl } = options;
  const label = checkText('--label', options.label);
  const provider = checkText('--provider', options.provider);
  const models = words(options.models).map((model) => checkText('--models', model));
  if (models.length === 0 || models.length > 50)
    throw new Refusal('invalid_models', '--models takes 1 to 50');
  const key = await readProviderKey(options.keyFile);
  const made = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        const fault = urlFault(baseUrl, networksOf(operator.config.AI_NETWORKS));
        if (fault)
          throw new Refusal(fault, 'a provider has a public https address, without credentials in it');
        await findWorkspace(em, workspace);
        const { uid: by } = await governingPerson(em, operator, { workspace, environment }, options);
        const now = systemClock.now();
        const uid = await createConnection(em, { label, provider, baseUrl, models }, { by, now });
        if (!uid) throw new Refusal('label_taken', `there is a connection ${label}`);
        await setConnectionKey(em, uid, keptKey(operator, uid, key), { by, now });
        const subject = { type: 'ai_connection', uid };
        await record(em, {
          op: 'ai.connection_created',
          workspace,
          environment,
          by,
          subject,
          details: { base_url: baseUrl },
        });
        return (await listConnections(em, uid))[0]!;
      },
      environment,
    ),
  );
  print(row(made), options);
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
