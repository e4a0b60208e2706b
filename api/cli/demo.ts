import path from 'node:path';
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import type { Command } from 'commander';
import { median, quantile } from 'simple-statistics';
import { readConfig } from '#lib/core/config.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import type { ThemeFactorsResult } from '#lib/investment/theme-factors.result.ts';
import { tableStyle, tell } from './output.ts';
import { Refusal } from './refusal.ts';
import { seedDemo } from './seed.ts';
import { addresses, opsPassword, untilInterrupted } from './serve.ts';
import { sparkline } from './sparkline.ts';
import { startStack } from './stack.ts';

const BODY = { as_of_date: '2020-09-30', history_months: 60 };
const ENDED = new Set(['succeeded', 'failed', 'cancelled']);

type RunDocument = {
  uid: string;
  state: string;
  progress: number;
  seal?: { hash: string };
  result_hash?: string;
} & {
  result?: ThemeFactorsResult;
};

export function register(program: Command): void {
  program
    .command('demo')
    .description('start Assay with sample data, run the theme factor model over HTTP, verify its seal')
    .option('--exit', 'end after the verification')
    .action(async (options: { exit?: boolean }) => {
      const config = readConfig();
      const password = opsPassword(config.OPS_PASSWORD);
      const interrupted = untilInterrupted();
      const stack = await startStack({
        config,
        env: { OPS_PASSWORD: password },
        logDirectory: path.join(config.ASSAY_HOME, 'logs'),
        tell,
      });
      try {
        tell('Loading the sample workspace: 503 symbols, 16 years of monthly prices, 5 taxonomy versions');
        const seeded = await seedDemo(stack.ownerUrl, config);
        const run = await runOverHttp(stack.url, seeded.api_key);
        showResult(run);
        verify(run);
        if (options.exit) return;
        process.stdout.write(
          `\n${addresses(stack).join('\n')}\n\n${curlLine(stack.url, seeded.api_key)}\n\nCtrl-C ends.\n`,
        );
        await interrupted;
      } finally {
        await stack.stop();
      }
    });
}

/** Submits as a client would, then polls and shows the progress. */
async function runOverHttp(url: string, apiKey: string): Promise<RunDocument> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const bar = new SingleBar({
    format: 'Theme factor run [{bar}] {percentage}% {state}',
    stream: process.stderr,
  });
  if (process.stderr.isTTY) bar.start(100, 0, { state: 'queued' });
  const accepted = await fetch(`${url}/api/v2${themeFactorsJob.resource}`, {
    method: 'POST',
    headers: { ...headers, prefer: 'respond-async' },
    body: JSON.stringify(BODY),
  });
  if (!accepted.ok) throw new Refusal('demo_failed', await accepted.text());
  const location = accepted.headers.get('location')!;
  for (;;) {
    const run = (await (await fetch(`${url}${location}?wait=1`, { headers })).json()) as RunDocument;
    bar.update(Math.round(run.progress * 100), { state: run.state });
    if (!ENDED.has(run.state)) continue;
    bar.stop();
    if (run.state !== 'succeeded') throw new Refusal('demo_failed', JSON.stringify(run));
    return run;
  }
}

function showResult(run: RunDocument): void {
  const result = run.result!;
  const table = new Table({
    head: [
      'theme',
      'symbols',
      'return p.a.',
      'volatility',
      't (Newey-West)',
      'theme index, base 100',
      'level',
    ],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left', 'right'],
    ...tableStyle,
  });
  for (const factor of result.factors) {
    table.push([
      factor.theme,
      factor.symbols,
      percent(factor.stats.annualized_mean),
      percent(factor.stats.annualized_volatility),
      factor.stats.newey_west_t?.toFixed(2) ?? '',
      sparkline(factor.index_levels),
      factor.index_levels.findLast((level) => level !== null)?.toFixed(1) ?? '',
    ]);
  }
  const { request, taxonomy, market_data } = result;
  process.stdout.write(
    `\n${result.model}, ${result.symbols.length} symbols, ${market_data.first_month} to ${market_data.last_month}, ` +
      `taxonomy ${taxonomy.version}, as of ${request.as_of_date}\n${table.toString()}\n` +
      'return p.a.: of the factor, all others held still; level: of the index of raw returns, weighted by exposure\n' +
      `${specificRiskSummary(result)}\n` +
      `run          ${run.uid}\nresult hash  ${run.result_hash}\nseal         ${run.seal!.hash}\n`,
  );
}

function specificRiskSummary({ specific_risk }: ThemeFactorsResult): string {
  const monthly = specific_risk.map((risk) => risk.volatility).filter((volatility) => volatility !== null);
  const [low, high] = [percent(quantile(monthly, 0.05)), percent(quantile(monthly, 0.95))];
  return `specific volatility a month: median ${percent(median(monthly))}, 5th to 95th percentile ${low} to ${high}`;
}

function verify(run: RunDocument): void {
  const check = checkSeal(run);
  if (!check.intact) throw new Refusal('seal_broken', `what differs: ${check.differences.join(', ')}`);
  process.stdout.write('The seal was recomputed from the answer alone and agrees.\n');
}

function curlLine(url: string, apiKey: string): string {
  return (
    `curl -s ${url}/api/v2${themeFactorsJob.resource} \\\n  -H 'Authorization: Bearer ${apiKey}' \\\n` +
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(BODY)}'`
  );
}

function percent(value: number | null): string {
  return value === null ? '' : `${(Math.round(value * 1_000) / 10 + 0).toFixed(1)} %`;
}
