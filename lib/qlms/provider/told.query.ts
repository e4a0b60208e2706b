import type { Em } from '#lib/database/base.ts';
import { readTold } from './provider-call.write.ts';
import type { ProviderRequest } from './request.ts';
import type { Told, Turn } from './turns.ts';

const NOTHING = { text: null, inputTokens: null, outputTokens: null, costMicro: null, currency: null };

/** Returns what a provider answered to exactly this request. Without an answer, the code says why. */
export async function toldIn(em: Em, turn: Turn, { messagesHash }: ProviderRequest): Promise<Told> {
  const missing = (code: string): Told => ({ ...NOTHING, code, messagesHash });
  if ('code' in turn) return missing(turn.code);
  const told = await readTold(em, turn.uid);
  if (!told) return missing('timed_out');
  return told.messagesHash === messagesHash ? told : missing('state_changed');
}
