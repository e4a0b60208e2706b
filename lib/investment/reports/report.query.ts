import { sql, type RawBuilder } from 'kysely';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { HeadlineFigure } from '#lib/pipeline/headline.ts';
import { hasResultHash } from '#lib/pipeline/run-result.query.ts';
import { reportKindNames, reportKinds, type ReportKind, type ReportKindName } from './report-kinds.query.ts';

/** A sealed run in the index of reports. */
export type Report = {
  uid: string;
  kind: ReportKindName;
  portfolio: string | null;
  asOf: string;
  createdAt: string;
  /** The path of the run, below `/api/v2`. */
  path: string;
  resultHash: string;
  sealHash: string;
  headline: HeadlineFigure[];
};

export type ReportQuestion = {
  kind?: ReportKindName | undefined;
  portfolio?: string | undefined;
  /** First and last day of submission (UTC), inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  resultHash?: string | undefined;
  /** The uid of the last report of the previous page. */
  after: string | undefined;
  limit: number;
};

/**
 * Lists those sealed runs of the tenant that are reports, newest submission first. Results are never read. Each
 * kind is read in the order of its index until the page is full; a separate index supports the search for a
 * result hash.
 */
export async function listReports(em: Em, question: ReportQuestion): Promise<Report[]> {
  const { kind, portfolio, limit } = question;
  const { workspace, environment } = tenantOf(em);
  const names = reportKindNames.filter((name) => {
    const declared: ReportKind = reportKinds[name];
    return (kind ?? name) === name && (portfolio === undefined || declared.portfolio !== undefined);
  });
  const kinds = names.map((name) => {
    const { run, asOf, portfolio: member }: ReportKind = reportKinds[name];
    return { key: run.key, asOf, portfolio: member ?? null };
  });
  const { rows } = await sql<Omit<Report, 'path'>>`
    select found.*
    from unnest(
      ${names}::text[], ${kinds.map(({ key }) => key)}::text[], ${kinds.map(({ asOf }) => asOf)}::text[],
      ${kinds.map((each) => each.portfolio)}::text[]
    ) listed (name, key, as_of, portfolio)
    cross join lateral (
      select run.uid, listed.name as kind, run.summary ->> listed.portfolio as portfolio,
        run.summary ->> listed.as_of as "asOf", ${instant(sql`run.created_at`)} as "createdAt",
        sealed.result_hash as "resultHash", sealed.seal ->> 'hash' as "sealHash",
        coalesce(sealed.headline, '[]') as headline
      from run join run_result sealed on sealed.run_uid = run.uid
        and sealed.workspace_uid = ${workspace} and sealed.environment = ${environment}
      where run.workspace_uid = ${workspace} and run.environment = ${environment} and run.kind = listed.key
        and run.state = 'succeeded' and ${sql.join(conditionsOf(question), sql` and `)}
      order by right(run.uid, 26) desc limit ${limit}
    ) found
    order by right(found.uid, 26) desc limit ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, path: `${reportKinds[row.kind].run.resource}/${row.uid}` }));
}

function conditionsOf({ portfolio, from, to, resultHash, after }: ReportQuestion): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(portfolio === undefined ? [] : [sql`run.summary ->> listed.portfolio = ${portfolio}`]),
    ...(resultHash === undefined ? [] : [hasResultHash('sealed.result_hash', resultHash)]),
    ...(after === undefined ? [] : [sql`right(run.uid, 26) < right(${after}, 26)`]),
    ...(from === undefined ? [] : [sql`run.created_at >= ${from}::date::timestamp at time zone 'utc'`]),
    ...(to === undefined ? [] : [sql`run.created_at < (${to}::date + 1)::timestamp at time zone 'utc'`]),
  ];
}
