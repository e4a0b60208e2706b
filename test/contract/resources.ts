import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { exampleOf } from '#api/derive/example.ts';
import { isUid } from '#lib/core/id.ts';
import type { RunKind } from '#lib/core/run.ts';
import type { Operation } from '#lib/core/operation.ts';
import { runs as kinds, type RunKey } from '#lib/runs.ts';
import type { Backend } from '../support/backends.ts';
import type { Tenancy } from '../support/build.ts';
import { createAuthority, createDelegation, createGraph, createIdentity } from '../support/delegation.ts';
import { createInvocation } from '../support/agent.ts';
import { createFeature } from '../support/feature.ts';
import { createMetric } from '../support/company.ts';
import { createCompany, createDataset, createInstrument } from '../support/market.ts';
import {
  createAccount,
  createSnapshot as createLedgerSnapshot,
  createTransaction,
} from '../support/ledger.ts';
import { createCell } from '../support/benchmark.ts';
import { createListing } from '../support/market-listing.ts';
import { createOwnerEntitlement } from '../support/entitlement.ts';
import { createLineageExport } from '../support/lineage.ts';
import { createEvent } from '../support/event.ts';
import { createEconomics } from '../support/economics.ts';
import { createForecast, createForecastBatch } from '../support/forecast.ts';
import { createNettingSet } from '../support/netting-set.ts';
import { createException, createObservation, createOrderBatch } from '../support/order-batch.ts';
import { createPortfolio } from '../support/imported-portfolio.ts';
import { createKeyedModel, createModel } from '../support/numeric-model.ts';
import { createSealedRun } from '../support/sealed-run.ts';
import { createQuestionAnswers, createQuestionModel, createQuestionModelVersions } from '../support/qlm.ts';
import { createConflict, createObligation } from '../support/obligation.ts';
import { createPack } from '../support/evidence-pack.ts';
import { createDecision, createPolicy } from '../support/policy-record.ts';
import { createExperiment, createListedProject, createSnapshot } from '../support/research.ts';
import { createTournamentRound } from '../support/tournament-round.ts';
import { createAdmission, createWorkflowRun } from '../support/workflow.ts';
import { createInstallation, createProof } from '../support/workflow-library.ts';
import { createFinopsPolicy } from '../support/workflow-tables.ts';
import { call } from './call.ts';

/**
 * Creates a resource as its owner, and returns the uid, or the value that identifies the resource in its
 * list.
 */
type Maker = (backend: Backend, tenancy: Tenancy, operation: Operation) => Promise<string>;

/**
 * The functions that submit each kind of run, by the path of its resource. A run is submitted at that path or
 * at its own submission path.
 */
const runs = Object.values<RunKind>(kinds).map(({ resource, submission = resource }): [string, Maker] => [
  resource,
  (backend, tenancy) => submit(backend, tenancy, submission),
]);

/**
 * Runs that need more than a request body, such as a trained model or their own data. They are created as
 * sealed runs.
 */
const demanding: RunKey[] = [
  'modeling.trainings',
  'modeling.evaluations',
  'modeling.drift-assessments',
  'modeling.qlm-evaluations',
  'generative.scenarios',
  'generative.model-scenarios',
  'quant.backtests',
  'quant.frontiers',
  'quant.model-tournaments',
  'quant.tournament-rounds',
  'quant.statistical-runs',
  'quant.prediction-runs',
  'planning.reconciliations',
  'investment.construction',
  'investment.risk-reports',
  'investment.portfolio-scenarios',
];

/**
 * The function that creates a resource, by path. Every list and every path with a parameter needs an entry
 * here, or the contract tests fail. Entries of runs are derived from the declarations.
 */
