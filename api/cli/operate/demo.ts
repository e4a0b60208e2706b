import path from 'node:path';
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import type { Command } from 'commander';
import { median, quantile } from 'simple-statistics';
import { ApiProblem, createClient, type SealedThemeFactorsRun } from '#lib/client/client.ts';
import { issueConsoleLink } from '#lib/access/console/issue-link.command.ts';
import { consoleLink } from '#lib/access/console/link-address.ts';
import { ownerOf } from '#lib/access/named-person.query.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig, type Config } from '#lib/core/config.ts';
import { governOrRefuse } from '#lib/governance/govern.ts';
import { openOrm } from '#lib/database/orm.ts';
import { queriesOn } from '#lib/database/queries.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { tableStyle, notice } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { seedDemo, type Seeded } from '#lib/sample/demo.ts';
import { serveUntilInterrupted } from '../../process/service.ts';
import type { Stack } from '../../process/stack.ts';
import { withRunner } from '../../process/run-here.ts';
import { demoBacktest } from './demo-backtest.ts';
import { contentText, demoContent, type DemoScenario } from './demo-content.ts';
import { demoLineage } from './demo-lineage.ts';
import { addresses, opsPassword } from './serve.ts';
import { sparkline } from '../../../lib/core/sparkline.ts';

const FACTORS = '/investment/theme-watch/factors';
const BODY = { as_of_date: '2020-09-30', history_months: 60 };
const SCENARIOS = '/generative/scenarios';
const SCENARIO = {
  regime: 'stressed',
  seed: 42,
  stress: [{ factor: 'XOM', shock: -15, unit: 'percent' }],
} satisfies DemoScenario;

export function register(program: Command): void {
  program
    .command('demo')
    .option('--exit', 'end after the verification')
    .action(async (options: { exit?: boolean }) => {
      const config = readConfig();
      const password = opsPassword(config.OPS_PASSWORD);
      const stackOptions = {
        config,
        env: { OPS_PASSWORD: password },
        logDirectory: path.join(config.ASSAY_HOME, 'logs'),
        notify: notice,
      };
      await serveUntilInterrupted(stackOptions, async (stack) => {
        notice('Loading the sample workspace: 503 symbols, 16 years of monthly prices, 5 taxonomy versions');
        const seeded = await seed(stack.ownerUrl, config);
        const run = await runOverHttp(stack.url, seeded.api_key);
        showResult(run);
        verify(run);
        // The content needs little computation, so it is made while the backtest and the workflow run.
        const [content] = await Promise.all([
          demoContent(stack.url, seeded, { scenario: SCENARIO, now: systemClock.now() }),
          showFurtherRuns(stack, config, seeded),
        ]);
        process.stdout.write(`\n${contentText(content)}\n`);
        if (options.exit) return false;
        const link = await signInLink(stack, config, seeded.workspace.uid);
        if (link !== undefined)
          process.stdout.write(`\nSign in to the console (valid for 15 minutes, once):\n${link}\n`);
        process.stdout.write(
          `\n${addresses(stack).join('\n')}\n\n${curlLine(stack.url, seeded.api_key, FACTORS, BODY)}\n\n${curlLine(stack.url, seeded.api_key, SCENARIOS, SCENARIO)}\n\nCtrl-C ends.\n`,
        );
        return true;
      });
    });
}

/** Creates the sample workspace in the database of the stack. */
async function seed(ownerUrl: string, config: Config) {
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 2);
  const hands = { orm, query: queriesOn(orm) };
  try {
    return await seedDemo(hands, config.ASSAY_HOME, (work) => withRunner(ownerUrl, work));
  } finally {
    await orm.close();
  }
}

/** Shows a backtest with its seal, then a workflow with the lineage of its result. */
async function showFurtherRuns(stack: Stack, config: Config, seeded: Seeded): Promise<void> {
  const service = { base: stack.url, key: seeded.api_key };
  process.stdout.write(
    `\n${await demoBacktest(service)}\nThe seal of the backtest was recomputed as well and matches.\n`,
  );
  process.stdout.write(`\n${await demoLineage(stack, config, seeded)}\n`);
}

/** Returns a link that signs the owner of the sample workspace in to the console; undefined without a console. */
async function signInLink(
  { ownerUrl, consoleUrl }: Stack,
  config: Config,
  workspace: string,
): Promise<string | undefined> {
  if (consoleUrl === undefined) return undefined;
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 1);
  try {
    const owner = await queriesOn(orm)('everywhere', ownerOf, workspace);
    const given = { person: owner!, environment: 'sandbox' as const };
    const { result } = await governOrRefuse(orm, issueConsoleLink, given, {
      actor: unnamed,
      clock: systemClock,
    });
    return consoleLink({ CONSOLE_URL: consoleUrl }, result.secret);
  } finally {
    await orm.close();
  }
}

/** Submits the run over HTTP, as a client does, and shows its progress. */
async function runOverHttp(url: string, apiKey: string): Promise<SealedThemeFactorsRun> {
  const bar = new SingleBar({
    format: 'Theme factor run [{bar}] {percentage}% {state}',
    stream: process.stderr,
  });
  if (process.stderr.isTTY) bar.start(100, 0, { state: 'queued' });
  try {
    const run = await createClient({ baseUrl: url, apiKey }).submit(FACTORS, BODY);
    const sealed = await run.sealed({
      onProgress: ({ progress, state }) => bar.update(Math.round(progress * 100), { state }),
    });
    bar.update(100, { state: sealed.state });
    return sealed;
  } catch (error) {
    throw error instanceof ApiProblem ? new Refusal('demo_failed', error.message) : error;
  } finally {
    bar.stop();
  }
}

function showResult(run: SealedThemeFactorsRun): void {
  const { result } = run;
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
    `\n${result.model}, ${result.symbols.length} symbols, ${market_data.first_month} to ${market_data.last_month}, taxonomy ${taxonomy.version}, as of ${request.as_of_date}\n${table.toString()}\nreturn p.a.: yearly return of the factor, with the other factors held constant; level: level of the exposure-weighted index of raw returns\n${specificRiskSummary(result)}\nrun          ${run.uid}\nresult hash  ${run.result_hash}\nseal         ${run.seal.hash}\n`,
  );
}

function specificRiskSummary({ specific_risk }: SealedThemeFactorsRun['result']): string {
  const monthly = specific_risk.map((risk) => risk.volatility).filter((volatility) => volatility !== null);
  const [low, high] = [percent(quantile(monthly, 0.05)), percent(quantile(monthly, 0.95))];
  return `specific volatility per month: median ${percent(median(monthly))}, 5th to 95th percentile ${low} to ${high}`;
}

function verify(run: SealedThemeFactorsRun): void {
  const check = checkSeal(run);
  if (!check.intact)
    throw new Refusal('seal_broken', `these members differ: ${check.differences.join(', ')}`);
  process.stdout.write('The seal was recomputed from the response alone and matches.\n');
}

function curlLine(url: string, apiKey: string, resource: string, body: object): string {
  return (
    `curl -s ${url}/api/v2${resource} \\\n  -H 'Authorization: Bearer ${apiKey}' \\\n` +
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  );
}

function percent(value: number | null): string {
  return value === null ? '' : `${(Math.round(value * 1_000) / 10 + 0).toFixed(1)} %`;
}
