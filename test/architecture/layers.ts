import { importsOf, type Source } from './source.ts';

/**
 * A part of the tree and what it may import. A place is a file, a folder with all below it (`lib/core/`), or the files
 * of a folder itself (`api/*.ts`). `<product>` is any folder that no other row names; in `may` it is written `<own>`
 * for the importing file's product and `<any>` for all. What only `mayType` allows is `import type`: it loads no code,
 * it names what is handed over.
 */
export type Layer = { at: string; may: readonly string[]; mayType?: readonly string[] };

/** One import that the table forbids and that is meant all the same. */
export type Exception = { from: string; to: string; reason: string };

/** What every product stands on. */
const ground = [
  'lib/audit/',
  'lib/governance/',
  'lib/pipeline/',
  'lib/registry/',
  'lib/workspace/',
  'lib/data/',
];

/** `Em`, `Orm`, `Tenant`: what transactions are written against. The code that opens them is not loaded with it. */
const transactions = ['lib/database/'];

/** From the most special to the most general: a file is of the first row that holds it. */
export const layers: readonly Layer[] = [
  { at: 'lib/core/', may: ['lib/core/'] },
  { at: 'lib/numerics/', may: ['lib/numerics/'] },
  // What callers use stands on the contract alone.
  { at: 'lib/client/', may: ['lib/client/'] },
  { at: 'lib/database/base.ts', may: ['lib/core/'] },
  { at: 'lib/database/entities.ts', may: [...ground, 'lib/<any>/'] },
  { at: 'lib/database/', may: ['lib/core/', 'lib/database/'] },
  // The one place that opens the transaction of a governed change, and writes its audit entry.
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
  // A run is written under the version of its model that serves.
  {
    at: 'lib/pipeline/',
    may: [
      'lib/core/',
      'lib/database/base.ts',
      'lib/audit/',
      'lib/governance/',
      'lib/models/registry/model.repository.ts',
      'lib/pipeline/',
    ],
    mayType: transactions,
  },
  {
    at: 'lib/registry/',
    may: ['lib/core/', 'lib/database/base.ts', 'lib/governance/', 'lib/workspace/', 'lib/registry/'],
    mayType: transactions,
  },
  {
    at: 'lib/workspace/',
    may: ['lib/core/', 'lib/database/base.ts', 'lib/governance/', 'lib/workspace/'],
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
      'lib/workspace/',
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
  // A product-level composition over the commands of several products.
  {
    at: 'lib/sample/',
    may: ['lib/core/', 'lib/database/', ...ground, 'lib/<any>/', 'lib/sample/'],
  },
  { at: 'lib/ops/', may: ['lib/core/', 'lib/database/', 'lib/ops/'] },
  { at: 'lib/runs.ts', may: ['lib/core/', 'lib/<any>/'] },
  {
    at: 'lib/<product>/',
    may: ['lib/core/', 'lib/numerics/', 'lib/database/base.ts', ...ground, 'lib/<own>/'],
    mayType: transactions,
  },

  {
    at: 'api/http/',
    may: [
      'lib/core/',
      'lib/limits/',
      'lib/access/api-key.ts',
      'lib/access/access-token.ts',
      // Lists are written as the files of imports are.
      'lib/data/import/readers/csv-line.ts',
      'api/http/',
    ],
    mayType: [...transactions, 'lib/ops/', 'api/services.ts'],
  },
  { at: 'api/derive/', may: ['lib/core/', 'api/http/', 'api/derive/'] },
  // The protocol of agents over the tools that are read off the catalog.
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
    at: 'api/cli/',
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
      'api/process/',
      'api/cli/',
    ],
  },
  // Starts the processes of Assay, and watches over them.
  {
    at: 'api/process/',
    may: ['lib/core/', 'lib/database/', 'lib/audit/', 'lib/governance/', 'lib/trust/', 'api/process/'],
  },
  { at: 'api/catalog.ts', may: ['lib/core/', 'api/<any>/'], mayType: ['api/derive/'] },
  {
    at: 'api/<product>/',
    may: [
      'lib/core/',
      'lib/database/base.ts',
      ...ground,
      'lib/runs.ts',
      'lib/<own>/',
      'api/http/',
      'api/derive/',
      'api/runs.ts',
      'api/run-reads.ts',
      'api/run-operations.ts',
      'api/services.ts',
      'api/refusal.ts',
      'api/as-of.ts',
      'api/oauth.ts',
      'api/tenant.ts',
      'api/<own>/',
    ],
    mayType: transactions,
  },
  // The public halves of the keys are a page of the service, no operation.
  { at: 'api/pages/key-set.ts', may: ['lib/core/', 'lib/database/', 'lib/trust/', 'api/http/'] },
  {
    at: 'api/*.ts',
    may: [
      'lib/core/',
      'lib/database/',
      'lib/limits/',
      'lib/workspace/',
      'lib/ops/',
      'lib/pipeline/',
      'lib/governance/',
      'api/http/',
      'api/derive/',
      'api/mcp/',
      'api/pages/published-operations.json',
      'api/*.ts',
    ],
  },

  {
    at: 'workers/maintenance/',
    may: [
      'lib/core/',
      'lib/database/',
      'lib/audit/',
      'lib/governance/',
      'lib/data/',
      'lib/pipeline/',
      'lib/actions/',
      'lib/planning/',
      'lib/agents/',
      'lib/commercial/',
      'lib/events/',
      'workers/maintenance/',
    ],
  },
  { at: 'workers/forecasting/forecast-scoring.ts', may: ['lib/core/', 'lib/database/', 'lib/planning/'] },
  {
    at: 'workers/planning/',
    may: [
      'lib/core/',
      'lib/numerics/',
      ...ground,
      'lib/planning/',
      'workers/planning/',
      'workers/process/runner.ts',
    ],
    mayType: transactions,
  },
  // It reads what one product tells, and has another put it into words.
  {
    at: 'workers/intelligence/',
    may: ['lib/core/', 'lib/database/', 'lib/intelligence/', 'lib/ai/'],
  },
  // Housekeeping too: it goes from workspace to workspace, in transactions of its own.
  { at: 'workers/research/feature-materialisation.ts', may: ['lib/core/', 'lib/database/', 'lib/data/'] },
  // As every other product; it is named because the row above takes its folder out of theirs.
  {
    at: 'workers/quant/',
    may: [
      'lib/core/',
      'lib/numerics/',
      ...ground,
      'lib/quant/',
      'workers/quant/',
      'workers/process/runner.ts',
    ],
    mayType: transactions,
  },
  // Housekeeping; and the steps of a workflow ask for the runs of any product, as their API would.
  {
    at: 'workers/workflows/',
    may: ['lib/core/', 'lib/database/', ...ground, 'lib/runs.ts', 'lib/<any>/', 'workers/workflows/'],
  },
  // A pack places the entries that it is about, of which events are made.
  {
    at: 'workers/trust/',
    may: [
      'lib/core/',
      'lib/numerics/',
      ...ground,
      'lib/trust/',
      'lib/events/',
      'workers/trust/',
      'workers/process/runner.ts',
    ],
    mayType: transactions,
  },
  // Models are made from what research sealed, and its seals are checked first.
  {
    at: 'workers/modeling/',
    may: [
      'lib/core/',
      'lib/numerics/',
      ...ground,
      'lib/modeling/',
      'lib/quant/',
      'workers/modeling/',
      'workers/process/runner.ts',
    ],
    mayType: transactions,
  },
  {
    at: 'workers/<product>/',
    may: [
      'lib/core/',
      'lib/numerics/',
      ...ground,
      'lib/<own>/',
      'workers/<own>/',
      'workers/process/runner.ts',
    ],
    mayType: transactions,
  },
  {
    at: 'workers/*.ts',
    may: ['lib/core/', 'lib/database/', 'lib/ops/', 'lib/pipeline/', 'lib/runs.ts', 'workers/'],
  },
];

