import type { RunKind } from '#lib/core/run.ts';
import { frontiersRun } from '#lib/investment/frontiers/frontiers.run.ts';
import { constructionRun } from '../construction/construction.run.ts';
import { marginCallsRun } from '../collateral/margin-calls.run.ts';
import { valuationAdjustmentsRun } from '../collateral/valuation-adjustments.run.ts';
import { portfolioScenariosRun } from '../portfolio-scenarios/portfolio-scenarios.run.ts';
import { riskReportsRun } from '../risk/risk-reports.run.ts';
import { taxHarvestRun } from '../tax/tax-harvest.run.ts';
import { themeFactorsRun } from '../theme-factors/theme-factors.run.ts';

/** The members of a run's summary that the index of reports shows. A run without a portfolio has no `portfolio`. */
export type ReportKind = { run: RunKind; asOf: string; portfolio?: string };

/** The runs that are listed as reports once they are sealed, by the kind that callers see. */
export const reportKinds = {
  theme_factors: { run: themeFactorsRun, asOf: 'as_of_date' },
  margin_call: { run: marginCallsRun, asOf: 'valuation_date' },
  construction: { run: constructionRun, asOf: 'as_of', portfolio: 'portfolio' },
  frontier: { run: frontiersRun, asOf: 'as_of', portfolio: 'portfolio' },
  portfolio_scenarios: { run: portfolioScenariosRun, asOf: 'as_of', portfolio: 'portfolio' },
  risk_report: { run: riskReportsRun, asOf: 'as_of', portfolio: 'portfolio' },
  tax_harvest: { run: taxHarvestRun, asOf: 'as_of', portfolio: 'portfolio' },
  valuation_adjustment: { run: valuationAdjustmentsRun, asOf: 'valuation_date' },
} as const satisfies Record<string, ReportKind>;

export type ReportKindName = keyof typeof reportKinds;

export const reportKindNames = Object.keys(reportKinds) as ReportKindName[];
