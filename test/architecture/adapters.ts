import { codeOf, importsOf, type Source } from './source.ts';

/**
 * Adapters parse the request, call an operation, a run, a command or a query, and present the result. They
 * open no transaction, contain no SQL and write no audit entry. The command line never passes its transaction
 * to other code. API handlers may pass their transaction to queries.
 */
const forbidden: readonly { at: RegExp; names: RegExp; imports: RegExp }[] = [
  {
    at: /^api\/cli\//,
    names: /\b(em|inTenant|inPlatform|appendAudits?|appendWorkspaceAudit|appendEverywhere)\b/,
    imports: /^(kysely|@mikro-orm\/.*|lib\/audit\/audit\.write\.ts|lib\/.*\.entity\.ts)$/,
  },
  {
    at: /^api\/(?!cli\/|http\/|derive\/|mcp\/|pages\/|process\/)[^/]+\//,
    names: /\bem\s*\.|\b(inTenant|inPlatform|appendAudits?)\b/,
    imports: /^(kysely|@mikro-orm\/.*|lib\/audit\/audit\.write\.ts|lib\/.*\.entity\.ts)$/,
  },
];

/** The only file of the command line that opens the database. It does so for every command. */
const shell = ['api/cli/shell/operator.ts'];

/** Returns the uses of the database in adapters, one per line. */
export function databaseUses(sources: readonly Source[], allowed: readonly string[] = shell): string[] {
  return sources
    .filter(({ path }) => !allowed.includes(path))
    .flatMap((source) => {
      const rule = forbidden.find(({ at }) => at.test(source.path));
      if (!rule) return [];
      const named = codeOf(source.text)
        .split('\n')
        .flatMap((line, at) => {
          const found = rule.names.exec(line);
          return found ? [`${source.path}:${at + 1} ${found[0]}`] : [];
        });
      const imported = importsOf(source)
        .filter(({ to, isTypeOnly }) => !isTypeOnly && rule.imports.test(to))
        .map(({ to }) => `${source.path} imports ${to}`);
      return [...named, ...imported];
    });
}
