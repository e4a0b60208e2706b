import { createAjv } from '#lib/core/ajv.ts';
import { Problem } from '#lib/core/problem.ts';
import { addDays } from '#lib/core/date.ts';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { themeFactorsSubmission } from '#lib/investment/theme-factors-submission.repository.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors.run.ts';
import { ThemeFactorsRequestBody } from '#lib/investment/theme-factors.request.ts';
import { driftAssessmentsRun } from '#lib/modeling/drift-assessments.run.ts';
import { driftSubmission } from '#lib/modeling/drift-submission.repository.ts';
import { DriftAssessmentRequest } from '#lib/modeling/drift.schema.ts';
import { forecastSubmission } from '#lib/planning/forecast-input.repository.ts';
import { forecastsRun } from '#lib/planning/forecasts.run.ts';
import { forecastOptions, ForecastRequest } from '#lib/planning/forecasts.schema.ts';
import { takeSnapshot } from '#lib/planning/ledger/snapshot.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { LqmModelUid } from '#lib/registry/checkpoint.schema.ts';
import { PACK_INPUT } from '#lib/trust/evidence-pack.ts';
import { evidencePacksRun } from '#lib/trust/evidence-packs.run.ts';
import { ImportStep, importKept } from './import-file.ts';
import type { PreparedRun, Work } from '#lib/workflows/begin-step.repository.ts';
import type { WorkflowJob, WorkflowTask } from '#lib/workflows/work.ts';
import Type, { type Static, type TObject } from 'typebox';

const ajv = createAjv();

/** Reads the input of a step by the schema of a request, and hands it on. */
function reads<Request extends TObject, Made>(
  schema: Request,
  make: (em: Em, request: Static<Request>, now: Date) => Promise<Made>,
) {
  const isRequest = ajv.compile(schema);
  return (em: Em, input: Record<string, unknown>, now: Date): Promise<Made> => {
    if (isRequest(input)) return make(em, input as Static<Request>, now);
    const [fault] = isRequest.errors!;
    throw new Problem('validation_failed', `${fault!.instancePath || '/'} ${fault!.message}`);
  };
}

type Prepare = (em: Em, input: Record<string, unknown>, now: Date) => Promise<PreparedRun>;
type Perform = (em: Em, input: Record<string, unknown>, now: Date) => Promise<Record<string, unknown>>;

const DriftRequest = Closed({ model_uid: LqmModelUid, ...DriftAssessmentRequest.properties });
const ForecastStep = Closed({ ...ForecastRequest.properties, ...forecastOptions });

/** How a run of each kind is asked for, as the API would with the same request. */
const preparations: Record<WorkflowJob, Prepare> = {
  'investment.theme-factors': reads(ThemeFactorsRequestBody, async (em, request, now) => ({
    job: themeFactorsRun,
    ...(await themeFactorsSubmission(em, request, now)),
  })),
  'planning.forecasts': reads(ForecastStep, async (em, request, now) => {
    const { metric, company_id, horizon, reason, ...options } = request;
    const asked = { metric, horizon, ...(company_id && { company_id }), ...(reason && { reason }) };
    return { job: forecastsRun, ...(await forecastSubmission(em, asked, options, now)) };
  }),
  'trust.evidence-packs': reads(Closed({}), async () => ({ job: evidencePacksRun, input: PACK_INPUT })),
  'modeling.drift-assessments': reads(DriftRequest, async (em, { model_uid, dataset_id }) => ({
    job: driftAssessmentsRun,
    ...(await driftSubmission(em, model_uid, dataset_id)),
  })),
};

const tasks: Record<WorkflowTask, Perform> = {
  'data.import': reads(ImportStep, importKept),
  /** Seals the balances of a day; of yesterday (UTC) where none is named. */
  'planning.ledger-snapshot': reads(Closed({ as_of: Type.Optional(IsoDate) }), async (em, request, now) => {
    const asOf = request.as_of ?? addDays(utcDate(now), -1);
    const taken = await takeSnapshot(em, { asOf, now, actor: { kind: 'system' } });
    if (!taken.ok) throw new Problem('validation_failed', `The ledger cannot be sealed: ${taken.code}.`);
    const { uid, sealedHash, content } = taken.snapshot;
    return { uid, as_of: asOf, sealed_hash: sealedHash, by_currency: content.by_currency };
  }),
};

/** What the products do for the steps of workflows. */
export const work: Work = {
  prepare: (job, em, input, now) => preparations[job](em, input, now),
  perform: (task, em, input, now) => tasks[task](em, input, now),
};
