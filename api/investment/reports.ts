import Type, { type Static } from 'typebox';
import { HEADLINES_MAX } from '#lib/core/run.ts';
import { logSize } from '#lib/audit/log-size.query.ts';
import { Closed, InstantOf, IsoDate, ListOf, Nullable, pageQuery, Sha256Of } from '#lib/core/schema.ts';
import { reportKindNames } from '#lib/investment/reports/report-kinds.query.ts';
import {
  listReports as readReports,
  type Report as ReportRow,
} from '#lib/investment/reports/report.query.ts';
import { API_PREFIX } from '../derive/router.ts';
import { keysetListing } from '../http/keyset.ts';
import { defineList } from '../services.ts';

const PATH = '/investment/reports';

const Word = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z_]{1,64}$', description, examples: [example] });

const PortfolioKey = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$',
  description: 'Returns only reports about this portfolio.',
  examples: ['global_equity'],
});

const Figure = Closed(
  {
    name: Word('The name of the figure.', 'margin_call_minor'),
    value: Type.Union([Type.Number(), Type.String({ maxLength: 200 }), Type.Null()], {
      description:
        'The value of the figure, exactly as in the sealed result; null if the result does not contain the figure.',
      examples: [130_000_000],
    }),
    unit: Word('The unit of the figure. `minor`: minor units of the currency of the report.', 'minor'),
  },
  { title: 'ReportFigure', description: 'A figure of a sealed result.' },
);

const Report = Closed(
  {
    uid: Type.String({
      pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'The uid of the run that produced the report.',
      examples: ['mgc_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    kind: Type.Enum([...reportKindNames], { description: 'The kind of report.' }),
    portfolio: Nullable(
      Type.String({ maxLength: 200, examples: ['global_equity'] }),
      'The portfolio that the report is about; null if the report is not about a portfolio.',
    ),
    as_of: Type.String({ ...IsoDate, description: 'The day that the report describes.' }),
    created_at: InstantOf('When the run was submitted.'),
    href: Type.String({
      pattern: '^/api/v2/',
      maxLength: 200,
      description: 'The path of the sealed run.',
      examples: ['/api/v2/investment/collateral-xva/margin-calls/mgc_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    result_hash: Sha256Of('SHA-256 of the RFC 8785 form of the result.'),
    seal_hash: Sha256Of('The hash of the seal.'),
    headline: Type.Array(Figure, {
      maxItems: HEADLINES_MAX,
      description:
        'The main figures of this kind of report. Empty for a report that was sealed without figures.',
    }),
  },
  { title: 'Report', description: 'A sealed result in the index of reports.' },
);

export const listReports = defineList({
  key: 'investment.reports.list',
  product: 'Investment analytics',
  method: 'GET',
  path: PATH,
  scope: 'investment:read',
  summary: 'Lists the sealed results of investment analytics, newest submission first.',
  description:
    'Each report has the hashes and up to three figures of a result. `href` is the path of the sealed run, which has the full result. Open, failed and cancelled runs are not listed.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(
      Type.Enum([...reportKindNames], { description: 'Returns only reports of this kind.' }),
    ),
    portfolio: Type.Optional(PortfolioKey),
    from: Type.Optional({ ...IsoDate, description: 'First day of submission (UTC), inclusive.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last day of submission (UTC), inclusive.' }),
    result_hash: Type.Optional(
      Sha256Of('Returns only reports with this `result_hash`. Equal results have equal hashes.'),
    ),
  }),
  success: { status: 200, description: 'A page of reports.', schema: ListOf(Report) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { kind, portfolio, from, to, result_hash: resultHash } = query;
    // A report never changes, and every new seal adds an entry to the audit log, so the size of the log serves as the
    // version of the list. A report that is sealed while the answer is sent may already be in the answer. The next
    // version of the list contains it in any case.
    const version = String(await services.query(logSize));
    return keysetListing(services, query, {
      list: PATH,
      filters: {
        kind: kind ?? null,
        portfolio: portfolio ?? null,
        from: from ?? null,
        to: to ?? null,
        result_hash: resultHash ?? null,
      },
      version,
      rows: (em, page) => readReports(em, { kind, portfolio, from, to, resultHash, ...page }),
      keyOf: ({ uid }) => uid,
      present,
    });
  },
});

function present(report: ReportRow): Static<typeof Report> {
  return {
    uid: report.uid,
    kind: report.kind,
    portfolio: report.portfolio,
    as_of: report.asOf,
    created_at: report.createdAt,
    href: `${API_PREFIX}${report.path}`,
    result_hash: report.resultHash,
    seal_hash: report.sealHash,
    headline: report.headline.map(({ name, value, unit }) => ({ name, value, unit })),
  };
}
