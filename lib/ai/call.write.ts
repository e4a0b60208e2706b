import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { decideCall, type CallRefusal } from './admission.ts';
import { MESSAGES_BYTES_MAX, type ChatOutcome, type ChatRequest } from './chat.ts';
import { lockTariff, readTariff } from './tariff.write.ts';
import { boundMicro, costMicro, type TokenPrice } from './usage.ts';

export type NewCall = {
  connection: string;
  /** The purpose of the call, such as `summary_wording`. */
  purpose: string;
  request: ChatRequest;
  now: Date;
};

export type BegunCall = { ok: true; uid: string; baseUrl: string } | { ok: false; code: CallRefusal };

/**
 * Records a call before it is made, with its highest possible cost. If the call is not allowed, records
 * nothing and returns the reason.
 */
export async function beginCall(em: Em, { connection, purpose, request, now }: NewCall): Promise<BegunCall> {
  const { workspace, environment } = tenantOf(em);
  await lockTariff(em, connection);
  const found = await readConnection(em, connection);
  const { price, budget } = await readTariff(em, connection, request.model);
  const bytes = Buffer.byteLength(request.system) + Buffer.byteLength(request.user);
  const bound = price ? boundMicro(bytes + OVERHEAD_TOKENS, request.outputTokensMax, price) : null;
  const verdict = decideCall({
    connection: found,
    model: request.model,
    isTooLong: bytes > MESSAGES_BYTES_MAX,
    price,
    budget,
    spentMicro: budget ? await spent(em, connection, budget.currency, now) : { day: 0n, month: 0n },
    boundMicro: bound,
  });
  if (!verdict.ok) return verdict;
  const uid = newUid(prefixes.aiCall);
  const hash = canonicalHash({ system: request.system, user: request.user });
  await sql`
    insert into ai_call (uid, connection_uid, workspace_uid, environment, operation, purpose, model, price_version,
      currency, bound_micro, messages_hash, started_at)
    values (${uid}, ${connection}, ${workspace}, ${environment}, 'chat', ${purpose}, ${request.model},
      ${price?.version ?? null}, ${price?.currency ?? null}, ${bound === null ? null : String(bound)}::bigint, ${hash}, ${now})
  `.execute(em.getKysely());
  return { ok: true, uid, baseUrl: found!.baseUrl };
}

/** The largest number of tokens that a provider's message format adds to a request. */
const OVERHEAD_TOKENS = 64;

export type FinishVerdict = 'recorded' | 'recorded_before' | 'contradicts' | 'unknown';

/**
 * Records the outcome of a call once. Recording an equal outcome again changes nothing. A different outcome is refused.
 * Tokens that the provider did not report stay null, and so does their cost.
 */
export async function finishCall(
  em: Em,
  uid: string,
  outcome: ChatOutcome,
  now: Date,
): Promise<FinishVerdict> {
  const { rows } = await sql<CallRow>`
    select c.outcome_hash as "outcomeHash", p.version, p.currency, p.input_micro::text as input,
      p.cached_input_micro::text as cached, p.output_micro::text as output
    from ai_call c left join ai_price p
      on p.connection_uid = c.connection_uid and p.model = c.model and p.version = c.price_version
    where c.uid = ${uid} for update of c
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return 'unknown';
  const { ok, attempts, latencyMs, status, usage, mayBeBilled } = outcome;
  const failure = ok ? null : outcome.code;
  const model = ok ? outcome.model : null;
  const hash = canonicalHash({ failure, model, attempts, latencyMs, status, usage, mayBeBilled });
  if (row.outcomeHash !== null) return row.outcomeHash === hash ? 'recorded_before' : 'contradicts';
  const price = priceOf(row);
  const cost = usage && price ? String(costMicro(usage, price)) : null;
  await sql`
    update ai_call set ended_at = ${now}, outcome_hash = ${hash}, failure = ${failure}, http_status = ${status},
      attempts = ${attempts}, latency_ms = ${latencyMs}, model_answered = ${model}, may_be_billed = ${mayBeBilled},
      input_tokens = ${usage?.inputTokens ?? null}, output_tokens = ${usage?.outputTokens ?? null},
      cache_read_input_tokens = ${usage?.cacheReadInputTokens ?? null},
      cache_creation_input_tokens = ${usage?.cacheCreationInputTokens ?? null},
      reasoning_output_tokens = ${usage?.reasoningOutputTokens ?? null}, cost_micro = ${cost}::bigint
    where uid = ${uid}
  `.execute(em.getKysely());
  return 'recorded';
}

type CallRow = {
  outcomeHash: string | null;
  version: number | null;
  currency: string;
  input: string;
  cached: string | null;
  output: string;
};

function priceOf({ version, currency, input, cached, output }: CallRow): TokenPrice | undefined {
  if (version === null) return undefined;
  const cachedInputMicro = cached === null ? null : BigInt(cached);
  return { version, currency, inputMicro: BigInt(input), cachedInputMicro, outputMicro: BigInt(output) };
}

async function readConnection(em: Em, uid: string) {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ state: 'active' | 'revoked'; models: string[]; baseUrl: string }>`
    select state, models, base_url as "baseUrl" from ai_connection
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0];
}

/**
 * Returns the spending of the current day and month (UTC) in a currency. A call of unknown cost is counted at its
 * highest possible cost. The cost of a call that did not reach a provider is zero.
 */
async function spent(em: Em, connection: string, currency: string, now: Date) {
  const month = now.toISOString().slice(0, 7);
  const { rows } = await sql<{ day: string; month: string }>`
    select coalesce(sum(cost) filter (where started_at >= ${now.toISOString().slice(0, 10)}::timestamp at time zone 'utc'), 0)::text as day,
      coalesce(sum(cost), 0)::text as month
    from (
      select started_at, coalesce(cost_micro, case when coalesce(may_be_billed, true) then bound_micro else 0 end) as cost
      from ai_call where connection_uid = ${connection} and currency = ${currency}
        and started_at >= ${`${month}-01`}::timestamp at time zone 'utc'
    ) calls
  `.execute(em.getKysely());
  return { day: BigInt(rows[0]!.day), month: BigInt(rows[0]!.month) };
}
