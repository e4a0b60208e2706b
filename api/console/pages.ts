import { accountPage } from './account/account.ts';
import { seriesPage } from './data/series.ts';
import { approvalsPage } from './delegations/approvals.ts';
import { delegationPage } from './delegations/delegation.ts';
import { tracePage } from './lineage/trace.ts';
import { factsPages } from './operations/facts-pages.ts';
import { jobsPage } from './operations/jobs.ts';
import { usagePage } from './operations/usage.ts';
import { overviewPage } from './overview/overview.ts';
import type { Page } from './page.ts';
import { policyDecisionPage } from './policies/decision.ts';
import { portfolioPage } from './portfolios/portfolio.ts';
import { qlmAnswerPage, qlmPage } from './qlms/qlm.ts';
import { listPages, recordPages } from './records/records.ts';
import { comparePage } from './runs/compare.ts';
import { modelRunPage } from './runs/new/model-run.ts';
import { newRunListPage, newRunPage } from './runs/new/new-run.ts';
import { findPage } from './runs/find.ts';
import { runPage } from './runs/run.ts';
import { runsPage } from './runs/runs.ts';
import { auditEntryPage, auditPage } from './trust/audit.ts';
import { keysPage } from './trust/keys.ts';
import { packPage } from './trust/pack.ts';

/** Every page of the console. */
export const pages: readonly Page[] = [
  overviewPage,
  accountPage,
  findPage,
  runsPage,
  newRunPage,
  newRunListPage,
  modelRunPage,
  runPage,
  comparePage,
  tracePage,
  seriesPage,
  portfolioPage,
  qlmPage,
  qlmAnswerPage,
  approvalsPage,
  delegationPage,
  policyDecisionPage,
  auditPage,
  auditEntryPage,
  packPage,
  keysPage,
  jobsPage,
  usagePage,
  ...factsPages,
  ...listPages,
  ...recordPages,
];
