import { InvalidArgumentError, type Command } from 'commander';
import { showForecast, type ShownForecast } from './forecast-report.ts';
import { withJson } from '../shell/options.ts';
import type { OutputOptions } from '../shell/output.ts';
import { runOnService, withService, type ServiceOptions } from '../shell/run-on-service.ts';

const PATH = '/api/v2/planning/forecasts';

type RunOptions = OutputOptions &
  ServiceOptions & {
    metric: string;
    horizon: number;
    company?: number;
    reason?: string;
  } & Partial<Record<'method' | 'levels' | 'frequency' | 'calendar' | 'holidays' | 'nonNegative', string>>;

export function registerRun(group: Command): void {
  const command = withJson(group.command('run'))
    .description('run a forecast on the running service, and plot it')
    .requiredOption(
      '--metric <name>',
      'the metric, such as revenue, economics.GDPC1 or ledger.net_cash_flow.EUR',
    )
    .requiredOption('--horizon <periods>', 'the number of periods to forecast', integer)
    .option('--company <id>', 'the company_id; omit it for economics.* and ledger.*', integer)
    .option('--reason <text>', 'the reason, stored with the run')
    .option('--method <key>', 'the only method to use (default: the combination of all methods)')
    .option('--levels <list>', 'the levels of the intervals in per cent, separated by commas')
    .option('--frequency <word>', 'the frequency of the series: daily, weekly, monthly, quarterly or yearly')
    .option(
      '--non-negative <true|false>',
      'whether to set forecasts and bounds below 0 to 0 (default: as the metric defines)',
    )
    .option(
      '--calendar <name>',
      'the calendar that adjusts monthly values for business days: weekdays, target or nyse',
    )
    .option(
      '--holidays <list>',
      'the calendars of holidays for a daily series, separated by commas: US, GB, DE, FR, target or nyse',
    );
  withService(command).action(async (options: RunOptions) => showForecast(await run(options), options));
}

function run(options: RunOptions): Promise<ShownForecast> {
  const { metric, horizon, company, reason, method, levels, frequency, calendar, holidays, nonNegative } =
    options;
  const given = Object.entries({
    method,
    levels,
    frequency,
    calendar,
    holidays,
    non_negative: nonNegative,
  }).filter(([, value]) => value !== undefined);
  return runOnService<ShownForecast>(options, {
    resource: PATH,
    query: Object.fromEntries(given) as Record<string, string>,
    body: {
      metric,
      horizon,
      ...(company === undefined ? {} : { company_id: company }),
      ...(reason === undefined ? {} : { reason }),
    },
    include: 'history',
  });
}

function integer(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('takes an integer');
  return Number(text);
}