export const exceptions: readonly Exception[] = [
  {
    from: 'lib/workflows/admit-run.command.ts',
    to: 'lib/runs.ts',
    reason: 'a workflow can start the runs of any product, and needs the scopes of those that it starts',
  },
  {
    from: 'lib/ledger/staging.repository.ts',
    to: 'lib/database/copy.ts',
    reason: 'transactions are of a tenant and come in bulk, as observations do',
  },
  {
    from: 'lib/pipeline/run-part.repository.ts',
    to: 'lib/database/copy.ts',
    reason: 'parts of runs are read as bytes',
  },
  {
    from: 'api/research/quant/statistical-models.ts',
    to: 'lib/forecasting/statistical-models.ts',
    reason: 'the interface lists the methods of forecasts among the models of Quant',
  },
  {
    from: 'api/http/problem.ts',
    to: 'lib/database/transient.ts',
    reason: 'an error of the database that may pass answers 503, and only the database knows which those are',
  },
];

/** Where a package may be used; packages that are not listed are free. Types of it may be named anywhere. */
export const packagePlaces: Readonly<Record<string, readonly string[]>> = {
  'ml-matrix': ['lib/numerics/'],
  'simple-statistics': ['api/cli/demo.ts'],
  koa: ['api/', 'lib/ops/'],
  '@modelcontextprotocol/server': ['api/mcp/'],
  '@koa/router': ['api/', 'lib/ops/'],
  'openapi-fetch': ['lib/client/'],
  'prom-client': ['lib/ops/'],
  '@opentelemetry/api': ['lib/core/tracing.ts', 'api/http/tracing.ts', 'workers/process/process.ts'],
  'raw-body': ['api/http/'],
  '@koa/cors': ['api/http/cross-origin.ts'],
  '@bull-board/api': ['api/process/ops.ts'],
  '@bull-board/koa': ['api/process/ops.ts'],
  commander: ['api/cli/'],
  'cli-table3': ['api/cli/'],
  'cli-progress': ['api/cli/'],
  bullmq: ['lib/pipeline/', 'lib/database/migrate.ts', 'workers/process/process.ts'],
  'hyparquet-writer': ['lib/quant/'],
  'pg-copy-streams': ['lib/database/copy.ts', 'lib/database/backup/'],
  'tar-stream': ['lib/database/backup/'],
  ioredis: ['lib/pipeline/', 'lib/limits/'],
  piscina: ['workers/process/threads.ts'],
  canonicalize: ['lib/core/seal.ts'],
  cockatiel: ['lib/ai/provider/'],
  'eventsource-parser': ['lib/ai/provider/'],
  undici: ['lib/core/public-agent.ts', 'lib/events/webhook/sender.ts', 'lib/ai/provider/'],
  pino: ['lib/core/log.ts'],
};

