import { readFile } from 'node:fs/promises';
import { checkSeal } from '#lib/core/seal.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { tearSheet, type ShownBacktest } from '../quant/tear-sheet.ts';
import { runAt, type Service } from '../shell/run-on-service.ts';

const EXAMPLE = new URL('../../../lib/quant/strategies/examples/dual-momentum.json', import.meta.url);
const WINDOW = { from: '2013-02-28', to: '2020-09-30' };

/** Runs a shipped strategy over the monthly sample prices, checks the seal of the result and returns the tear sheet. */
export async function demoBacktest(service: Service): Promise<string> {
  const strategy: unknown = JSON.parse(await readFile(EXAMPLE, 'utf8'));
  const body = { strategy, ...WINDOW, capacity: false };
  const run = await runAt<ShownBacktest>(service, { resource: '/api/v2/quant/compute/backtests', body });
  const check = checkSeal(run);
  if (!check.intact)
    throw new Refusal('seal_broken', `these members differ: ${check.differences.join(', ')}`);
  return tearSheet(run, { plots: false });
}
