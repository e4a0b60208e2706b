import { periodic } from '#lib/pipeline/periodic.ts';
import { foldersOf, manifestOf, usedBy } from './products.ts';
import { importsOf, type Source } from './source.ts';

/**
 * A part of the tree and the imports that it may have. A place is a file, a folder with everything below it
 * (`lib/core/`), or the files directly in a folder (`api/*.ts`). `<product>` is any folder without a row of
 * its own. In `may`, `<own>` means the folders of the importing file's product, `<used>` the folders of the
 * products that its manifest uses, and `<any>` all folders. A place allowed only by `mayType` may be imported
 * with `import type`, which loads no code.
 */
export type Layer = { at: string; may: readonly string[]; mayType?: readonly string[] };

/** One import that the table forbids but that is intended. */
export type Exception = { from: string; to: string; reason: string };

/** The folders of shared code that every product may import. */
const ground = [
  'lib/audit/',
  'lib/governance/',
  'lib/pipeline/',
  'lib/models/registry/',
  'lib/access/',
  'lib/data/',
];

/** The file with the declarations of all products. It loads only declarations. */
const declared = ['lib/products.ts'];

/** The imports that a product's own files may have from other products. */
const products = ['lib/<own>/', 'lib/<used>/'];

/**
 * The folder of the types `Em`, `Orm` and `Tenant`, which functions that run in a transaction have as
 * parameters.
 */
const transactions = ['lib/database/'];

/** The code that starts and supervises the processes of Assay, without the server itself. */
const starting = ['child', 'first-key', 'run-here', 'service', 'stack'].map(
  (name) => `api/process/${name}.ts`,
);