const makers: Record<string, Maker> = {
  '/quant/model-tournaments/{uid}/rounds': createTournamentRound,
  '/planning/forecasts/batches': createForecastBatch,
  ...Object.fromEntries(runs),
  ...Object.fromEntries(
    demanding.map((key): [string, Maker] => [
      kinds[key].resource,
      (backend, tenancy) => createSealedRun(backend, tenancy, kinds[key]),
    ]),
  ),
  '/trust/evidence-packs': createPack,
  '/generative/models': createModel,
  '/ml/models': createModel,
  '/lqm/models': createModel,
  '/qlms/{uid}/answers/{answer_uid}': createAnswer,
  '/qlms/{uid}/answers': createAnswer,
  '/qlms/{uid}/versions': (backend, tenancy) => createQuestionModelVersions(backend, tenancy, 5),
  '/qlms': async (backend, tenancy) => (await createQuestionModel(backend, tenancy)).modelUid,
  '/quant/models': createKeyedModel,
  '/actions/credit-corporate/obligations': createObligation,
  '/actions/credit-corporate/obligation-conflicts': createConflict,
  '/actions/investment-execution': createOrderBatch,
  '/actions/custody-observations': createObservation,
  '/actions/execution-exceptions': createException,
  '/actions/policies': createPolicy,
  '/actions/policy-decisions': (backend, tenancy) => createDecision(backend, tenancy),
  '/actions/agentic/identities': createIdentity,
  '/actions/agentic/delegations': createDelegation,
  '/actions/authorities': createAuthority,
  '/actions/approval-graphs': createGraph,
  '/investment/collateral-xva/netting-sets': createNettingSet,
  '/investment/portfolios': createPortfolio,
  '/investment/reports': (backend, tenancy) =>
    createSealedRun(backend, tenancy, kinds['investment.theme-factors']),
  '/investment/companies': createCompany,
  '/agents/invocations': createInvocation,
  '/planning/forecasts': createForecast,
  '/financial/accounts': createAccount,
  '/data/datasets': createDataset,
  '/data/instruments': createInstrument,
  '/financial/snapshots': createLedgerSnapshot,
  '/financial/transactions': createTransaction,
  '/quant/projects': createListedProject,
  '/quant/research/snapshots': createSnapshot,
  '/quant/research/runs': createExperiment,
  '/quant/features/{key}': createFeatureWithValues,
  '/quant/features': async (backend, tenancy) => (await createFeature(backend, tenancy)).uid,
  '/data/economics/series': createEconomics,
  '/data/metrics': createMetric,
  '/workflow-studio/admission/decisions': createAdmission,
  '/workflow-studio/finops': createFinopsPolicy,
  '/workflows/runs': createWorkflowRun,
  '/workflows/library/{key}': async () => 'month-end-themes',
  '/workflows/library': async () => 'feed-to-themes',
  '/workflows/installations': createInstallation,
  '/workflows/proof-of-value': createProof,
  '/quant/compute/jobs': runs[0]![1],
  '/infrastructure/data-entitlements': createOwnerEntitlement,
  '/infrastructure/lineage-exports': createLineageExport,
  '/events': createEvent,
  '/marketplace/listings': createListing,
  '/benchmarking/comparisons': createCell,
};

/**
 * Whether resources below the path belong to the whole workspace, and therefore exist in both environments.
 */
export function isOfWorkspace({ path }: Operation): boolean {
  return ['/data/', '/quant/features', '/investment/companies', '/infrastructure/data-entitlements'].some(
    (place) => path.startsWith(place),
  );
}

/** Whether every workspace may read the resources below the path, in the environment in which they were created. */
export function isOfEveryWorkspace({ path }: Operation): boolean {
  return ['/marketplace/listings', '/benchmarking/comparisons'].some((place) => path.startsWith(place));
}

/** Returns the path under which the resources of the operation are created. */
export function placeOf(operation: Operation): string {
  const place = Object.keys(makers).find((path) => operation.path.startsWith(path));
  expect(
    place,
    `test/contract/resources.ts does not say how a resource of ${operation.path} is made`,
  ).to.be.a('string');
  return place!;
}

/**
 * Creates a resource on which the operation can be called, or which the operation lists. A resource that has rows gets
 * five rows.
 */
export async function make(backend: Backend, operation: Operation, tenancy: Tenancy): Promise<string> {
  return makers[placeOf(operation)]!(backend, tenancy, operation);
}

/** Submits a run. The run exists when the answer arrives, but it may have failed for lack of data. */
async function submit(backend: Backend, tenancy: Tenancy, submission: string): Promise<string> {
  const operation = catalog.find(({ method, path }) => method === 'POST' && path === submission)!;
  const { key } = tenancy;
  const body = operation.bodyOptional ? {} : exampleOf(operation.body!);
  const about = submission.includes('{') ? { parameter: await make(backend, operation, tenancy) } : {};
  const headers = { prefer: 'respond-async' };
  const answer = await call(backend, operation, { key, body, headers, ...about });
  const uid = answer.headers.get('location')?.split('/').at(-1);
  expect(uid && isUid(uid), JSON.stringify(answer.body)).to.equal(true);
  return uid!;
}

/**
 * Creates a question model with five answers. Returns the uid of the model, or the path values of its last answer if
 * the path names an answer.
 */
async function createAnswer(backend: Backend, tenancy: Tenancy, { path }: Operation): Promise<string> {
  const { model, answer } = await createQuestionAnswers(backend, tenancy, 5);
  return path.includes('{answer_uid}') ? `${model}/${answer}` : model;
}

/** Creates a feature with five values and returns its key. */
async function createFeatureWithValues(backend: Backend, tenancy: Tenancy): Promise<string> {
  const values = ['A', 'B', 'C', 'D', 'E'].map((entity, at) => ({
    entity,
    eventTime: '2020-01-31T00:00:00Z',
    knownAt: '2020-01-31T00:00:00Z',
    value: at + 0.5,
  }));
  return (await createFeature(backend, tenancy, { values })).key;
}
