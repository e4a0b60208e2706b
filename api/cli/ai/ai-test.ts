import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { unknownConnection } from '#lib/ai/connection-entry.ts';
import { placeOfConnection } from '#lib/ai/connection.write.ts';
import type { Metering } from '#lib/ai/metered-chat.query.ts';
import { tryConnection } from '#lib/ai/try-connection.query.ts';
import { openGateway } from '#lib/ai/provider/gateway.ts';
import { providerKeys } from '#lib/ai/rewrap-provider-keys.command.ts';
import { workersKeyOf } from '../shell/governed.ts';
import { asOperator, type Operator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

/**
 * Registers the command that tests a connection with a small call. The call is metered like any other call.
 */
export function registerTest(group: Command): void {
  withJson(group.command('test <connection>'))
    .description('make a small test call to the provider; exits with status 1 if the call fails')
    .option('--model <model>', 'the model to call (default: the first model of the connection)')
    .action(async (uid: string, options: OutputOptions & { model?: string }) => {
      const tried = await asOperator((operator) => testConnection(operator, uid, options.model));
      if (!tried.made) throw new Refusal(tried.code, 'the call was not made');
      const { outcome } = tried;
      if (!outcome.ok)
        throw new Refusal(
          outcome.code,
          `the provider returned ${outcome.status === null ? 'no HTTP status' : `HTTP status ${outcome.status}`}`,
        );
      print(
        {
          call: tried.uid,
          model: tried.model,
          model_answered: outcome.model,
          attempts: outcome.attempts,
          latency_ms: outcome.latencyMs,
          input_tokens: outcome.usage?.inputTokens ?? null,
          output_tokens: outcome.usage?.outputTokens ?? null,
        },
        options,
      );
    });
}

async function testConnection(operator: Operator, uid: string, named: string | undefined) {
  const place = await operator.query('everywhere', placeOfConnection, uid);
  if (!place) throw new Refusal('connection_unknown', unknownConnection.connection_unknown);
  const gateway = openGateway({ networks: operator.config.AI_NETWORKS });
  try {
    const metering: Metering = {
      gateway,
      key: workersKeyOf(providerKeys, operator),
      transaction: (work) => operator.query(place, work),
      now: () => systemClock.now(),
    };
    return await tryConnection(metering, { connection: uid, named });
  } finally {
    await gateway.close();
  }
}