/** Rows go from the most specific to the most general. The first row that matches a file applies. */
export const layers: readonly Layer[] = [
  // The process of the console opens its own connections, like the API's process.
  {
    at: 'api/console/server.ts',
    may: [
      'lib/core/',
      'lib/database/',
      'lib/access/',
      'lib/governance/',
      'lib/ops/',
      'lib/pipeline/',
      'api/catalog.ts',
      'api/compute.ts',
      'api/runs.ts',
      'api/console/',
    ],
  },
  // A manifest imports only the declarations in `lib/core/product.ts`, so every file may import manifests.
  { at: 'lib/core/product.ts', may: [] },
  { at: 'lib/*/product.ts', may: ['lib/core/product.ts'] },
  { at: 'lib/products.ts', may: ['lib/core/product.ts', 'lib/*/product.ts'] },
  { at: 'lib/core/', may: ['lib/core/', ...declared] },
  { at: 'lib/numerics/', may: ['lib/numerics/'] },
  // Callers outside this project import the client, so the client imports only its own files.
  { at: 'lib/client/', may: ['lib/client/'] },
  { at: 'lib/database/base.ts', may: ['lib/core/'] },
  { at: 'lib/database/', may: ['lib/core/', 'lib/database/', ...declared] },
  // No other file opens the transaction of a governed change and writes its audit entry.
  {
    at: 'lib/governance/govern.ts',
    may: ['lib/core/', 'lib/database/', 'lib/audit/', 'lib/governance/'],
  },
  {
    at: 'lib/governance/',
    may: ['lib/core/', 'lib/database/base.ts', 'lib/governance/'],
    mayType: [...transactions, 'lib/audit/'],
  },
  { at: 'lib/audit/', may: ['lib/core/', 'lib/database/base.ts', 'lib/audit/'], mayType: transactions },
  // A run records the version of the model that is in use at the submission, and every submission evaluates the
  // entitlements of the data. The pipeline therefore reads both.
  {
    at: 'lib/pipeline/',
    may: [
      'lib/core/',
      'lib/database/base.ts',
      'lib/database/primary-client.ts',
      'lib/database/queue-client.ts',
      'lib/audit/',
      'lib/governance/',
      'lib/models/registry/serving-version.query.ts',
      'lib/data/rights/permitted-input.query.ts',
      'lib/pipeline/',
    ],
    mayType: transactions,
  },
  {
    at: 'lib/models/registry/',
    may: ['lib/core/', 'lib/database/base.ts', 'lib/governance/', 'lib/access/', 'lib/models/registry/'],
    mayType: transactions,
  },
  ...['govern-in-session', 'challenges', 'oidc-flows'].map((name) => ({
    at: `lib/access/console/${name}.ts`,
    may: ['lib/core/', 'lib/database/', 'lib/governance/', 'lib/access/'],
  })),
  {
    at: 'lib/access/',
    may: ['lib/core/', 'lib/database/base.ts', 'lib/governance/', 'lib/access/'],
    mayType: transactions,
  },
  {
    at: 'lib/data/',
    may: [
      'lib/core/',
      'lib/numerics/',
      'lib/database/base.ts',
      'lib/database/copy.ts',
      'lib/governance/',
      'lib/access/',
      'lib/data/',
    ],
    mayType: transactions,
  },
  {
    at: 'lib/limits/',
    may: ['lib/core/', 'lib/database/base.ts', 'lib/limits/'],
    mayType: transactions,
  },
  {
    at: 'lib/ops/doctor/',
    may: ['lib/core/', 'lib/database/', 'lib/pipeline/', 'lib/runs.ts', 'lib/ops/doctor/'],
  },
  // Exports and imports of workspaces read and write whole tables, on connections of their own.
  {
    at: 'lib/cells/',
    may: ['lib/core/', 'lib/database/', 'lib/audit/', 'lib/governance/', 'lib/access/', 'lib/cells/'],
  },
  // The sample workspace is created with the commands of several products.
  {
    at: 'lib/sample/',
    may: ['lib/core/', 'lib/database/', ...ground, 'lib/<any>/', 'lib/sample/'],
  },
  { at: 'lib/ops/', may: ['lib/core/', 'lib/database/', 'lib/ops/'] },
  { at: 'lib/runs.ts', may: ['lib/core/', 'lib/<any>/'] },
  { at: 'lib/events/catalog.ts', may: ['lib/core/', ...declared] },
  {
    at: 'lib/<product>/',
    may: ['lib/core/', 'lib/numerics/', 'lib/database/base.ts', ...ground, ...products],
    mayType: transactions,
  },

  {
    at: 'api/http/',
    may: [
      'lib/core/',
      'lib/limits/',
      'lib/access/api-key.ts',
      'lib/access/access-token.ts',
      // Lists return CSV in the same format as the files that imports read.
      'lib/data/import/readers/csv-line.ts',
      'api/http/',
    ],
    mayType: [...transactions, 'lib/ops/', 'api/services.ts'],
  },
  { at: 'api/derive/', may: ['lib/core/', ...declared, 'api/http/', 'api/derive/'] },
  // MCP, the protocol for agents. This folder serves the tools that the catalog defines.
  {
    at: 'api/mcp/',
    may: [
      'lib/core/',
      'lib/agents/',
      'lib/database/orm.ts',
      'api/http/',
      'api/derive/',
      'api/services.ts',
      'api/tenant.ts',
      'api/mcp/',
    ],
    mayType: transactions,
  },
  {
    at: 'api/cli/shell/',
    may: ['lib/core/', 'lib/database/', ...ground, 'lib/client/', 'api/cli/shell/'],
  },
  ...['api/cli/main.ts', 'api/cli/operate/'].map((at) => ({
    at,
    may: [
      'lib/core/',
      'lib/database/',
      ...ground,
      'lib/runs.ts',
      'lib/client/',
      'lib/ops/doctor/',
      'lib/sample/',
      'lib/<any>/',
      'api/catalog.ts',
      'api/derive/',
      ...starting,
      'api/cli/',
    ],
  })),
  {
    at: 'api/cli/<product>/',
    may: [
      'lib/core/',
      'lib/database/',
      ...ground,
      'lib/runs.ts',
      'lib/client/',
      'lib/sample/',
      ...products,
      // A group of commands may contain commands of another product; each file of the group depends only on
      // the product of its own command.
      'api/cli/',
    ],
  },
  ...starting.map((at) => ({
    at,
    may: ['lib/core/', 'lib/database/', 'lib/audit/', 'lib/governance/', 'lib/trust/', ...starting],
  })),
  // The console's own scripts and its charts run in browsers, without the rest of the code.
  ...['api/console/browser/', 'api/console/charts/'].map((at) => ({ at, may: ['api/console/charts/', at] })),
  {
    at: 'api/console/',
    may: [
      'lib/core/',
      'lib/access/',
      // Pages call the same commands and queries as the command line.
      'lib/actions/',
      'lib/workflows/',
      'lib/pipeline/',
      'lib/audit/',
      'lib/trust/',
      'lib/limits/',
      'lib/infrastructure/',
      'lib/runs.ts',
      ...declared,
      'api/catalog.ts',
      'api/derive/',
      'api/http/',
      'api/services.ts',
      // The forms of new runs come from the requests of the operations that submit runs.
      'api/run-routes.ts',
      // The form of a model submits the same run as `POST /quant/models/{key}/run`.
      'api/quant/models/',
      'api/console/',
    ],
    mayType: ['lib/client/', 'lib/governance/', 'api/govern.ts'],
  },
  {
    at: 'api/catalog.ts',
    may: ['lib/core/', ...declared, 'api/<any>/', 'api/data-rights.ts'],
    mayType: ['api/derive/'],
  },
  // The public keys are served by a page, not by an operation.
  { at: 'api/pages/key-set.ts', may: ['lib/core/', 'lib/database/', 'lib/trust/', 'api/http/'] },
  ...['api/*.ts', 'api/process/', 'api/pages/'].map((at) => ({
    at,
    may: [
      'lib/core/',
      'lib/database/',
      'lib/limits/',
      'lib/access/',
      'lib/ops/',
      'lib/pipeline/',
      // Data entitlements are decided before every read of data, and the deployment file is checked at start.
      'lib/data/rights/',
      'lib/data/dataset-kind.ts',
      'lib/infrastructure/deployment/deployment.query.ts',
      'lib/governance/',
      ...declared,
      'api/http/',
      'api/derive/',
      'api/mcp/',
      'api/process/',
      'api/pages/',
      'api/*.ts',
    ],
  })),

  {
    at: 'api/<product>/',
    may: [
      'lib/core/',
      'lib/database/base.ts',
      ...ground,
      'lib/runs.ts',
      ...declared,
      ...products,
      'api/http/',
      'api/derive/',
      'api/runs.ts',
      'api/run-reads.ts',
      'api/run-operations.ts',
      'api/run-routes.ts',
      'api/services.ts',
      'api/refusal.ts',
      'api/as-of.ts',
      'api/compute.ts',
      'api/oauth.ts',
      'api/tenant.ts',
      'api/<own>/',
    ],
    mayType: transactions,
  },
  {
    at: 'workers/periodic/',
    may: [
      'lib/core/',
      'lib/database/',
      'lib/audit/',
      'lib/governance/',
      'lib/data/',
      'lib/pipeline/',
      'lib/actions/',
      'lib/forecasting/',
      'lib/ledger/',
      'lib/agents/',
      'lib/commercial/',
      'lib/events/',
      'workers/periodic/',
    ],
  },
  ...['workers/*.ts', 'workers/process/'].map((at) => ({
    at,
    may: ['lib/core/', 'lib/database/', 'lib/ops/', 'lib/pipeline/', 'lib/runs.ts', 'workers/'],
  })),
  // The steps of a workflow may request runs of any product, as API callers do.
  {
    at: 'workers/workflows/',
    may: ['lib/core/', 'lib/database/', ...ground, 'lib/runs.ts', 'lib/<any>/', 'workers/workflows/'],
  },
  // Scheduled work processes one workspace after another, in its own transactions.
  ...Object.keys(periodic).map((key) => ({
    at: `workers/*/${key.split('.')[1]}.ts`,
    may: ['lib/core/', 'lib/database/', ...ground, ...products, 'workers/<own>/'],
  })),
  // Calls to a provider are made between two transactions.
  {
    at: 'workers/qlms/provider-calls.ts',
    may: ['lib/core/', 'lib/database/', ...ground, ...products, 'workers/<own>/'],
  },
  {
    at: 'workers/<product>/',
    may: [
      'lib/core/',
      'lib/numerics/',
      ...ground,
      ...products,
      'workers/<own>/',
      'workers/process/runner.ts',
      'workers/process/rounds.ts',
    ],
    mayType: transactions,
  },
];