/** Imports that the table does not allow, exceptions that nothing needs, and files that no row holds. */
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
      if (may.some((place) => patternOf(place, table, productOf(source.path)).test(to))) continue;
      const exception = allowed.find((each) => each.from === source.path && each.to === to);
      if (exception) needed.add(exception);
      else faults.push(`${source.path} imports ${isTypeOnly ? 'types of ' : ''}${to}`);
    }
  }
  const idle = allowed.filter((each) => !needed.has(each));
  return [...faults, ...idle.map(({ from, to }) => `nothing needs the exception ${from} -> ${to}`)];
}

/** Packages that are used where they have no place, or that `package.json` does not list. */
export function packageFaults(
  sources: readonly Source[],
  dependencies: readonly string[],
  places: Readonly<Record<string, readonly string[]>> = packagePlaces,
): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter(({ to, isOurs }) => !isOurs && !to.startsWith('node:'))
      .flatMap(({ to, isTypeOnly }) => {
        if (!dependencies.includes(to)) return [`${source.path} imports ${to}, which is no dependency`];
        const place = places[to];
        if (!place || isTypeOnly || place.some((each) => patternOf(each, []).test(source.path))) return [];
        return [`${source.path} imports ${to}, whose place is ${place.join(', ')}`];
      }),
  );
}

/** The folder behind `api/`, `lib/` or `workers/`. */
function productOf(path: string): string {
  return path.split('/')[1]!;
}

function patternOf(place: string, table: readonly Layer[], own = ''): RegExp {
  const [root] = place.split('/');
  const named = table.map(({ at }) => at.split('/')).filter((at) => at[0] === root && at.length > 2);
  const taken = named.map(([, folder]) => folder).filter((folder) => folder !== '<product>');
  const body = place
    .replaceAll('.', '\\.')
    .replace('*', '[^/]+')
    .replace('<own>', own)
    .replace(/<product>|<any>/, `(?!(?:${taken.join('|')})/)[^/]+`);
  return new RegExp(place.endsWith('/') ? `^${body}` : `^${body}$`);
}
