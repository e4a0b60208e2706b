import type { Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { changeSchedule } from '#lib/workflows/change-schedule.command.ts';
import type { ScheduleEvent } from '#lib/workflows/schedule-states.ts';
import { listSchedules } from '#lib/workflows/schedule.query.ts';
import type { Timing } from '#lib/workflows/schedule.ts';
import { scheduleWorkflow } from '#lib/workflows/schedule-workflow.command.ts';
import type { WorkflowSchedule } from '#lib/workflows/workflow-schedule.entity.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { listInPlace } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { registerEvents } from '../shell/events.ts';
import { governAs } from '../shell/govern.ts';
import { parametersOption, readParameters } from './workflow-parameters.ts';

type ScheduleOptions = OutputOptions &
  GovernedOptions &
  Tenant &
  Timing & { timeZone?: string; app: string; parameters: string };

const events: Record<ScheduleEvent, string> = {
  suspend: 'pause a schedule until it is resumed',
  resume: 'resume a schedule; the next run starts at the next scheduled time',
  remove: 'remove a schedule',
};

/** Registers the commands below `assay workflow` for scheduled starts. */
export function registerSchedules(group: Command): void {
  withPlace(withPerson(withJson(group.command('schedule <key>'))))
    .description('start the published version on a schedule; the policies are evaluated at every start')
    .requiredOption('--app <uid>', 'the application whose scopes the steps of the workflow use')
    .option(
      '--every <time>',
      'the interval between starts, such as 15m, 6h, 1d or 2w; the first start is one interval from now',
    )
    .option(
      '--cron <fields>',
      'five cron fields: minute, hour, day of the month, month, day of the week, such as "0 6 * * 1"',
    )
    .option('--time-zone <name>', 'the time zone of --cron (default: that of the workspace)')
    .addOption(parametersOption())
    .action(set);
  listInPlace(
    group.command('schedules').description('list the schedules, newest first'),
    listSchedules,
    present,
  );
  registerEvents(group, 'schedule', {
    descriptions: events,
    command: changeSchedule,
    inputOf: (schedule, event) => ({ schedule, event }),
    present: ({ result }) => present(result),
  });
}

async function set(key: string, options: ScheduleOptions): Promise<void> {
  const { workspace, environment, app: application, cron, every, timeZone } = options;
  const parameters = await readParameters(options.parameters);
  const plan = { workspace, environment, key, application, parameters, cron, every, timeZone };
  const { result } = await governAs(scheduleWorkflow, plan, options);
  print(present(result), options);
}

function present(found: WorkflowSchedule) {
  const isActive = found.state === 'active';
  return {
    uid: found.uid,
    workflow: found.workflowKey,
    when: found.cron ?? `every ${found.everySeconds} s`,
    time_zone: found.timeZone,
    state: found.state,
    next_at: isActive ? found.dueAt.toISOString() : null,
    last_at: found.lastDueAt?.toISOString() ?? null,
    last_outcome: found.lastOutcome ?? null,
    last_missed: found.lastMissed,
    last_admission: found.lastAdmissionUid ?? null,
    last_run: found.lastRunUid ?? null,
    application: found.applicationUid,
    set_by: found.setByUid,
  };
}
