import { sql } from 'kysely';
import { keyEncryptionKey, sealEnvelope } from '#lib/core/envelope-encryption.ts';
import { beginCall, finishCall } from '#lib/ai/call.write.ts';
import type { ChatOutcome } from '#lib/ai/chat.ts';
import { createConnection, setConnectionKey } from '#lib/ai/connection.write.ts';
import { setBudget, setPrice } from '#lib/ai/tariff.write.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** The key that encrypts the provider keys of connections that tests create. */
export const WRAPPING_KEY = Buffer.alloc(32, 7);
export const PROVIDER_KEY = 'sk-canary-of-tests-4711';
export const SMALL = 'small';
/** A price of 2.50 per million input tokens and 10.00 per million output tokens. */
export const PRICE = {
  currency: 'USD',
  inputMicro: 2_500_000n,
  cachedInputMicro: null,
  outputMicro: 10_000_000n,
};
export const REQUEST = { model: SMALL, system: 'Be brief.', user: 'How?', outputTokensMax: 1_000 };

export type ConnectionOptions = {
  label?: string;
  baseUrl?: string;
  models?: string[];
  priced?: boolean;
  /** The key that encrypts the provider key. Default: a key that the workers of the backend do not have. */
  wrappingKey?: Buffer;
};

/** Returns the key with which the workers of a backend encrypt the keys of providers. */
export function workersWrappingKey({ ownerUrl }: Pick<Backend, 'ownerUrl'>): Buffer {
  return keyEncryptionKey(undefined, decodeURIComponent(new URL(roleUrl(ownerUrl, 'worker')).password));
}

/** Creates a connection with a key and, by default, a price of its model. */
export async function createAiConnection(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  {
    label = 'Main',
    baseUrl = 'https://api.example.com/v1',
    models = [SMALL],
    priced = true,
    wrappingKey = WRAPPING_KEY,
  }: ConnectionOptions = {},
): Promise<string> {
  const author = { by: tenancy.person, now: new Date() };
  return inTenant(backend.orm('operator'), tenancy, async (em) => {
    const uid = (await createConnection(em, { label, provider: 'example', baseUrl, models }, author))!;
    const envelope = sealEnvelope(PROVIDER_KEY, wrappingKey, uid);
    await setConnectionKey(em, uid, { envelope, lastFour: PROVIDER_KEY.slice(-4) }, author);
    if (priced) for (const model of models) await setPrice(em, uid, model, PRICE, author);
    return uid;
  });
}

export function answered(inputTokens: number | null, outputTokens = 0): ChatOutcome {
  const unreported = {
    cacheReadInputTokens: null,
    cacheCreationInputTokens: null,
    reasoningOutputTokens: null,
  };
  const usage = inputTokens === null ? null : { inputTokens, outputTokens, ...unreported };
  return {
    ok: true,
    text: '',
    model: 'small-1',
    usage,
    mayBeBilled: true,
    attempts: 1,
    latencyMs: 5,
    status: 200,
  };
}

/**
 * Creates a call that began at a given moment and, if it has a result, ended at the same moment. Returns its
 * uid.
 */
export function createAiCall(
  backend: Backend,
  tenancy: Tenancy,
  connection: string,
  { at = new Date(), outcome }: { at?: Date; outcome?: ChatOutcome } = {},
): Promise<string> {
  return inTenant(backend.orm('worker'), tenancy, async (em) => {
    const begun = await beginCall(em, { connection, purpose: 'test', request: REQUEST, now: at });
    if (!begun.ok) throw new Error(begun.code);
    if (outcome) await finishCall(em, begun.uid, outcome, at);
    return begun.uid;
  });
}

/** Writes a row of the tenancy to each table of AI providers. */
export async function fillAiTables(backend: Backend, tenancy: Tenancy): Promise<void> {
  const { workspace, environment, person } = tenancy;
  const connection = await createAiConnection(backend, tenancy);
  const author = { by: person, now: new Date() };
  await inTenant(backend.orm('operator'), tenancy, async (em) => {
    await setBudget(em, connection, { currency: 'USD', dailyMicro: null, monthlyMicro: 10n ** 12n }, author);
    await sql`
      insert into summary_wording_choice (workspace_uid, environment, connection_uid, model, set_by_uid, set_at)
      values (${workspace}, ${environment}, ${connection}, ${SMALL}, ${person}, now())
    `.execute(em.getKysely());
  });
  await createAiCall(backend, tenancy, connection, { outcome: answered(10, 10) });
  await inTenant(backend.orm('worker'), tenancy, (em) =>
    sql`
      insert into summary_wording (section, workspace_uid, environment, facts_hash, claimed_until, connection_uid, model)
      values ('data', ${workspace}, ${environment}, 'x', now(), ${connection}, ${SMALL})
    `.execute(em.getKysely()),
  );
}
