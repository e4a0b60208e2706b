import type { Operation } from '#lib/core/operation.ts';
import type { OwnTool } from './derive/tool.ts';
import * as agentInvocations from './agents/invocations.ts';
import * as mcp from './agents/mcp.ts';
import * as agentTools from './agents/tools.ts';
import * as delegationApproval from './actions/agentic/delegation-approval.ts';
import * as delegations from './actions/agentic/delegations.ts';
import * as approvalGraphs from './actions/approval-graphs.ts';
import * as authorities from './actions/authorities.ts';
import * as obligationConflicts from './actions/credit-corporate/obligation-conflicts.ts';
import * as policyDecisions from './actions/policy-decisions.ts';
import { simulatePolicy } from './actions/policy-simulation.ts';
import { verifyEvidencePack } from './trust/pack-verification.ts';
import * as policies from './actions/policies.ts';
import * as obligations from './actions/credit-corporate/obligations.ts';
import * as datasets from './data/datasets.ts';
import * as instrumentCorporateActions from './data/instruments/corporate-actions.ts';
import * as instrumentFundamentals from './data/instruments/fundamentals.ts';
import * as instrumentPrices from './data/instruments/prices.ts';
import * as instruments from './data/instruments/instruments.ts';
import * as investmentExecution from './actions/investment-execution/batches.ts';
import * as financialOperations from './commercial/financial-operations.ts';
import * as evidencePacks from './trust/evidence-packs.ts';
import * as custody from './actions/investment-execution/custody.ts';
import * as custodyObservations from './actions/custody-observations.ts';
import * as executionExceptions from './actions/execution-exceptions.ts';
import * as collateralXva from './investment/collateral-xva.ts';
import * as marginCalls from './investment/collateral-xva/margin-calls.ts';
import * as valuationAdjustments from './investment/collateral-xva/valuation-adjustments.ts';
import * as generativeModels from './models/generative/models.ts';
import * as generativeRuns from './models/generative/runs.ts';
import * as paths from './models/generative/paths.ts';
import * as scenarios from './models/generative/scenarios.ts';
import * as mlScenarios from './models/ml/scenarios.ts';
import * as mlModels from './models/ml/models.ts';
import * as driftAssessments from './models/lqm/drift-assessments.ts';
import * as evaluations from './models/lqm/evaluations.ts';
import * as trainings from './models/lqm/trainings.ts';
import * as anomaly from './models/ml/anomaly.ts';
import * as economics from './data/economics.ts';
import * as metrics from './data/metrics.ts';
import * as aiUsage from './ai/byok.ts';
import * as intelligenceSummary from './intelligence/summary.ts';
import * as themeWatch from './investment/theme-watch.ts';
import * as financialAccounts from './ledger/financial/accounts.ts';
import * as financialSnapshots from './ledger/financial/snapshots.ts';
import * as financialTransactions from './ledger/financial/transactions.ts';
import * as forecastBatches from './forecasting/planning/batches.ts';
import * as forecastBatchReads from './forecasting/planning/batch-reads.ts';
import * as forecasts from './forecasting/planning/forecasts.ts';
import * as workspace from './access/workspace.ts';
import * as events from './events/events.ts';
import * as oauth from './access/oauth.ts';
import * as projects from './research/quant/projects.ts';
import * as researchRuns from './research/quant/research/runs.ts';
import * as researchSnapshots from './research/quant/research/snapshots.ts';
import * as snapshotMatrix from './research/quant/research/matrix.ts';
import * as compute from './research/quant/compute.ts';
import * as features from './research/quant/features.ts';
import * as statisticalModels from './research/quant/statistical-models.ts';
import * as workflowAdmission from './workflows/workflow-studio/admission.ts';
import * as workflowFinops from './workflows/workflow-studio/finops.ts';
import * as workflowRuns from './workflows/runs.ts';
import * as featureContext from './research/quant/features/context.ts';

/** Every operation that Assay offers. Router, validation, OpenAPI, docs and contract tests are derived from it. */
export const catalog: readonly Operation[] = [
  obligations,
  obligationConflicts,
  investmentExecution,
  custody,
  custodyObservations,
  executionExceptions,
  policies,
  policyDecisions,
  authorities,
  approvalGraphs,
  delegations,
  delegationApproval,
  collateralXva,
  marginCalls,
  valuationAdjustments,
  themeWatch,
  projects,
  researchSnapshots,
  snapshotMatrix,
  researchRuns,
  anomaly,
  scenarios,
  generativeRuns,
  paths,
  mlScenarios,
  generativeModels,
  mlModels,
  trainings,
  evaluations,
  driftAssessments,
  datasets,
  instruments,
  instrumentPrices,
  instrumentCorporateActions,
  instrumentFundamentals,
  economics,
  metrics,
  compute,
  statisticalModels,
  forecastBatches,
  forecastBatchReads,
  forecasts,
  financialTransactions,
  financialSnapshots,
  featureContext,
  features,
  financialAccounts,
  evidencePacks,
  financialOperations,
  events,
  agentTools,
  agentInvocations,
  mcp,
  workflowAdmission,
  workflowFinops,
  workflowRuns,
  oauth,
  workspace,
  intelligenceSummary,
  aiUsage,
].flatMap((resource) => Object.values(resource));

/** Tools of agents that no operation stands behind. */
export const ownTools: readonly OwnTool[] = [simulatePolicy, verifyEvidencePack];
