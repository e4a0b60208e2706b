import { AgentInvocation } from '#lib/agents/agent-invocation.entity.ts';
import {
  CustodyObservation,
  ExecutionException,
  TradeConfirmation,
} from '#lib/actions/execution/evidence/execution-evidence.entity.ts';
import { BatchOrder, LegacyBatch, OrderBatch } from '#lib/actions/execution/batch/order-batch.entity.ts';
import {
  ApprovalIntent,
  Delegation,
  DelegationApproval,
} from '#lib/actions/delegations/delegation.entity.ts';
import { DelegationWindow, Reservation } from '#lib/actions/delegations/reservation.entity.ts';
import { Obligation } from '#lib/actions/obligations/obligation.entity.ts';
import { Dataset, DatasetImport } from '#lib/data/dataset.entity.ts';
import { Feature, FeatureVersion } from '#lib/data/feature.entity.ts';
import { ForecastBatch, ForecastBatchItem } from '#lib/forecasting/forecast-batch.entity.ts';
import { ForecastScoreRecord, ForecastWatch } from '#lib/forecasting/forecast-score.entity.ts';
import { LedgerAccount, LedgerSnapshot } from '#lib/ledger/ledger-snapshot.entity.ts';
import { ProjectVersion, ResearchProject } from '#lib/research/research-project.entity.ts';
import { OwnMetric } from '#lib/data/metric.entity.ts';
import { Dispatch, Run, RunResult } from '#lib/pipeline/run.entity.ts';
import { RetrainingRequest } from '#lib/models/training/retraining-request.entity.ts';
import { LqmModel, LqmServing, LqmVersion } from '#lib/models/registry/lqm.entity.ts';
import { ModelAlias, ModelVersion } from '#lib/models/registry/model.entity.ts';
import { Application } from '#lib/access/application.entity.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { PolicyDecision, PolicySetRecord } from '#lib/governance/policy/policy-decision.entity.ts';
import { Webhook } from '#lib/events/webhook/webhook.entity.ts';
import { NettingSet } from '#lib/investment/netting/netting-set.entity.ts';
import { ValueSnapshot } from '#lib/commercial/value-snapshot.entity.ts';
import { Company } from '#lib/access/company.entity.ts';
import { Counterparty } from '#lib/access/counterparty.entity.ts';
import { Credential } from '#lib/access/credential.entity.ts';
import { OAuthClient } from '#lib/access/oauth-client.entity.ts';
import { PersonCode } from '#lib/access/person-code.entity.ts';
import { Person } from '#lib/access/person.entity.ts';
import { ProductionAccess } from '#lib/access/production-access.entity.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { FinopsPolicy } from '#lib/workflows/finops-policy.entity.ts';
import { WorkflowAdmission } from '#lib/workflows/workflow-admission.entity.ts';
import { WorkflowRun, WorkflowStep } from '#lib/workflows/workflow-run.entity.ts';
import { WorkflowSchedule } from '#lib/workflows/workflow-schedule.entity.ts';
import { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';

/** All entities of Assay. */
export const entities = [
  ValueSnapshot,
  LqmModel,
  LqmVersion,
  LqmServing,
  RetrainingRequest,
  Webhook,
  Workspace,
  Person,
  PersonCode,
  Application,
  Credential,
  OAuthClient,
  ProductionAccess,
  Dataset,
  DatasetImport,
  Feature,
  FeatureVersion,
  Company,
  OwnMetric,
  LedgerAccount,
  ForecastBatch,
  ForecastBatchItem,
  ForecastScoreRecord,
  ForecastWatch,
  LedgerSnapshot,
  ResearchProject,
  ProjectVersion,
  ModelVersion,
  ModelAlias,
  Run,
  AgentInvocation,
  Counterparty,
  Obligation,
  EvidenceConflict,
  GovernedRecord,
  PolicySetRecord,
  PolicyDecision,
  Delegation,
  DelegationApproval,
  ApprovalIntent,
  DelegationWindow,
  Reservation,
  NettingSet,
  OrderBatch,
  BatchOrder,
  LegacyBatch,
  TradeConfirmation,
  CustodyObservation,
  ExecutionException,
  RunResult,
  Dispatch,
  WorkflowSchedule,
  WorkflowVersion,
  WorkflowAdmission,
  WorkflowRun,
  WorkflowStep,
  FinopsPolicy,
];
