import { Option, type Command } from 'commander';
import { systemClock, utcDate } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Query, Tenant } from '#lib/database/base.ts';
import { createPortfolio } from '#lib/investment/portfolios/create-portfolio.command.ts';
import { holdingsInput, type ReadPortfolio } from '#lib/investment/portfolios/holdings.query.ts';
import holdings from '#lib/investment/portfolios/holdings.ts';
import { accountKinds, lotReliefs } from '#lib/investment/portfolios/portfolio-event.ts';
import { listPortfolios, type KnownPortfolio } from '#lib/investment/portfolios/portfolio.query.ts';
import { portfolioOf, taxRegimes } from '#lib/investment/portfolios/portfolio-row.ts';
import { taxLotsInput } from '#lib/investment/portfolios/tax-lots.query.ts';
import { taxLots } from '#lib/investment/portfolios/tax-lots.ts';
import { askIn } from '../shell/ask.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { print, printRows, notice, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { registerRisk } from './portfolio-risk.ts';

type PlaceOptions = OutputOptions & Tenant;
type CreateOptions = PlaceOptions & GovernedOptions & Record<string, string | undefined>;
type DayOptions = PlaceOptions & { asOf?: string };
type LotOptions = DayOptions & { symbol?: string; term?: 'short' | 'long'; state: 'open' | 'closed' | 'all' };

/** The maximum number of portfolios that `list` prints. */
const LISTED_MAX = 200;

export function register(program: Command): void {
  const group = program.command('portfolio');
  inPlaceOf(group.command('list'), 'list the portfolios, newest first').action(
    async ({ workspace, environment, ...options }: PlaceOptions) => {
      const page = { after: undefined, limit: LISTED_MAX };
      printRows(await askIn({ workspace, environment }, listPortfolios, page), options, summaryOf);
    },
  );
  withPerson(inPlaceOf(group.command('create <key>'), 'create a portfolio without events'))
    .requiredOption('--name <name>', 'the name of the portfolio')
    .requiredOption('--base-currency <code>', 'the base currency, ISO 4217')
    .requiredOption('--opened-on <date>', 'the day on which the portfolio was opened')
    .addOption(
      new Option('--account-kind <kind>', 'the tax status of the account: whether gains are taxed').choices(
        accountKinds,
      ),
    )
    .addOption(new Option('--lot-relief <method>', 'the order in which lots are sold').choices(lotReliefs))
    .addOption(new Option('--tax-regime <regime>', 'the tax rules of the account').choices(taxRegimes))
    .option('--tax-entity <key>', 'the taxpayer (default: the workspace)')
    .option(
      '--wash-group <key>',
      'the key that related portfolios share; a purchase in one can defer a loss in another (default: the taxpayer)',
    )
    .option('--benchmark <name>', 'the benchmark: a symbol, or the key of a portfolio')
    .action(async (key: string, options: CreateOptions) => {
      const { workspace, environment } = options;
      const portfolio = portfolioOf((column) => (column === 'portfolio' ? key : options[camel(column)]), {
        now: systemClock.now(),
        refuse: (column, reason) => {
          throw new Refusal('invalid_portfolio', `${column} ${reason}`);
        },
      });
      const { result } = await governAs(createPortfolio, { workspace, environment, portfolio }, options);
      const { portfolio: created, settledOrders } = result;
      print(
        {
          ...summaryOf(created),
          settled_orders: settledOrders.booked,
          unbooked_orders: settledOrders.unbooked,
        },
        options,
      );
    });
  inPlaceOf(
    group.command('show <portfolio>'),
    'show positions, cash, value, and differences from control totals (breaks)',
  )
    .option('--as-of <date>', 'the day; only data known by its end (UTC) is used (default: today)')
    .action(async (name: string, options: DayOptions) => {
      const { portfolio, input } = await readOf(name, options, holdingsInput);
      const held = holdings(input);
      if (held.state === 'inconsistent') throw new Refusal('portfolio_inconsistent', held.detail);
      const { state: _, ...members } = held;
      if (options.json) return print({ ...summaryOf(portfolio), ...members }, options);
      print(summaryOf(portfolio), options);
      printRows(members.positions, options);
      printRows(members.cash, options);
      printRows(members.totals, options);
      if (members.unbooked_orders.length > 0) {
        notice('settled orders that are not events of the portfolio');
        printRows(members.unbooked_orders, options);
      }
      if (members.breaks.length === 0) return notice('no breaks');
      notice('breaks: the statement differs from the events');
      printRows(members.breaks, options);
    });
  inPlaceOf(group.command('lots <portfolio>'), 'list tax lots, by symbol and date of purchase')
    .option('--as-of <date>', 'the day; only data known by its end (UTC) is used (default: today)')
    .option('--symbol <symbol>', 'only lots of this symbol')
    .addOption(new Option('--term <term>', 'only lots of this holding period').choices(['short', 'long']))
    .addOption(
      new Option('--state <state>', 'whether to list open lots, sold lots, or all')
        .choices(['open', 'closed', 'all'])
        .default('open'),
    )
    .action(async (name: string, { symbol, term, state, ...options }: LotOptions) => {
      const { input } = await readOf(name, options, taxLotsInput);
      const found = taxLots({ ...input, symbol, term, state });
      if (found.state === 'inconsistent') throw new Refusal('portfolio_inconsistent', found.detail);
      printRows(found.lots, options, ({ closed, instrument_uid: _, ...lot }) => ({
        ...lot,
        ...(state === 'open'
          ? {}
          : { sold_on: closed?.on ?? null, gain_minor: closed?.gain_minor ?? lot.gain_minor }),
      }));
    });
  registerRisk(group);
}

async function readOf<Input>(
  name: string,
  { workspace, environment, asOf = utcDate(systemClock.now()) }: DayOptions,
  query: Query<[string, string], ReadPortfolio<Input>>,
) {
  const today = utcDate(systemClock.now());
  if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || asOf > today)
    throw new Refusal('invalid_date', '--as-of takes a date YYYY-MM-DD that is not after today');
  return askIn({ workspace, environment }, query, name, asOf);
}

function summaryOf(portfolio: Omit<KnownPortfolio, 'termsKnownAt'>) {
  const { uid, key, name, baseCurrency, accountKind, lotRelief, taxRegime, taxEntity, washGroup } = portfolio;
  return {
    uid,
    portfolio: key,
    name,
    base_currency: baseCurrency,
    account_kind: accountKind,
    lot_relief: lotRelief,
    tax_regime: taxRegime,
    tax_entity: taxEntity,
    wash_group: washGroup,
    opened_on: portfolio.openedOn,
  };
}

function camel(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
