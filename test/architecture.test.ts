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
  'api/console/server.ts',
  // Browsers load this script.
  'api/console/browser/main.ts',
  'api/cli/main.ts',
  'workers/process/worker.ts',
  'workers/process/scheduler.ts',
  'workers/process/replay.ts',
  'workers/process/run-here.ts',
  'workers/process/load-all.ts',
  'api/process/compile.ts',
  'workers/process/materialise.ts',
  'workers/process/thread.ts',
  'lib/data/import/readers/parquet-child.ts',
  // These files are imported by callers outside this project.
  'lib/client/client.ts',
];

/** Code that has no caller yet, with the reason it is kept. */
const early = [
  // The drift statistics are checked by golden files.
  'lib/numerics/two-sample/anderson-darling.ts',
  'lib/numerics/two-sample/cramer-von-mises.ts',
  'lib/numerics/two-sample/mann-whitney.ts',
  'lib/numerics/two-sample/welch.ts',
];

/**
 * Numerics that the API loads. Answers to questions need only a few computations: exact decimals, growth rates, exact
 * intervals of shares, and the conditional mean of a small model. A request to reconcile forecasts is refused if its sums
 * form no hierarchy.
 */
const answering = new Set(
  [
    'decimal',
    'exponential',
    'matrix',
    'natural-log',
    'power-of-two',
    'distributions/clopper-pearson',
    'distributions/incomplete-beta',
    'distributions/log-gamma',
    'reconciliation/hierarchy',
    // The page of an anomaly run decomposes its series, which has at most 600 values there.
    'anomaly/seasonal-remainder',
    'stl/loess',
    'stl/robustness',
    'stl/stl',
    'scenario/conditional-normal',
    'scenario/lower-cholesky',
    'scenario/scenario-law',
  ].map((name) => `lib/numerics/${name}.ts`),
);

describe('the source code', () => {
  const sources = readSources(['api', 'lib', 'workers']);
  const paths = sources.map(({ path }) => path);

  it('imports only modules that the table of layers allows', () => {
    expect(layerFaults(sources)).to.deep.equal([]);
  });

  it('uses packages only where they are allowed and only if package.json lists them', () => {
    expect(packageFaults(sources, dependencies())).to.deep.equal([]);
  });

  // Computation belongs in a worker: the API must stay responsive under every request.
  it('lets the API and the command line load, even indirectly, only the numerics that responses need', () => {
    const reached = [
      ...reachedFrom(sources, ['api/process/server.ts', 'api/console/server.ts', 'api/cli/main.ts']),
    ];
    expect(reached.length).to.be.greaterThan(50);
    const numerics = reached.filter((path) => path.startsWith('lib/numerics/'));
    expect(numerics.filter((path) => !answering.has(path))).to.deep.equal([]);
  });

  it('keeps rules, models and numerics free of side effects', () => {
    expect(impureImports(sources)).to.deep.equal([]);
    expect(datesInPureCode(sources)).to.deep.equal([]);
  });

  it('reads the time, randomness and the environment only where the table allows it', () => {
    expect(ambientUses(sources)).to.deep.equal([]);
  });

  it('does not compute sealed results with JavaScript operations whose value differs between engines', () => {
    expect(unstableOperations(sources)).to.deep.equal([]);
  });

  it('keeps transactions, SQL and the audit log out of its adapters', () => {
    expect(databaseUses(sources)).to.deep.equal([]);
  });

  it('has no import cycles', () => {
    expect(importCycles(sources)).to.deep.equal([]);
  });

  it('has no file that is unreachable from the entry files', () => {
    // A runner refers to its computation by a URL, not by an import.
    const loaded = [...entries, ...paths.filter((path) => path.endsWith('.compute.ts'))];
    expect(unreachedFiles(sources, [...loaded, ...early])).to.deep.equal([]);
    for (const file of early) expect(unreachedFiles(sources, loaded), 'is no longer early').to.include(file);
  });

  it('has only files with kebab-case names and at most 400 lines', () => {
    expect(longFiles(sources)).to.deep.equal([]);
    expect(misnamedFiles(paths)).to.deep.equal([]);
  });

  it('has every operation in the catalog and in the file that its path determines', async () => {
    const files = paths.filter((path) =>
      /^api\/(?!http\/|derive\/|cli\/|process\/|pages\/|console\/)[^/]+\//.test(path),
    );
    const operations = (await Promise.all(files.map(operationsOf))).flat();
    expect(misplacedOperations(operations)).to.deep.equal([]);
    expect(operations.map(({ key }) => key)).to.have.members(catalog.map(({ key }) => key));
  });

  it('has every run and every housekeeping task in the files that its key determines', () => {
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
