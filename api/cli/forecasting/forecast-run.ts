import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { pollUntil } from '#lib/core/poll.ts';
import { showForecast, type ShownForecast } from './forecast-report.ts';
import { withJson } from '../shell/options.ts';
import type { OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

const PATH = '/api/v2/planning/forecasts';
const WAIT_S = 20;
const PAUSE_MS = 200;

type RunOptions = OutputOptions & {
  metric: string;
  horizon: number;
  company?: number;
  reason?: string;
  url?: string;
  keyFile?: string;
} & Partial<Record<'method' | 'levels' | 'frequency' | 'calendar' | 'nonNegative', string>>;

export function registerRun(group: Command): void {
  withJson(group.command('run'))
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
    .option('--url <url>', 'the URL of the service (default: this machine, at PORT)')
    .option('--key-file <file>', 'a file with the API key (default: the key file of the demo)')
    .action(async (options: RunOptions) => showForecast(await run(options), options));
}

async function run(options: RunOptions): Promise<ShownForecast> {
  const { metric, horizon, company, reason, method, levels, frequency, calendar, nonNegative } = options;
  const config = readConfig();
  const base = options.url ?? `http://${config.HOST}:${config.PORT ?? 3000}`;
  const key = await apiKey(options.keyFile ?? path.join(config.ASSAY_HOME, 'demo.json'));
  const given = Object.entries({ method, levels, frequency, calendar, non_negative: nonNegative }).filter(
    ([, value]) => value !== undefined,
  );
  const query = new URLSearchParams(given as [string, string][]);
  const submitted = await ask(`${base}${PATH}?${query}`, key, {
    metric,
    horizon,
    ...(company === undefined ? {} : { company_id: company }),
    ...(reason === undefined ? {} : { reason }),
  });
  const where = `${base}${PATH}/${submitted.uid}?include=history`;
  const isOver = ({ state }: Answered) => state !== 'queued' && state !== 'running';
  const answer = isOver(submitted)
    ? submitted
    : await pollUntil(() => ask(`${where}&wait=${WAIT_S}`, key), isOver, { everyMs: PAUSE_MS });
  if (answer.problem) throw new Refusal(answer.problem.code, answer.problem.detail);
  if (answer.state === 'cancelled')
    throw new Refusal('run_cancelled', `the forecast ${answer.uid} was cancelled`);
  return ask(where, key);
}

type Answered = ShownForecast & { state: string; problem?: { code: string; detail: string } | null };

async function ask(url: string, key: string, body?: object): Promise<Answered> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new Refusal('service_away', `nothing answers at ${new URL(url).origin}; start it, or give --url`);
  });
  const answer = (await response.json()) as Answered & { code: string; detail: string };
  if (!response.ok) throw new Refusal(answer.code, answer.detail);
  return answer;
}

/** Reads the API key from a file that contains the JSON document of the demo, or only the key. */
async function apiKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('key_file_unreadable', `cannot read ${file}; --key-file takes a file with an API key`);
  });
  return text.startsWith('{') ? (JSON.parse(text) as { api_key: string }).api_key : text.trim();
}

function integer(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('takes an integer');
  return Number(text);
}
