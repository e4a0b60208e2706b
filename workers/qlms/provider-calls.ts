import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { keyEncryptionKey } from '#lib/core/envelope-encryption.ts';
import type { Log } from '#lib/core/log.ts';
import { meteredChat } from '#lib/ai/metered-chat.query.ts';
import { openGateway, type Gateway } from '#lib/ai/provider/gateway.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import {
  endProviderCall,
  takeProviderCalls,
  type TakenCall,
} from '#lib/qlms/provider/provider-call.write.ts';

/** The time limit of a call as a share of the time that a request of the API waits, in milliseconds for each second. */
const CALL_MS_PER_S = 750;
const OUTPUT_TOKENS_MAX = 1_000;
/** The largest number of calls that a worker makes at the same time. */
const CALLS_MAX = 8;
/** The time after which waiting requests are looked for if no notice arrived, in milliseconds. */
const LOOK_MS = 2_000;

export type ProviderCalls = {
  orm: Orm;
  gateway: Gateway;
  /** The key that encrypts the provider keys of connections. */
  key: Buffer;
  log: Log;
};

/** Opens the service that answers the requests of question models. The URL contains the worker's database role. */
export async function openProviderCalls({
  config,
  databaseUrl,
  orm,
  log,
  name,
}: {
  config: Config;
  databaseUrl: string;
  orm: Orm;
  log: Log;
  name: string;
}): Promise<{ close: () => Promise<void> }> {
  const gateway = openGateway({
    networks: config.AI_NETWORKS,
    timeoutMs: config.QLM_PROVIDER_WAIT_S * CALL_MS_PER_S,
  });
  const password = decodeURIComponent(new URL(databaseUrl).password);
  const calls = { orm, gateway, key: keyEncryptionKey(config.AI_CONNECTION_KEY, password), log };
  let open = 0;
  const closing = new AbortController();
  const look = async (): Promise<void> => {
    if (open >= CALLS_MAX) return;
    open += 1;
    try {
      while (!closing.signal.aborted && (await answerProviderCall(calls))) continue;
    } catch (error) {
      log.warn({ err: error }, 'a request to a provider could not be answered');
    } finally {
      open -= 1;
    }
  };
  const notices = new Notices(databaseUrl, 'asked', log, name);
  notices.each(() => void look());
  await notices.open();
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    async close() {
      closing.abort();
      clearInterval(timer);
      await notices.close();
      await gateway.close();
    },
  };
}

/** Takes the oldest waiting request of all workspaces, makes the call, and stores its text. Returns whether there was one. */
export async function answerProviderCall(calls: ProviderCalls): Promise<boolean> {
  const [taken] = await inPlatform(calls.orm, (em) => takeProviderCalls(em, 1, systemClock.now()));
  if (!taken) return false;
  await answerOne(calls, taken);
  return true;
}

async function answerOne({ orm, gateway, key, log }: ProviderCalls, taken: TakenCall): Promise<void> {
  const { uid, connection, purpose, model, messages, workspace } = taken;
  const chat = await meteredChat(
    { gateway, key, now: () => systemClock.now(), transaction: (work) => inTenant(orm, taken, work) },
    { connection, purpose, request: { ...messages, model, outputTokensMax: OUTPUT_TOKENS_MAX } },
  );
  const callUid = chat.made ? chat.uid : null;
  const text = chat.made && chat.outcome.ok ? chat.outcome.text : null;
  const code = !chat.made ? chat.code : chat.outcome.ok ? null : chat.outcome.code;
  await inTenant(orm, taken, (em) => endProviderCall(em, uid, { text, code, callUid }));
  if (code !== null) log.info({ workspace, purpose, code }, 'a provider gave no answer for a question model');
}
