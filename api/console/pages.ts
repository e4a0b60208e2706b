import { overviewPage } from './overview/overview.ts';
import type { Page } from './page.ts';
import { listPages, recordPages } from './records/records.ts';
import { approvalsPage } from './delegations/approvals.ts';
import { delegationPage } from './delegations/delegation.ts';
import { findPage } from './runs/find.ts';
import { runPage } from './runs/run.ts';
import { runsPage } from './runs/runs.ts';

/** Every page of the console. */
export const pages: readonly Page[] = [
  overviewPage,
  findPage,
  runsPage,
  runPage,
  approvalsPage,
  delegationPage,
  ...listPages,
  ...recordPages,
];
