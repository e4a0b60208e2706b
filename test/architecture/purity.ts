import { reachedFrom } from './graph.ts';
import { importsOf, occurrences, type Source } from './source.ts';

/** A file or folder in which `what` is permitted although the checks otherwise forbid it, with the reason. */
export type Permit = { at: string; what: string; reason: string };

/**
 * Packages whose functions have side effects or read more than their arguments: the database, the queue,
 * files, the network, randomness, processes.
 */
const EFFECTS =
  /^(@mikro-orm\/.*|kysely|pg|pg-copy-streams|bullmq|ioredis|piscina|koa|@koa\/router|pino|node:(?!(?:assert|buffer|path|url|util)$).*)$/;

/** Hashing has no side effect. Pure code may hash only with the functions of `lib/core/seal.ts`. */
export const SEAL = 'lib/core/seal.ts';

/**
 * Whether a file must be pure: no module that it loads, directly or indirectly, may have a side effect.
 * Rules, models and all numerics must be pure: every file of `lib/<product>/` except entities, lists of
 * entities, queries, writes, runs and commands. The client of the API is excluded.
 */
export function isPure(path: string): boolean {
  return (
    /^lib\/(?!client\/|core\/|database\/)[^/]+\/.+\.ts$/.test(path) &&
    !/\.(entity|query|write|run|command)\.ts$|\/entities\.ts$/.test(path)
  );
}

export const impure: readonly Permit[] = [
  {
    at: 'lib/governance/govern.ts',
    what: 'imports',
    reason: 'it opens the transaction of a governed change and receives the rule as an argument',
  },
  {
    at: 'lib/access/console/govern-in-session.ts',
    what: 'imports',
    reason: 'it carries out a governed change after the check of the proof, which is a change as well',
  },
  {
    at: 'lib/access/console/challenges.ts',
    what: 'imports',
    reason: 'it issues challenges, and is not a rule',
  },
  {
    at: 'lib/access/console/oidc-flows.ts',
    what: 'imports',
    reason: 'it calls the identity provider between two changes, and is not a rule',
  },
  {
    at: 'lib/actions/authority/',
    what: 'imports',
    reason: 'the check of a kind reads the records in force; its decision is in pure functions',
  },
  {
    at: 'lib/audit/log-file.ts',
    what: 'imports',
    reason: 'it writes and reads the file of an exported log',
  },
  {
    at: 'lib/cells/',
    what: 'imports',
    reason:
      'it copies a workspace between databases, from end to end; the rule of a move is in `move-state.ts`',
  },
  {
    at: 'lib/data/import/',
    what: 'imports',
    reason: 'an import reads a file and writes rows, from end to end',
  },
  {
    at: 'lib/pipeline/queue.ts',
    what: 'imports',
    reason: 'it is the interface to the queue, and not a rule',
  },
  {
    at: 'lib/pipeline/queues.ts',
    what: 'imports',
    reason: 'as the interface that it opens for a while',
  },
  {
    at: 'lib/pipeline/redis-facts.ts',
    what: 'imports',
    reason: 'it reads the configuration of a Redis, and is not a rule',
  },
  {
    at: 'lib/pipeline/notices.ts',
    what: 'imports',
    reason: 'it is the connection that receives the ends of runs, and not a rule',
  },
  {
    at: 'lib/events/webhook/sender.ts',
    what: 'imports',
    reason: 'it is the interface to the receivers of webhooks, and not a rule',
  },
  {
    at: 'lib/events/webhook/signature.ts',
    what: 'imports',
    reason: 'a secret is random; a signature is a hash with it',
  },
  {
    at: 'lib/sample/',
    what: 'imports',
    reason: 'it creates its records by commands, which contain the rules',
  },
  {
    at: 'lib/ops/',
    what: 'imports',
    reason: "it is the operators' listener, and not a rule",
  },
  {
    at: 'lib/access/provision.ts',
    what: 'imports',
    reason: 'it creates the records of the operator; its callers check permissions',
  },
  {
    at: 'lib/access/secret.ts',
    what: 'imports',
    reason: 'a secret is random; reading one is pure',
  },
  {
    at: 'lib/access/api-key.ts',
    what: 'imports',
    reason: 'as the secret in it',
  },
  {
    at: 'lib/access/access-token.ts',
    what: 'imports',
    reason: 'as the secret in it',
  },
  {
    at: 'lib/access/console/session-secret.ts',
    what: 'imports',
    reason: 'as the secret in it',
  },
  {
    at: 'lib/access/console/offered-codes.ts',
    what: 'imports',
    reason: 'as the secret in it',
  },
  {
    at: 'lib/access/passkeys/',
    what: 'imports',
    reason: 'the check of a signature uses cryptography, and reads nothing but its arguments',
  },
  {
    at: 'lib/access/oidc/',
    what: 'imports',
    reason: 'it is the interface to the identity provider; its rules read nothing but their arguments',
  },
  {
    at: 'lib/actions/delegations/signed-vote.ts',
    what: 'imports',
    reason: 'as the signature in it',
  },
  {
    at: 'lib/actions/delegations/vote-document.ts',
    what: 'imports',
    reason: 'as the signatures in it',
  },
  {
    at: 'lib/access/oauth-client.ts',
    what: 'imports',
    reason: 'as the secret in it',
  },
  {
    at: 'lib/ai/provider/',
    what: 'imports',
    reason: 'it is the interface to AI providers, and not a rule',
  },
  {
    at: 'lib/limits/redis-rates.ts',
    what: 'imports',
    reason: 'it is the interface to the count in Redis, and not a rule',
  },
];

