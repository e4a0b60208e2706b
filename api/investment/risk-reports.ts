import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { IsoDate, Uid } from '#lib/core/schema.ts';
import { riskReportsRun } from '#lib/investment/risk/risk-reports.run.ts';
import { RiskReportRequestBody } from '#lib/investment/risk/risk-request.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../run-operations.ts';

export const createRiskReport = defineRunSubmission(riskReportsRun, {
  key: 'investment.risk_reports.create',
  product: 'Investment analytics',
  addition: true,
  summary: 'Computes the risk of a portfolio and seals it.',
  description:
    'The result has the same form as the answer of GET /investment/risk for one portfolio. The run records which events and market data it read, so a replay gives the same bytes. Use a report for evidence, and for portfolios of up to 2,000 positions. The run places no orders.',
  body: RiskReportRequestBody,
  sealed: 'The sealed report.',
});

export const listRiskReports = defineRunList(riskReportsRun, {
  key: 'investment.risk_reports.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists risk reports, newest first, without their results.',
  filters: {
    portfolio_uid: Type.Optional(Uid(prefixes.portfolio, 'Returns only reports about this portfolio.')),
    as_of: Type.Optional({ ...IsoDate, description: 'Returns only reports with this as-of date.' }),
  },
});

export const getRiskReport = defineRunRead(riskReportsRun, {
  key: 'investment.risk_reports.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a risk report, and optionally waits until the run ends.',
  noun: 'risk report',
});
