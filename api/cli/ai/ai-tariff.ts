import type { Command } from 'commander';
import { minorDigits, parseMajor } from '#lib/core/money.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { setBudget, type GivenAmount } from '#lib/ai/set-budget.command.ts';
import { setPrice } from '#lib/ai/set-price.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';

const MICRO_DIGITS = 6;

type PriceOptions = OutputOptions &
  GovernedOptions & { model: string; currency: string; input: string; cachedInput?: string; output: string };
type BudgetOptions = OutputOptions & GovernedOptions & { currency: string; daily?: string; monthly?: string };

/** Registers the commands for token prices and budgets. */
export function registerTariffs(group: Command): void {
  withPerson(withJson(group.command('price <connection>')))
    .description('set the price of a million tokens of a model from now on')
    .requiredOption('--model <model>', 'the model that the price is for')
    .requiredOption('--currency <code>', 'the currency of the price, ISO 4217')
    .requiredOption('--input <amount>', 'the price of a million input tokens, such as 2.50')
    .option(
      '--cached-input <amount>',
      'the price of a million cached input tokens (default: the input price)',
    )
    .requiredOption('--output <amount>', 'the price of a million output tokens, such as 10.00')
    .action(price);
  withPerson(withJson(group.command('budget <connection>')))
    .description(
      'limit the cost of the calls through a connection per day and per month (UTC); without an amount there is no limit',
    )
    .requiredOption('--currency <code>', 'the currency of the limits, ISO 4217')
    .option('--daily <amount>', 'the limit per day, such as 5')
    .option('--monthly <amount>', 'the limit per month, such as 100')
    .action(budget);
}

async function price(connection: string, options: PriceOptions): Promise<void> {
  const { input, output } = options;
  const model = checkText('--model', options.model);
  const currency = checkCurrency(options.currency);
  const cached = amount('--cached-input', options.cachedInput);
  const set = {
    currency,
    inputMicro: amount('--input', input).micro,
    cachedInputMicro: cached?.micro ?? null,
    outputMicro: amount('--output', output).micro,
  };
  const { result } = await governAs(setPrice, { connection, model, price: set }, options);
  const { version } = result;
  print({ connection, model, version, currency, input, cached_input: cached?.text ?? null, output }, options);
}

async function budget(connection: string, options: BudgetOptions): Promise<void> {
  const currency = checkCurrency(options.currency);
  const [daily, monthly] = [amount('--daily', options.daily), amount('--monthly', options.monthly)];
  await governAs(setBudget, { connection, currency, daily, monthly }, options);
  print({ connection, currency, daily: daily?.text ?? null, monthly: monthly?.text ?? null }, options);
}

function checkCurrency(code: string): string {
  if (minorDigits(code) === undefined) {
    throw new Refusal('invalid_currency', `${code} is not an active ISO 4217 currency`);
  }
  return code;
}

function amount(name: string, text: string): GivenAmount;
function amount(name: string, text: string | undefined): GivenAmount | null;
function amount(name: string, text: string | undefined): GivenAmount | null {
  if (text === undefined) return null;
  const parsed = parseMajor(text, MICRO_DIGITS);
  if (!parsed.ok || parsed.minor < 0n) {
    throw new Refusal('invalid_amount', `${name} takes an amount with at most ${MICRO_DIGITS} decimals`);
  }
  return { text, micro: parsed.minor };
}
