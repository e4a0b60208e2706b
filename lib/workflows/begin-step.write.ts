import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import type { Scope } from '#lib/core/scope.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { readRequest } from '#lib/pipeline/read-request.ts';
import { submitRun } from '#lib/pipeline/submit-run.command.ts';
import { sql } from 'kysely';
import { applicationFacts } from '#lib/access/application-facts.query.ts';
import type { StepDefinition } from './definition.schema.ts';
import { isOpen } from './gate.ts';
import { buildReport, type ReportContext } from './report.ts';
import { resolveInput, resolveValue, ValueMissing, type StepSources } from './step-value.ts';
import { taskScopes, type WorkflowTask } from './task-scopes.ts';
import type { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';

/** The runs and tasks that the steps of workflows can use. A refusal is thrown as a `Problem`. */
export type Work = {
  /** The runs that a step may start, by key. */
  runs: Readonly<Record<string, Run>>;
  perform(
    task: WorkflowTask,
    em: Em,
    input: Record<string, unknown>,
    now: Date,
  ): Promise<Record<string, unknown>>;
};

/** Reports that a task was refused, with details for the persons who look at the run. */
export class TaskRefused extends Problem {
  readonly taskOutput: Record<string, unknown>;

  constructor(code: ProblemCode, detail: string, taskOutput: Record<string, unknown>) {
    super(code, detail);
    this.taskOutput = taskOutput;
  }
}

/**
 * The outcome of a step: an output, a pipeline run or an approval to wait for, or a failure. `mayPass` means
 * that the failure is temporary, so a retry may succeed.
 */
export type StepOutcome =
  | { state: 'succeeded'; output: Record<string, unknown>; hash?: string }
  | { state: 'running'; job: string }
  | { state: 'waiting_approval'; output: Record<string, unknown> | null }
  | { state: 'failed'; code: string; mayPass: boolean; output?: Record<string, unknown> };

export type StepContext = {
  run: WorkflowRun;
  step: WorkflowStep;
  definition: StepDefinition;
  sources: StepSources;
  report: ReportContext;
  work: Work;
  now: Date;
};

/**
 * Begins a step in the caller's transaction. If the request of the step is refused, the step fails, and the request
 * leaves no other record.
 */
export async function beginStep(em: Em, context: StepContext): Promise<StepOutcome> {
  await em.flush();
  await sql`savepoint begun`.execute(em.getKysely());
  try {
    const begun = await begin(em, context);
    await sql`release savepoint begun`.execute(em.getKysely());
    return begun;
  } catch (error) {
    const failure = failureOf(error);
    await sql`rollback to savepoint begun`.execute(em.getKysely());
    return failure;
  }
}

/** Converts a refusal into a failed step. Every other error is thrown. */
function failureOf(error: unknown): StepOutcome {
  if (error instanceof ValueMissing) return { state: 'failed', code: error.code, mayPass: false };
  if (!(error instanceof Problem)) throw error;
  const failed = {
    state: 'failed',
    code: error.code,
    mayPass: error.status >= 500 || error.status === 429,
  } as const;
  return error instanceof TaskRefused ? { ...failed, output: error.taskOutput } : failed;
}

async function begin(em: Em, context: StepContext): Promise<StepOutcome> {
  const { run, step, definition, sources, report, work, now } = context;
  switch (definition.kind) {
    case 'approval':
      return { state: 'waiting_approval', output: null };
    case 'gate': {
      const value = await resolveValue(definition.value, sources);
      const passed = isOpen(definition, value);
      if (passed) return { state: 'succeeded', output: { value, passed } };
      return definition.otherwise === 'ask'
        ? { state: 'waiting_approval', output: { value, passed } }
        : { state: 'failed', code: 'gate_closed', mayPass: false };
    }
    case 'report': {
      const built = buildReport(
        report,
        definition.title,
        await resolveInput(definition.figures, sources),
        now,
      );
      return built
        ? { state: 'succeeded', output: built, hash: built.seal.hash }
        : { state: 'failed', code: 'report_too_large', mayPass: false };
    }
    case 'task': {
      await checkApplication(em, run.applicationUid, taskScopes[definition.task]);
      const input = await resolveInput(definition.input, sources);
      const output = await work.perform(definition.task, em, input, now);
      return { state: 'succeeded', output, hash: canonicalHash(output) };
    }
    case 'run': {
      const started = work.runs[definition.job];
      if (!started) throw new Error(`the kind of run ${definition.job} does not exist`);
      await checkApplication(em, run.applicationUid, started.scope);
      const request = readRequest(started, await resolveInput(definition.input, sources));
      const { uid } = await submitRun(em, started, request, {
        application: run.applicationUid,
        requestId: run.uid,
        now,
        admission: 'later',
      });
      const { workspace, environment } = tenantOf(em);
      await sql`
        insert into workflow_step_run (job_uid, run_uid, step_key, attempt, workspace_uid, environment)
        values (${uid}, ${run.uid}, ${step.key}, ${step.attempts + 1}, ${workspace}, ${environment})
      `.execute(em.getKysely());
      return { state: 'running', job: uid };
    }
  }
}

/**
 * Checks the current rights of the application. A run continues only with these rights, even if the application had
 * more when the run started.
 */
async function checkApplication(em: Em, uid: string, scope: Scope): Promise<void> {
  const facts = await applicationFacts(em, uid, [scope]);
  if (!facts.isApplicationActive) throw new Problem('application_inactive', 'The application is not active.');
  if (!facts.hasPlaceAccess) {
    throw new Problem('production_access_disabled', 'The application has no access to this environment.');
  }
  if (facts.missingScopes.length > 0)
    throw new Problem('insufficient_scope', `The application does not have the scope ${scope}.`);
}
