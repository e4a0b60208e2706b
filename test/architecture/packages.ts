import { patternOf } from './layers.ts';
import { importsOf, type Source } from './source.ts';

/**
 * The places where a package may be used. Packages that are not listed may be used everywhere. Types of any
 * package may be used everywhere.
 */
export const packagePlaces: Readonly<Record<string, readonly string[]>> = {
  'ml-matrix': [
    'lib/numerics/',
    'lib/forecasting/methods/',
    'lib/forecasting/reconciliation/',
    'lib/models/',
    'lib/investment/',
    'lib/quant/',
  ],
  // The command line prints runs with this package; no sealed result uses it.
  'simple-statistics': ['api/cli/'],
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
  'hyparquet-writer': ['lib/data/column-file.ts'],
  'pg-copy-streams': ['lib/database/copy.ts', 'lib/database/backup/', 'lib/cells/'],
  'tar-stream': ['lib/database/backup/'],
  ioredis: ['lib/core/redis.ts', 'lib/pipeline/'],
  piscina: ['workers/process/threads.ts', 'api/compute.ts'],
  canonicalize: ['lib/core/seal.ts'],
  cockatiel: ['lib/ai/provider/'],
  'eventsource-parser': ['lib/ai/provider/'],
  undici: [
    'lib/core/public-agent.ts',
    'lib/events/webhook/sender.ts',
    'lib/ai/provider/',
    'lib/access/oidc/provider-fetch.ts',
  ],
  'openid-client': ['lib/access/oidc/provider.ts'],
  pino: ['lib/core/log.ts'],
};

/** Returns packages that are used where they are not allowed, or that `package.json` does not list. */
export function packageFaults(
  sources: readonly Source[],
  dependencies: readonly string[],
  places: Readonly<Record<string, readonly string[]>> = packagePlaces,
): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter(({ to, isOurs }) => !isOurs && !to.startsWith('node:'))
      .flatMap(({ to, isTypeOnly }) => {
        if (!dependencies.includes(to)) return [`${source.path} imports ${to}, which is not a dependency`];
        const place = places[to];
        if (!place || isTypeOnly || place.some((each) => patternOf(each, []).test(source.path))) return [];
        return [`${source.path} imports ${to}, whose place is ${place.join(', ')}`];
      }),
  );
}