/** Returns the forbidden modules that a pure file loads, directly or indirectly. */
export function impureImports(sources: readonly Source[], permits: readonly Permit[] = impure): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const faults: string[] = [];
  const excused = new Set<string>();
  for (const { path } of sources.filter((source) => isPure(source.path))) {
    const reached = reachedFrom(sources, [path], { stopAt: [SEAL] });
    const effects = [...reached]
      .filter((file) => file !== SEAL)
      .flatMap((file) =>
        importsOf(byPath.get(file)!)
          .filter(({ to, isOurs, isTypeOnly }) => !isOurs && !isTypeOnly && EFFECTS.test(to))
          .map(({ to }) => (file === path ? to : `${to} through ${file}`)),
      );
    const permit = permits.find((each) => holds(each, path));
    if (permit) {
      if (effects.length) excused.add(permit.at);
    } else faults.push(...new Set(effects.map((effect) => `${path} reaches ${effect}`)));
  }
  return [...faults, ...idle(permits, ({ at }) => excused.has(at))];
}

/** The expressions by which code reads the time, randomness and the environment. */
const AMBIENT = new RegExp(
  [
    String.raw`\bDate\.now\b`,
    String.raw`\bnew Date\(\s*\)`,
    String.raw`(?<!new )\bDate\(`,
    String.raw`\bMath\.random\b`,
    String.raw`\bprocess\.env\b`,
    String.raw`\brandom(?:Bytes|Int|UUID|UUIDv7|Fill|FillSync)\(`,
    String.raw`\bgetRandomValues\b`,
  ].join('|'),
  'g',
);

export const ambient: readonly Permit[] = [
  { at: 'lib/core/clock.ts', what: 'new Date()', reason: 'the only clock; all other code receives it' },
  { at: 'lib/core/log.ts', what: 'new Date()', reason: 'a line of the log contains its time' },
  { at: 'lib/core/config.ts', what: 'process.env', reason: 'the only reader of the environment' },
  { at: 'lib/core/encryption.ts', what: 'randomBytes(', reason: 'the nonce of a cipher' },
  { at: 'lib/core/envelope-encryption.ts', what: 'randomBytes(', reason: 'the key of one secret' },
  { at: 'lib/core/id.ts', what: 'randomUUIDv7(', reason: 'the only maker of public ids' },
  { at: 'lib/access/secret.ts', what: 'randomInt(', reason: 'the secret of a key, client or token' },
  { at: 'lib/core/seed.ts', what: 'randomInt(', reason: 'the seed of a run without one' },
  { at: 'lib/cells/export-workspace.ts', what: 'randomBytes(', reason: 'the one-time secret of an export' },
  { at: 'lib/events/webhook/signature.ts', what: 'randomBytes(', reason: 'the secret of a webhook' },
  {
    at: 'workers/periodic/deliver-webhooks.ts',
    what: 'randomInt(',
    reason: 'attempts that failed together must not be retried together',
  },
  { at: 'lib/ops/usage-tally.ts', what: 'randomUUID(', reason: 'a name that no other process has' },
  { at: 'lib/client/sender.ts', what: 'randomUUID(', reason: 'a key that no other request has' },
  {
    at: 'lib/client/retry.ts',
    what: 'Math.random',
    reason: 'callers that were rejected together must not return together',
  },
  { at: 'lib/database/embedded/data.ts', what: 'randomBytes(', reason: 'the password of a new cluster' },
  { at: 'lib/database/embedded/lease.ts', what: 'randomBytes(', reason: 'a name that no other holder has' },
  {
    at: 'api/process/server.ts',
    what: 'randomBytes(',
    reason: 'a password for the operators where none is set',
  },
  {
    at: 'api/cli/operate/serve.ts',
    what: 'randomBytes(',
    reason: 'a password for the operators where none is set',
  },
  { at: 'api/process/stack.ts', what: 'process.env', reason: 'child processes inherit the environment' },
  {
    at: 'api/process/compile.ts',
    what: 'process.env',
    reason: 'child processes write to the folder of compiled code',
  },
  {
    at: 'api/process/run-here.ts',
    what: 'process.env',
    reason: 'child processes inherit the environment',
  },
  { at: 'api/cli/main.ts', what: 'process.env', reason: 'the stack of an error is printed for debugging' },
];

