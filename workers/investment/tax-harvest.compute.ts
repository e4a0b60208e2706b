import { readPriceText } from '#lib/data/price-text.ts';
import { HARVEST_MODEL } from '#lib/investment/tax/harvest-models.ts';
import { SIMILARITY_MONTHS, taxHarvest } from '#lib/investment/tax/tax-harvest.ts';
import { monthlyReturns } from '#lib/investment/tax/monthly-returns.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './tax-harvest.ts';
import type { LoadedHarvest } from './tax-harvest.ts';

export const compute: ComputationOf<typeof runner> = (input, { prices, ...data }) => {
  const returns = monthlyReturns(prices.map(readPriceText), periodOf(input.as_of, data));
  const outcome = taxHarvest(input, { ...data, returns });
  if (outcome.ok) {
    const { input_data, result, orders } = outcome;
    return { ok: true, output: { input_data, result }, attachments: { orders } };
  }
  const { refusal } = outcome;
  switch (refusal.code) {
    case 'portfolio_inconsistent':
      return { ok: false, refusal };
    case 'account_tax_exempt':
      return refuse(
        refusal.code,
        'The account of the portfolio is exempt from tax, so its losses save no tax.',
      );
    case 'tax_regime_unsupported':
      return refuse(
        refusal.code,
        `Tax-loss harvesting supports only the tax rules of the United States, in USD. The portfolio is in ${refusal.currency}.`,
      );
    case 'currencies_mixed':
      return refuse(
        refusal.code,
        `The lots are in ${refusal.currencies.join(', ')}. Amounts are never converted, so all lots must be in one currency.`,
        {
          currencies: refusal.currencies,
        },
      );
    case 'too_large':
      return refuse(
        refusal.code,
        refusal.of === 'lots'
          ? `The portfolio has ${refusal.observed} open lots; the maximum is ${refusal.most}.`
          : `The sectors of the portfolio have more than ${refusal.most} instruments. Choose the replacements from a list.`,
      );
    case 'market_history_insufficient': {
      const { code, observed, needed } = refusal;
      const symbols = refusal.symbols.slice(0, SYMBOLS_SHOWN_MAX);
      const detail = 'No symbol of the portfolio has a close in the last 7 days.';
      return refuse(code, detail, { observed, needed, symbols });
    }
  }
};

/** The months of the returns: version 1 of the model has those of its factor run. */
function periodOf(asOf: string, { model, factorRun }: Pick<LoadedHarvest, 'model' | 'factorRun'>) {
  if (model === HARVEST_MODEL) return { asOf, months: SIMILARITY_MONTHS };
  const { request, months } = factorRun?.result ?? {};
  return { asOf: request?.as_of_date ?? asOf, months: months?.length ?? 0 };
}

/** Maximum number of symbols without a close that a refusal lists. */
const SYMBOLS_SHOWN_MAX = 100;

type Code = Extract<ReturnType<typeof taxHarvest>, { ok: false }>['refusal']['code'];

function refuse<C extends Code>(code: C, detail: string, members: Record<string, unknown> = {}) {
  return { ok: false as const, refusal: { code, detail, members } };
}
