import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { backendNames } from '../support/backends.ts';
import { closeHosts } from '../support/cli-hosts.ts';
import { openCluster } from '../support/cluster.ts';
import type { Bench, Row } from './bench.ts';
import { benches } from './benches.ts';
import { peerNames, type PeerName } from './peers/peer-rows.ts';
import { tableOf } from './table.ts';

const HOME = path.resolve('.assay-bench');

const loaded = await Promise.all(
  Object.entries(benches).map(async ([name, load]) => ({ name, bench: (await load()).bench })),
);
const help = loaded.map(({ name, bench }) => `${name}: ${bench.summary}\n  ${bench.targets}`).join('\n');

const program = new Command('bench')
  .description('Measures Assay against plain peers in the same run. Every figure is a ratio.')
  .argument('[name]', `one of ${Object.keys(benches).join(', ')}; default: all`)
  .option('--json', 'print one JSON document')
  .option('--tiny', 'a size that only shows that the bench works; its figures have no meaning')
  .option('--rows <number>', 'of `data`: how many rows its table of prices has (default: 1000000)', readRows)
  .option(
    '--data <file>',
    'of `forecast`: series to forecast, gzipped JSON lines (default: those next to the project)',
  )
  .addOption(
    new Option(
      '--peer <stack>',
      'of `jobs` and `http`: compare with FastAPI + Celery (python) or Koa + BullMQ + pg (koa) instead',
    ).choices(peerNames),
  )
  .addHelpText('after', `\n${help}`)
  .showHelpAfterError()
  .parse();

type Options = { json?: true; tiny?: true; rows?: number; data?: string; peer?: PeerName };
const { json, tiny, rows: wantedRows, data, peer } = program.opts<Options>();
const [wanted] = program.args;
if (wanted !== undefined && !Object.hasOwn(benches, wanted)) program.error(`there is no bench ${wanted}`);

const cluster = await openCluster(HOME);
try {
  const rows: Row[] = [];
  for (const { name, bench } of loaded.filter((each) => wanted === undefined || each.name === wanted)) {
    rows.push(...(await runOne(name, bench)));
  }
  process.stdout.write(json ? `${JSON.stringify({ rows })}\n` : `${tableOf(rows)}\n`);
} finally {
  await closeHosts();
  await cluster.release();
}

function runOne(name: string, bench: Bench): Promise<Row[]> {
  const notify = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  const size = tiny ? 'tiny' : 'full';
  return bench.run({ size, rows: wantedRows, data, peer, cluster, backends: backendNames, notify });
}

function readRows(text: string): number {
  const rows = Number(text);
  if (!Number.isSafeInteger(rows) || rows < 1) throw new InvalidArgumentError('a whole number above 0');
  return rows;
}
