import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { admit } from '#lib/workflows/admit.repository.ts';
import { isAdmitted } from '#lib/workflows/admission.ts';
import { approveStep, cancelWorkflowRun } from '#lib/workflows/change-run.repository.ts';
import type { ApprovalRefusal } from '#lib/workflows/decide-step.ts';
import { findRuns, type FoundRun } from '#lib/workflows/read-runs.repository.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import { startRun } from '#lib/workflows/start.repository.ts';
import { WorkflowRun } from '#lib/workflows/workflow-run.entity.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { listInPlace } from './list-in-place.ts';
import { onRecordAs, type Place } from './on-batch.ts';
import { asOperator, type Operator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { parametersOption, readParameters, runnable } from './workflow-parameters.ts';
import { presentReport, presentRun, presentSteps, summariseRun } from './workflow-present.ts';

type RunOptions = OutputOptions &
  GovernedOptions &
  Place & { app: string; parameters?: string; wait?: boolean };
type ChangeOptions = OutputOptions & GovernedOptions & { reason?: string; step?: string };

const LOOK_MS = 500;

const approvalRefusals: Record<ApprovalRefusal, string> = {
  step_not_waiting: 'no such step waits for a person',
  second_person_required: 'who asked for the run does not approve its steps',
  approver_not_eligible: 'it takes a person with the role approver or owner',
};

/** The commands below `assay workflow` that are about runs. */
export function registerRuns(group: Command): void {
  withPerson(withJson(group.command('run <key>')))
    .description('ask the policies, and start a run of the published version')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--app <uid>', 'the application whose scopes its steps use')
    .addOption(parametersOption())
    .option('--wait', 'until it is over, or waits for a person')
    .action(run);
  listInPlace(
    group.command('runs').description('list the runs, newest first'),
    (em, most) => findRuns(em, { most }),
    summariseRun,
  );
  withJson(group.command('report <run>'))
    .description('print the sealed report of a run, which `assay verify` checks')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await asOperator((operator) => read(operator, uid));
      const report = presentReport(found);
      if (!report) throw new Refusal('report_missing', 'the run has no report');
      print(report, options);
    });
  withPerson(withJson(group.command('cancel <run>')))
    .description('stop a run and the work that it waits for; one person is enough')
    .requiredOption('--reason <text>', 'why; it is kept')
    .action(cancel);
}

async function run(key: string, options: RunOptions): Promise<void> {
  const { workspace, environment, app } = options;
  const given = await readParameters(options.parameters!);
  await asOperator(async (operator) => {
    const asked = { key, app, given, options };
    const { admission, version, parameters } = await operator.inWorkspace(
      workspace,
      (em) => ask(em, operator, asked),
      environment,
    );
    if (!isAdmitted(admission.decision)) {
      const { decision, uid, policyDecisionUid } = admission;
      const why = policyDecisionUid ? `; why: assay policy explain ${policyDecisionUid}` : '';
      throw new Refusal('admission_denied', `${decision}, by ${uid}${why}`);
    }
    // The admission is on record by now; a run that cannot start leaves it to expire.
    const started = await operator.inWorkspace(
      workspace,
      (em) => startRun(em, { admission, version, parameters, now: systemClock.now() }),
      environment,
    );
    const found = options.wait ? await wait(operator, started.uid) : await read(operator, started.uid);
    print(options.json ? presentRun(found) : summariseRun(found), options);
  });
}

type Asked = { key: string; app: string; given: Record<string, unknown>; options: RunOptions };

async function ask(em: Em, operator: Operator, { key, app, given, options }: Asked) {
  await findWorkspace(em, options.workspace);
  const { version, parameters } = await runnable(em, key, given);
  const { uid: by } = await governingPerson(em, operator, options, options);
  const request = { version, application: app, by, parameters, clock: systemClock };
  return { admission: await admit(em, request), version, parameters };
}

/** Prints a run with its steps. */
export async function showRun(uid: string, options: OutputOptions): Promise<void> {
  const found = await asOperator((operator) => read(operator, uid));
  if (options.json) return print(presentRun(found), options);
  print(summariseRun(found), options);
  printRows(presentSteps(found), options);
}

/** Lets a run that waits for a person go on. */
export async function approveRun(uid: string, options: ChangeOptions): Promise<void> {
  if (options.reason === undefined) throw new Refusal('reason_required', 'say why by --reason');
  const reason = checkText('--reason', options.reason);
  const { step } = options;
  const approved = await onRecordAs(about(uid), options, (em, person) =>
    approveStep(em, uid, { person, ...(step ? { step } : {}), reason, now: systemClock.now() }),
  );
  if (!approved.ok) throw new Refusal(approved.code, approvalRefusals[approved.code]);
  print({ uid, approved: approved.steps }, options);
}

async function cancel(uid: string, options: ChangeOptions): Promise<void> {
  const reason = checkText('--reason', options.reason!);
  const cancelled = await onRecordAs(about(uid), options, (em, { uid: person }) =>
    cancelWorkflowRun(em, uid, { person, reason, now: systemClock.now() }),
  );
  if (!cancelled.ok) throw new Refusal(cancelled.code, 'the run is over');
  print({ uid, state: 'cancelled', cancelled: cancelled.jobs }, options);
}

function about(uid: string) {
  return {
    find: (em: Em) => em.findOne(WorkflowRun, { uid }, { filters: false }),
    code: 'run_unknown',
    what: 'run of a workflow',
  };
}

async function read(operator: Operator, uid: string): Promise<FoundRun> {
  const run = await operator.everywhere((em) => about(uid).find(em));
  if (!run) throw new Refusal('run_unknown', 'there is no such run of a workflow');
  const [found] = await operator.inWorkspace(
    run.workspaceUid,
    (em) => findRuns(em, { uid, most: 1 }),
    run.environment,
  );
  return found!;
}

async function wait(operator: Operator, uid: string): Promise<FoundRun> {
  for (;;) {
    const found = await read(operator, uid);
    if (isOver(found.run.state) || found.run.state === 'waiting_approval') return found;
    await delay(LOOK_MS);
  }
}