export const exceptions: readonly Exception[] = [
  {
    from: 'api/console/runs/seasonal-panels.ts',
    to: 'lib/numerics/anomaly/seasonal-remainder.ts',
    reason: 'The page draws the decomposition of a sealed series, which the run computed but did not seal.',
  },
  {
    from: 'workers/infrastructure/upkeep.ts',
    to: 'lib/products.ts',
    reason: 'the controls compare the catalog of the database with the declared tables of all products',
  },
  {
    from: 'workers/infrastructure/build-exports.ts',
    to: 'lib/runs.ts',
    reason: 'lineage shows the runs of any product, each with the scope of its kind',
  },
  {
    from: 'workers/infrastructure/measure-storage.ts',
    to: 'lib/products.ts',
    reason: 'the stored bytes of an environment are measured in the declared tables of all products',
  },
  {
    from: 'api/cli/access/person.ts',
    to: 'lib/actions/authority/change-person.command.ts',
    reason: 'a departing person loses grants of authority, which belong to the product of actions',
  },
  {
    from: 'api/cli/access/workspace.ts',
    to: 'lib/actions/authority/add-workspace.command.ts',
    reason: 'a new workspace receives the approval rules of the product of actions',
  },
  {
    from: 'api/cli/research/feature-materialise.ts',
    to: 'api/process/child.ts',
    reason: 'the command runs the materialisation in a process of its own',
  },
  {
    from: 'api/cli/investment/portfolio-risk.ts',
    to: 'api/compute.ts',
    reason: 'the command computes in a thread, as the API does, and loads no numerics itself',
  },
  {
    from: 'lib/workflows/catalogue/library-items.query.ts',
    to: 'lib/runs.ts',
    reason: 'the items of the library are checked against the runs that a workflow may start',
  },
  {
    from: 'lib/workflows/admit-run.command.ts',
    to: 'lib/runs.ts',
    reason: 'a workflow can start the runs of any product, and needs the scopes of those that it starts',
  },
  {
    from: 'lib/ledger/staging.write.ts',
    to: 'lib/database/copy.ts',
    reason: 'transactions belong to a tenant and arrive in bulk, as observations do',
  },
  {
    from: 'lib/investment/portfolios/event-staging.write.ts',
    to: 'lib/database/copy.ts',
    reason: 'events of portfolios belong to a tenant and arrive in bulk, as transactions do',
  },
  {
    from: 'lib/pipeline/stored-part.query.ts',
    to: 'lib/database/copy.ts',
    reason: 'parts of runs are read as bytes',
  },
  {
    from: 'api/http/problem.ts',
    to: 'lib/database/transient.ts',
    reason: 'a transient database error answers 503, and only the database code identifies them',
  },
];

