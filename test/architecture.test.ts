import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import type { Operation } from '#lib/core/operation.ts';
import { runs } from '#lib/runs.ts';
import { periodic } from '#lib/pipeline/periodic.ts';
import { databaseUses } from './architecture/adapters.ts';
import { importCycles, reachedFrom, unreachedFiles } from './architecture/graph.ts';
import { layerFaults } from './architecture/layers.ts';
import { packageFaults } from './architecture/packages.ts';
import { longFiles, misnamedFiles, misplacedOperations, missingRunFiles } from './architecture/placement.ts';
import { ambientUses, datesInPureCode, impureImports, unstableOperations } from './architecture/purity.ts';
import { readSources } from './architecture/source.ts';

/** The entry files that npm, the process manager or another process starts. */
const entries = [
  'api/process/server.ts',
  'api/cli/main.ts',
  'workers/process/worker.ts',
  'workers/process/scheduler.ts',
  'workers/process/replay.ts',
  'workers/process/run-here.ts',
  'workers/process/materialise.ts',
  'workers/process/thread.ts',
  'lib/data/import/readers/parquet-child.ts',
  // The files that callers import.
  'lib/client/client.ts',
];

/** Code that has no caller yet, with the reason it is kept. */
const early = [
  // Drift statistics, checked by golden files.
  'lib/numerics/two-sample/anderson-darling.ts',
  'lib/numerics/two-sample/cramer-von-mises.ts',
  'lib/numerics/two-sample/mann-whitney.ts',
  'lib/numerics/two-sample/welch.ts',
  // Portfolios, tax lots and harvests, until their operations and runs import them.
  'lib/investment/portfolios/breaks.ts',
  'lib/investment/portfolios/event-fault.ts',
  'lib/investment/portfolios/lot-totals.ts',
  'lib/investment/portfolios/lots.ts',
  'lib/investment/portfolios/pools.ts',
  'lib/investment/portfolios/positions.ts',
  'lib/investment/portfolios/recognised-gains.ts',
  'lib/investment/tax/harvest.ts',
  'lib/investment/tax/harvest-orders.ts',
  'lib/investment/tax/replacements.ts',
  'lib/investment/tax/wash-purchases.ts',
];

describe('the code itself', () => {
  const sources = readSources(['api', 'lib', 'workers']);
  const paths = sources.map(({ path }) => path);

  it('imports only what the table of layers allows', () => {
    expect(layerFaults(sources)).to.deep.equal([]);
  });

  it('uses each package only where it is allowed, and no package missing from package.json', () => {
    expect(packageFaults(sources, dependencies())).to.deep.equal([]);
  });

  // Computation belongs in a worker: the API must stay responsive under every request.
  it('loads no numerics into the API or the command line, even indirectly', () => {
    const reached = [...reachedFrom(sources, ['api/process/server.ts', 'api/cli/main.ts'])];
    expect(reached.length).to.be.greaterThan(50);
    expect(reached.filter((path) => path.startsWith('lib/numerics/'))).to.deep.equal([]);
  });

  it('keeps rules, models and numerics free of effects', () => {
    expect(impureImports(sources)).to.deep.equal([]);
    expect(datesInPureCode(sources)).to.deep.equal([]);
  });

  it('reads the time, randomness and the environment only where the table allows it', () => {
    expect(ambientUses(sources)).to.deep.equal([]);
  });

  it('seals no result of an operation that differs between engines', () => {
    expect(unstableOperations(sources)).to.deep.equal([]);
  });

  it('leaves transactions, SQL and the audit log to commands, runs and queries in its adapters', () => {
    expect(databaseUses(sources)).to.deep.equal([]);
  });

  it('has no import cycles', () => {
    expect(importCycles(sources)).to.deep.equal([]);
  });

  it('has no file that is unreachable from the entry files', () => {
    // A runner names its computation by a URL.
    const loaded = [...entries, ...paths.filter((path) => path.endsWith('.compute.ts'))];
    expect(unreachedFiles(sources, [...loaded, ...early])).to.deep.equal([]);
    for (const file of early) expect(unreachedFiles(sources, loaded), 'is no longer early').to.include(file);
  });

  it('has no file above 400 lines, and names files as kebab-case nouns', () => {
    expect(longFiles(sources)).to.deep.equal([]);
    expect(misnamedFiles(paths)).to.deep.equal([]);
  });

  it('has every operation in the file that its path determines, and lists each one in the catalog', async () => {
    const files = paths.filter((path) =>
      /^api\/(?!http\/|derive\/|cli\/|process\/|pages\/)[^/]+\//.test(path),
    );
    const operations = (await Promise.all(files.map(operationsOf))).flat();
    expect(misplacedOperations(operations)).to.deep.equal([]);
    expect(operations.map(({ key }) => key)).to.have.members(catalog.map(({ key }) => key));
  });

  it('has every run, and all housekeeping, in the files that its key determines', () => {
    const keys = { runs: Object.keys(runs), periodic: Object.keys(periodic) };
    expect(missingRunFiles(paths, keys)).to.deep.equal([]);
    for (const [key, run] of Object.entries(runs)) expect(run.key).to.equal(key);
  });
});

function dependencies(): string[] {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
}

async function operationsOf(file: string) {
  const module = (await import(`../${file}`)) as Record<string, Partial<Operation>>;
  return Object.values(module)
    .filter((value): value is Operation => typeof value?.handle === 'function' && value.key !== undefined)
    .map(({ key, path }) => ({ file, key, path }));
}
