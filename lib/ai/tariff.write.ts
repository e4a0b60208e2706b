import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { TokenPrice } from './usage.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type Budget = { currency: string; dailyMicro: bigint | null; monthlyMicro: bigint | null };

type Author = { by: string; now: Date };

/**
 * Sets the price of a model's tokens from now on. Earlier calls keep their price. The tariff must be locked.
 * Returns the version of the price.
 */
export async function setPrice(
  em: Em,
  connection: string,
  model: string,
  { currency, inputMicro, cachedInputMicro, outputMicro }: Omit<TokenPrice, 'version'>,
  { by, now }: Author,
): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ version: number }>`
    insert into ai_price (connection_uid, model, version, workspace_uid, environment, currency, input_micro,
      cached_input_micro, output_micro, set_by_uid, set_at)
    select ${connection}, ${model}, coalesce(max(version), 0) + 1, ${workspace}, ${environment}, ${currency},
      ${String(inputMicro)}::bigint, ${text(cachedInputMicro)}::bigint, ${String(outputMicro)}::bigint, ${by}, ${now}
    from ai_price where connection_uid = ${connection} and model = ${model}
    returning version
  `.execute(em.getKysely());
  return rows[0]!.version;
}

/** Limits the cost of a connection's calls per day (UTC) and per calendar month. The tariff must be locked. */
export async function setBudget(
  em: Em,
  connection: string,
  { currency, dailyMicro, monthlyMicro }: Budget,
  { by, now }: Author,
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into ai_budget (connection_uid, workspace_uid, environment, currency, daily_micro, monthly_micro, set_by_uid,
      set_at)
    values (${connection}, ${workspace}, ${environment}, ${currency}, ${text(dailyMicro)}::bigint,
      ${text(monthlyMicro)}::bigint, ${by}, ${now})
  `.execute(em.getKysely());
}

/** Returns the current price of a model and the current budget of the connection. */
export async function readTariff(
  em: Em,
  connection: string,
  model: string,
): Promise<{ price: TokenPrice | undefined; budget: Budget | undefined }> {
  const prices = await sql<
    Record<'version' | 'input' | 'output', string> & { currency: string; cached: string | null }
  >`
    select version::text, currency, input_micro::text as input, cached_input_micro::text as cached,
      output_micro::text as output
    from ai_price where connection_uid = ${connection} and model = ${model} order by version desc limit 1
  `.execute(em.getKysely());
  const budgets = await sql<{ currency: string; daily: string | null; monthly: string | null }>`
    select currency, daily_micro::text as daily, monthly_micro::text as monthly
    from ai_budget where connection_uid = ${connection} order by id desc limit 1
  `.execute(em.getKysely());
  const [price] = prices.rows;
  const [budget] = budgets.rows;
  return {
    price: price && {
      version: Number(price.version),
      currency: price.currency,
      inputMicro: BigInt(price.input),
      cachedInputMicro: number(price.cached),
      outputMicro: BigInt(price.output),
    },
    budget: budget && {
      currency: budget.currency,
      dailyMicro: number(budget.daily),
      monthlyMicro: number(budget.monthly),
    },
  };
}

/**
 * Locks the tariff of a connection until the transaction ends. No other transaction can set a price or check the budget
 * meanwhile.
 */
export async function lockTariff(em: Em, connection: string): Promise<void> {
  await acquireNamedLock(em, 'ai tariff', connection);
}

function text(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}

function number(amount: string | null): bigint | null {
  return amount === null ? null : BigInt(amount);
}