/**
 * Returns the locations, as `path:line`, that read the time, randomness or the environment without a permit.
 */
export function ambientUses(sources: readonly Source[], permits: readonly Permit[] = ambient): string[] {
  return forbidden(sources, AMBIENT, permits);
}

/**
 * Uses of a date that are forbidden in pure code even with an argument: local time, and texts that depend on
 * local time.
 */
const DATES = /\bnew Date\(|\bDate\.(?:now|parse)\b|\bperformance\.now\b/g;

export function datesInPureCode(sources: readonly Source[], permits: readonly Permit[] = impure): string[] {
  return forbidden(
    sources.filter(({ path }) => isPure(path) && !permits.some((permit) => holds(permit, path))),
    DATES,
    [],
  );
}

/** Functions of `Math` whose result the language specification fixes to the bit. */
const EXACT = 'abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc';

/**
 * Operations whose result differs between engines, versions or locales, or whose order is not specified. A
 * typed array sorts by number. Every other array without a comparator sorts by text.
 */
const UNSTABLE = new RegExp(
  [
    String.raw`\*\*`,
    String.raw`\bMath\b(?!\.(?:${EXACT})\b)`,
    String.raw`\.(?:localeCompare|toFixed|toPrecision|toExponential|toLocale\w*)\b`,
    String.raw`\bIntl\b`,
    String.raw`\bfor\s*\([^;)]*\bin\b`,
    String.raw`(?<!(?:Float|Int|Uint|BigInt|BigUint)\d+Array(?:\.from|\.of)?\([^;]*)\.(?:sort|toSorted)\(\s*\)`,
  ].join('|'),
  'g',
);

export const unstable: readonly Permit[] = [
  {
    at: 'lib/core/seal.ts',
    what: '.sort()',
    reason: 'RFC 8785 requires member names in code-unit order',
  },
  { at: 'lib/core/money.ts', what: '**', reason: 'a power of integers is exact' },
  { at: 'lib/core/decimal.ts', what: '**', reason: 'a power of integers is exact' },
  {
    at: 'lib/data/taxonomy.ts',
    what: '.sort()',
    reason: 'the hash is defined over lines in code-unit order',
  },
];

/** Folders and files whose results may be sealed, in addition to the files that computations load. */
const SEALED = /^lib\/numerics\/|^lib\/investment\/|^lib\/core\/(?:seal|date)\.ts$/;

/** Returns the files whose results are sealed: the list above, and all files that a job's computation loads. */
export function sealedFiles(sources: readonly Source[]): Set<string> {
  const paths = sources.map(({ path }) => path);
  const computations = paths.filter((path) => /^workers\/.+\.compute\.ts$/.test(path));
  return new Set([...paths.filter((path) => SEALED.test(path)), ...reachedFrom(sources, computations)]);
}

/**
 * Returns the locations, as `path:line`, at which sealed code uses an operation whose result is not the same
 * on every engine.
 */
export function unstableOperations(
  sources: readonly Source[],
  permits: readonly Permit[] = unstable,
): string[] {
  const sealed = sealedFiles(sources);
  return forbidden(
    sources.filter(({ path }) => sealed.has(path)),
    UNSTABLE,
    permits,
  );
}

function forbidden(sources: readonly Source[], pattern: RegExp, permits: readonly Permit[]): string[] {
  const needed = new Set<Permit>();
  const faults = sources.flatMap((source) =>
    occurrences(source, pattern).flatMap(({ at, text }) => {
      const permit = permits.find((each) => each.at === source.path && each.what === text);
      if (permit) needed.add(permit);
      return permit ? [] : [`${at} ${text}`];
    }),
  );
  return [...faults, ...idle(permits, (permit) => needed.has(permit))];
}

/** Reports unused permits, because an unused permit would hide the next fault. */
function idle(permits: readonly Permit[], isNeeded: (permit: Permit) => boolean): string[] {
  return permits.filter((permit) => !isNeeded(permit)).map(({ at, what }) => `${at} no longer needs ${what}`);
}

function holds({ at }: Permit, path: string): boolean {
  return at.endsWith('/') ? path.startsWith(at) : path === at;
}
