import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { minorDigits, parseMajor } from '#lib/core/money.ts';
import { setBudget, setPrice } from '#lib/ai/tariff.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onConnection } from './on-connection.ts';
import { checkText, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { Refusal } from '#lib/core/refusal.ts';

const MICRO_DIGITS = 6;

type PriceOptions = OutputOptions &
  GovernedOptions & { model: string; currency: string; input: string; cachedInput?: string; output: string };
type BudgetOptions = OutputOptions & GovernedOptions & { currency: string; daily?: string; monthly?: string };

/** What tokens cost, and what calls may cost. */
export function registerTariffs(group: Command): void {
  withPerson(withJson(group.command('price <connection>')))
    .description('what a million tokens of a model cost from now on')
    .requiredOption('--model <model>')
    .requiredOption('--currency <code>')
    .requiredOption('--input <amount>', 'such as 2.50')
    .option('--cached-input <amount>', 'of input that the provider had in its cache; default: as other input')
    .requiredOption('--output <amount>')
    .action(async (uid: string, options: PriceOptions) => {
      const { currency, input, cachedInput, output } = options;
      const model = checkText('--model', options.model);
      const price = {
        currency: checkCurrency(currency),
        inputMicro: micro('--input', input),
        cachedInputMicro: cachedInput === undefined ? null : micro('--cached-input', cachedInput),
        outputMicro: micro('--output', output),
      };
      const version = await onConnection(uid, 'ai.price_set', options, async ({ em, by }) => {
        const set = await setPrice(em, uid, model, price, { by, now: systemClock.now() });
        return { result: set, details: { model, version: set, currency } };
      });
      print(
        { connection: uid, model, version, currency, input, cached_input: cachedInput ?? null, output },
        options,
      );
    });
  withPerson(withJson(group.command('budget <connection>')))
    .description('what its calls may cost a day and a month (UTC); without an amount there is no limit')
    .requiredOption('--currency <code>')
    .option('--daily <amount>', 'such as 5')
    .option('--monthly <amount>', 'such as 100')
    .action(async (uid: string, options: BudgetOptions) => {
      const { currency, daily, monthly } = options;
      const budget = {
        currency: checkCurrency(currency),
        dailyMicro: daily === undefined ? null : micro('--daily', daily),
        monthlyMicro: monthly === undefined ? null : micro('--monthly', monthly),
      };
      await onConnection(uid, 'ai.budget_set', options, async ({ em, by }) => {
        await setBudget(em, uid, budget, { by, now: systemClock.now() });
        return { result: undefined, details: { currency, daily: daily ?? null, monthly: monthly ?? null } };
      });
      print({ connection: uid, currency, daily: daily ?? null, monthly: monthly ?? null }, options);
    });
}

function checkCurrency(code: string): string {
  if (minorDigits(code) === undefined) {
    throw new Refusal('invalid_currency', `${code} is no currency of ISO 4217 in force`);
  }
  return code;
}

function micro(name: string, text: string): bigint {
  const amount = parseMajor(text, MICRO_DIGITS);
  if (!amount.ok || amount.minor < 0n) {
    throw new Refusal('invalid_amount', `${name} takes an amount with at most ${MICRO_DIGITS} decimals`);
  }
  return amount.minor;
}