/**
 * Returns imports that the table does not allow, exceptions that are not needed, and files that no row
 * matches.
 */
export function layerFaults(
  sources: readonly Source[],
  table: readonly Layer[] = layers,
  allowed: readonly Exception[] = exceptions,
): string[] {
  const rows = table.map(({ at, ...row }) => ({ ...row, holds: patternOf(at, table) }));
  const faults: string[] = [];
  const needed = new Set<Exception>();
  for (const source of sources) {
    const row = rows.find(({ holds }) => holds.test(source.path));
    if (!row) faults.push(`${source.path} is in no row of the table`);
    for (const { to, isOurs, isTypeOnly } of row ? importsOf(source) : []) {
      if (!isOurs || !/^(api|lib|workers)\//.test(to)) continue;
      const may = isTypeOnly ? [...row!.may, ...(row!.mayType ?? [])] : row!.may;
      if (may.some((place) => patternOf(place, table, source.path).test(to))) continue;
      const exception = allowed.find((each) => each.from === source.path && each.to === to);
      if (exception) needed.add(exception);
      else faults.push(`${source.path} imports ${isTypeOnly ? 'types of ' : ''}${to}`);
    }
  }
  const idle = allowed.filter((each) => !needed.has(each));
  return [...faults, ...idle.map(({ from, to }) => `nothing needs the exception ${from} -> ${to}`)];
}

/**
 * Returns a pattern that matches the paths of a place. `<own>` stands for the folders of the importer's product, and
 * `<used>` for the folders of the products that it uses.
 */
export function patternOf(place: string, table: readonly Layer[], importer = ''): RegExp {
  const [root] = place.split('/');
  const taken = table.flatMap(({ at }) =>
    at.startsWith(`${root}/`) ? (/^\w+\/(\w+)\/$/.exec(at)?.[1] ?? []) : [],
  );
  const body = place
    .replaceAll('.', '\\.')
    .replace('*', '[^/]+')
    .replace('<own>', oneOf(ownFolders(importer)))
    .replace('<used>', oneOf(usedBy(importer)))
    .replace(/<product>|<any>/, `(?!${oneOf(taken)}/)[^/]+`);
  return new RegExp(place.endsWith('/') ? `^${body}` : `^${body}$`);
}

/** Returns the folders of a file's product, or the file's own folder if no manifest names the file. */
function ownFolders(file: string): readonly string[] {
  const manifest = manifestOf(file);
  return manifest ? foldersOf(manifest) : [file.split('/')[1] ?? ''];
}

function oneOf(folders: readonly string[]): string {
  return `(?:${folders.join('|') || '(?!)'})`;
}
