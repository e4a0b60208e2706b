import { insertInstruments } from '#lib/data/import/load/register-instruments.ts';
import { lockDataset } from '#lib/data/import/load/lock-dataset.ts';
import type { Em } from '#lib/database/base.ts';
import { listOf, unregisteredSymbols } from './staged-symbols.query.ts';

const PAGE_SYMBOLS = 5_000;

/**
 * Registers the symbols of staged rows, or of a list, that are in no dataset of the workspace, as instruments without
 * facts in the workspace's dataset `instruments`. Returns the number of registered symbols.
 */
export async function registerSymbols(
  em: Em,
  workspace: string,
  now: Date,
  list?: readonly string[],
): Promise<number> {
  const among = list && listOf(list);
  let symbols = await unregisteredSymbols(em, PAGE_SYMBOLS, among);
  if (symbols.length === 0) return 0;
  const dataset = await lockDataset(em, { workspace, kind: 'instruments', name: 'instruments', now });
  let registered = 0;
  while (symbols.length > 0) {
    await insertInstruments(em, dataset.id, symbols);
    registered += symbols.length;
    symbols = await unregisteredSymbols(em, PAGE_SYMBOLS, among);
  }
  return registered;
}
