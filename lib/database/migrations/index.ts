import type { Migration } from '@mikro-orm/migrations';
import { AgentInvocations } from './2026-12-02-agent-invocations.ts';
import { AgentInvocationRetention } from './2026-12-03-agent-invocation-retention.ts';
import { PolicyDecisions } from './2026-11-23-policy-decisions.ts';
import { Foundation } from './2026-11-21-foundation.ts';
import { AnomalyModel } from './2026-11-29-anomaly-model.ts';
import { NumericModels } from './2026-11-30-lqm.ts';
import { ModelFamilies } from './2026-12-03-model-families.ts';
import { SnapshotDatasets } from './2026-12-04-snapshot-datasets.ts';
import { AiConnections } from './2026-12-02-ai-connections.ts';
import { Drift } from './2026-12-01-drift.ts';
import { Economics } from './2026-11-26-economics.ts';
import { FairAdmission } from './2026-11-21-fair-admission.ts';
import { Delegations } from './2026-11-23-delegations.ts';
import { GovernedRecords } from './2026-11-23-governed-records.ts';
import { ExecutionSources } from './2026-11-25-execution-sources.ts';
import { InvestmentExecution } from './2026-11-24-investment-execution.ts';
import { NettingSets } from './2026-11-22-netting-sets.ts';
import { CollateralModels } from './2026-11-24-collateral-models.ts';
import { MarketData } from './2026-11-26-market-data.ts';
import { Ledger } from './2026-11-26-ledger.ts';
import { Observations } from './2026-11-25-observations.ts';
import { FeatureStore } from './2026-11-26-feature-store.ts';
import { Partitions } from './2026-11-28-partitions.ts';
import { Forecasts } from './2026-11-29-forecasts.ts';
import { Retention } from './2026-11-28-retention.ts';
import { Research } from './2026-11-27-research.ts';
import { ObservationRetention } from './2026-11-29-observation-retention.ts';
import { ValueRevisions } from './2026-11-29-value-revisions.ts';
import { SeriesKnowledge } from './2026-11-29-series-knowledge.ts';
import { Obligations } from './2026-11-22-obligations.ts';
import { Access } from './2026-11-21-access.ts';
import { Paths } from './2026-12-01-paths.ts';
import { EvidencePacks } from './2026-12-02-evidence-packs.ts';
import { ValueSnapshots } from './2026-12-02-value-snapshots.ts';
import { Events } from './2026-12-02-events.ts';
import { Workflows } from './2026-12-02-workflows.ts';
import { RunSummaries } from './2026-12-05-run-summaries.ts';
import { Bounds } from './2026-12-05-bounds.ts';
import { WorkflowStarts } from './2026-12-04-workflow-starts.ts';
import { CodeLocks } from './2026-12-05-code-locks.ts';
import { RunParts } from './2026-12-02-run-parts.ts';
import { AuditLog } from './2026-11-21-audit-log.ts';

type Step = {
  name: string;
  class: new (...given: ConstructorParameters<typeof Migration>) => Migration;
  /** The release since which no code needs what this migration takes away; without it a migration only adds. */
  contracts?: string;
};

/** Every migration in order. A name, once released, is never changed. */
export const migrations: Step[] = [
  { name: '2026-11-21-foundation', class: Foundation },
  { name: '2026-11-21-fair-admission', class: FairAdmission },
  { name: '2026-11-21-access', class: Access },
  { name: '2026-11-21-audit-log', class: AuditLog },
  { name: '2026-11-22-obligations', class: Obligations },
  { name: '2026-11-22-netting-sets', class: NettingSets },
  { name: '2026-11-23-governed-records', class: GovernedRecords },
  { name: '2026-11-23-delegations', class: Delegations },
  { name: '2026-11-23-policy-decisions', class: PolicyDecisions },
  { name: '2026-11-24-collateral-models', class: CollateralModels },
  { name: '2026-11-24-investment-execution', class: InvestmentExecution },
  { name: '2026-11-25-observations', class: Observations },
  { name: '2026-11-25-execution-sources', class: ExecutionSources },
  { name: '2026-11-26-feature-store', class: FeatureStore, contracts: '0.1.0' },
  { name: '2026-11-26-market-data', class: MarketData },
  { name: '2026-11-26-economics', class: Economics },
  { name: '2026-11-26-ledger', class: Ledger },
  { name: '2026-11-27-research', class: Research },
  { name: '2026-11-28-partitions', class: Partitions },
  { name: '2026-11-28-retention', class: Retention },
  { name: '2026-11-29-anomaly-model', class: AnomalyModel },
  { name: '2026-11-30-lqm', class: NumericModels },
  { name: '2026-11-29-series-knowledge', class: SeriesKnowledge },
  { name: '2026-11-29-observation-retention', class: ObservationRetention },
  { name: '2026-11-29-value-revisions', class: ValueRevisions },
  { name: '2026-11-29-forecasts', class: Forecasts, contracts: '0.1.0' },
  { name: '2026-12-01-paths', class: Paths },
  { name: '2026-12-01-drift', class: Drift },
  { name: '2026-12-02-evidence-packs', class: EvidencePacks },
  { name: '2026-12-02-value-snapshots', class: ValueSnapshots },
  { name: '2026-12-02-events', class: Events },
  { name: '2026-12-02-ai-connections', class: AiConnections },
  { name: '2026-12-02-agent-invocations', class: AgentInvocations },
  { name: '2026-12-02-workflows', class: Workflows },
  { name: '2026-12-02-run-parts', class: RunParts },
  { name: '2026-12-03-model-families', class: ModelFamilies },
  { name: '2026-12-03-agent-invocation-retention', class: AgentInvocationRetention },
  { name: '2026-12-04-snapshot-datasets', class: SnapshotDatasets },
  { name: '2026-12-04-workflow-starts', class: WorkflowStarts, contracts: '0.1.0' },
  { name: '2026-12-05-bounds', class: Bounds },
  { name: '2026-12-05-run-summaries', class: RunSummaries },
  { name: '2026-12-05-code-locks', class: CodeLocks },
];
