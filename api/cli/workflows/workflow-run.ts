import type { Command } from 'commander';
import { pollUntil } from '#lib/core/poll.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { admitRun, type Admission } from '#lib/workflows/admit-run.command.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import { cancelWorkflowRun } from '#lib/workflows/cancel-run.command.ts';
import { unknownRun } from '#lib/workflows/locked-run.query.ts';
import { findRuns, newestRuns, placeOfRun, type FoundRun } from '#lib/workflows/read-runs.query.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import { startRun } from '#lib/workflows/start-run.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { listInPlace } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';
import { asOperator, type Operator } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { refusalOf } from '#lib/governance/refusal.ts';
import { governAs, governBy, outcomeBy, provenPerson } from '../shell/govern.ts';
import { parametersOption, readParameters } from './workflow-parameters.ts';
import { presentReport, presentRun, presentSteps, summariseRun } from './workflow-present.ts';

type RunOptions = OutputOptions &
  GovernedOptions &
  Tenant & { app: string; parameters: string; wait?: boolean };
type ChangeOptions = OutputOptions & GovernedOptions & { reason?: string; step?: string };

const LOOK_MS = 500;

/** Registers the commands below `assay workflow` for runs. */
export function registerRuns(group: Command): void {
  withPlace(withPerson(withJson(group.command('run <key>'))))
    .description('evaluate the policies, and start a run of the published version')
    .requiredOption('--app <uid>', 'the application whose scopes the steps of the workflow use')
    .addOption(parametersOption())
    .option('--wait', 'wait until the run ends or waits for a person')
    .action(run);
  listInPlace(group.command('runs').description('list the runs, newest first'), newestRuns, summariseRun);
  withJson(group.command('report <run>'))
    .description('print the sealed report of a run; `assay verify` can check the report')
    .action(async (uid: string, options: OutputOptions) => {
      const report = presentReport(await asOperator((operator) => read(operator, uid)));
      if (!report) throw new Refusal('report_missing', 'the run has no report');
      print(report, options);
    });
  withPerson(withJson(group.command('cancel <run>')))
    .description('stop a run and the work that it waits for; one person is enough')
    .requiredOption('--reason <text>', 'the reason, stored with the run')
    .action(cancel);
}

async function run(key: string, options: RunOptions): Promise<void> {
  const { workspace, environment, app: application } = options;
  const given = {
    workspace,
    environment,
    key,
    application,
    parameters: await readParameters(options.parameters),
  };
  await asOperator(async (operator) => {
    const admitted = await outcomeBy(operator, admitRun, given, provenPerson(operator, options));
    if (!admitted.ok) {
      throw 'admission' in admitted ? admissionRefusal(admitted.admission) : refusalOf(admitted);
    }
    // The admission is already recorded. If the run cannot start, the admission expires unused.
    const { admission, version, parameters } = admitted;
    const start = { admission: admission.uid, version: version.uid, parameters };
    const { result } = await governBy(operator, startRun, start, admission.requestedBy);
    const found = await pollUntil(
      () => read(operator, result.uid),
      ({ run: { state } }) => !options.wait || isOver(state) || state === 'waiting_approval',
      { everyMs: LOOK_MS },
    );
    print(options.json ? presentRun(found) : summariseRun(found), options);
  });
}

function admissionRefusal({ decision, uid, policyDecisionUid }: Admission): Refusal {
  const why = policyDecisionUid ? `; to see the reasons, run: assay policy explain ${policyDecisionUid}` : '';
  return new Refusal('admission_denied', `${decision}, by ${uid}${why}`);
}

/** Prints a run with its steps. */
export async function showRun(uid: string, options: OutputOptions): Promise<void> {
  const found = await asOperator((operator) => read(operator, uid));
  if (options.json) return print(presentRun(found), options);
  print(summariseRun(found), options);
  printRows(presentSteps(found), options);
}

/** Continues a run that waits for a person. */
export async function approveRun(uid: string, options: ChangeOptions): Promise<void> {
  if (options.reason === undefined) throw new Refusal('reason_required', 'give the reason with --reason');
  const reason = checkText('--reason', options.reason);
  const { result } = await governAs(approveStep, { run: uid, step: options.step, reason }, options);
  print({ uid, approved: result }, options);
}

async function cancel(uid: string, options: ChangeOptions): Promise<void> {
  const reason = checkText('--reason', options.reason!);
  const { result } = await governAs(cancelWorkflowRun, { run: uid, reason }, options);
  print({ uid, state: 'cancelled', cancelled: result.jobs }, options);
}

async function read(operator: Operator, uid: string): Promise<FoundRun> {
  const place = await operator.query('everywhere', placeOfRun, uid);
  if (!place) throw new Refusal('run_unknown', unknownRun.run_unknown);
  const [found] = await operator.query(place, findRuns, { uid, limit: 1 });
  return found!;
}
