import type { RoleLimit } from '#lib/database/time-limits.ts';
import { allWell, fault, ok, type Finding } from './finding.ts';

const MAJOR_MIN = 15;
const MIGRATE = 'run `npm run assay -- migrate` with the URL of the owner';

export type RoleFacts = {
  name: string;
  exists: boolean;
  powers: readonly string[];
  /** The time limits that the role should have behind a pooler and has not. */
  unlimited: readonly { limit: RoleLimit; ms: number }[];
};
export type TableFacts = { name: string; enabled: boolean; forced: boolean; policies: number };

export type DatabaseFacts = {
  /** The version of the server, such as `18.4`. */
  version: string;
  roles: readonly RoleFacts[];
  /** Whether a pooler is between the processes and PostgreSQL. */
  isPooled: boolean;
  /**
   * Migrations of this release that the database lacks; undefined if the database's list of migrations is unreadable.
   */
  pending: readonly string[] | undefined;
  /** The names of the tables that should exist. */
  expected: readonly string[];
  tables: readonly TableFacts[];
};

/** Returns the findings about the database. If the database does not answer, the only finding is the reason. */
export function judgeDatabase(facts: DatabaseFacts | { error: string }): Finding[] {
  if ('error' in facts) {
    return [
      fault('database', facts.error, 'start PostgreSQL, and check DATABASE_URL and the role passwords'),
    ];
  }
  return [
    judgeVersion(facts.version),
    ...judgeRoles(facts.roles),
    ...(facts.isPooled ? judgeLimits(facts.roles) : []),
    judgeMigrations(facts.pending),
    ...judgeTables(facts.expected, facts.tables),
  ];
}

function judgeVersion(version: string): Finding {
  const seen = `PostgreSQL ${version}`;
  return Number.parseInt(version, 10) >= MAJOR_MIN
    ? ok('database', seen)
    : fault('database', seen, `upgrade to PostgreSQL ${MAJOR_MIN} or newer`);
}

function judgeRoles(roles: readonly RoleFacts[]): Finding[] {
  const findings = roles.flatMap(({ name, exists, powers }) => {
    if (!exists) return [fault('roles', `there is no role ${name}`, MIGRATE)];
    if (powers.length === 0) return [];
    const remedy = `as superuser: alter role "${name}" nosuperuser nobypassrls nocreaterole nocreatedb noreplication; revoke its memberships; give its tables to the owner`;
    return [fault('roles', `${name} may do more than it should: ${powers.join(', ')}`, remedy)];
  });
  return allWell(findings, ok('roles', roles.map(({ name }) => name).join(', ')));
}

/** A pooler drops the limits that a process sets on its connections, so the roles must have limits. */
function judgeLimits(roles: readonly RoleFacts[]): Finding[] {
  const findings = roles
    .filter(({ exists, unlimited }) => exists && unlimited.length > 0)
    .map(({ name, unlimited }) => {
      const changes = unlimited.map(
        ({ limit, ms }) => `alter role "${name}" set ${limit} = '${ms / 1_000}s'`,
      );
      return fault(
        'time limits',
        `${name} has no ${unlimited.map(({ limit }) => limit).join(' and no ')}, and the pooler drops those of the processes`,
        `as owner: ${changes.join('; ')}; then \`reconnect\` in the console of PgBouncer`,
      );
    });
  return allWell(findings, ok('time limits', 'set on the roles or the database, as a pooler requires'));
}

function judgeMigrations(pending: DatabaseFacts['pending']): Finding {
  if (pending === undefined) return fault('migrations', 'the list of migrations is unreadable', MIGRATE);
  return pending.length
    ? fault('migrations', `not applied: ${pending.join(', ')}`, MIGRATE)
    : ok('migrations', 'up to date');
}

function judgeTables(expected: readonly string[], tables: readonly TableFacts[]): Finding[] {
  const missing = expected.filter((name) => !tables.some((table) => table.name === name));
  const findings = [
    ...missing.map((name) => fault('row-level security', `there is no table ${name}`, MIGRATE)),
    ...tables.flatMap(judgeTable),
  ];
  return allWell(findings, ok('row-level security', `enabled and forced on ${tables.length} tables`));
}

function judgeTable({ name, enabled, forced, policies }: TableFacts): Finding[] {
  if (!enabled || !forced) {
    const seen = `${name}: ${enabled ? 'not forced' : 'not enabled'}`;
    const remedy = `as owner: alter table ${name} enable row level security, force row level security`;
    return [fault('row-level security', seen, remedy)];
  }
  if (policies === 1) return [];
  const remedy = `restore the policy "visible" on ${name} from lib/database/schema or a later migration, and drop any other`;
  return [
    fault(
      'row-level security',
      `${name} has ${policies} policies on reads and writes instead of one`,
      remedy,
    ),
  ];
}
