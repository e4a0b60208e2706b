import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { EVERY_SECONDS, isCron, isTimeZone, readEvery, type Recurrence } from '#lib/workflows/recurrence.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import type { ScheduleEvent } from '#lib/workflows/schedule-states.ts';
import { changeSchedule, schedule } from '#lib/workflows/schedule.repository.ts';
import { WorkflowSchedule } from '#lib/workflows/workflow-schedule.entity.ts';
import { unknownApplication } from './find-application.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { listInPlace } from './list-in-place.ts';
import { inPlaceAs, onRecordAs, type Place } from './on-batch.ts';
import { findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { parametersOption, readParameters, runnable } from './workflow-parameters.ts';

type Clockwork = { cron?: string; every?: string; timeZone?: string };
type ScheduleOptions = OutputOptions &
  GovernedOptions &
  Place &
  Clockwork & { app: string; parameters: string };

const events: Record<ScheduleEvent, string> = {
  suspend: 'start nothing by a schedule until it is resumed',
  resume: 'start by a schedule again, from its next time on',
  remove: 'start nothing by a schedule any more',
};

/** The commands below `assay workflow` that are about starts by the clock. */
export function registerSchedules(group: Command): void {
  withPerson(withJson(group.command('schedule <key>')))
    .description('start the published version by the clock; every start asks the policies')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--app <uid>', 'the application whose scopes its steps use')
    .option('--every <time>', 'such as 15m, 6h, 1d or 2w, counted from now')
    .option('--cron <fields>', 'minute, hour, day of the month, month, day of the week, such as "0 6 * * 1"')
    .option('--time-zone <name>', 'of the fields of cron (default: that of the workspace)')
    .addOption(parametersOption())
    .action(set);
  listInPlace(
    group.command('schedules').description('list what is started by the clock, newest first'),
    (em, limit) => em.find(WorkflowSchedule, {}, { orderBy: { uid: 'desc' }, limit }),
    present,
  );
  for (const [event, description] of Object.entries(events) as [ScheduleEvent, string][]) {
    withPerson(withJson(group.command(`${event} <schedule>`)))
      .description(description)
      .action((uid: string, options: OutputOptions & GovernedOptions) => change(event, uid, options));
  }
}

async function set(key: string, options: ScheduleOptions): Promise<void> {
  const given = await readParameters(options.parameters);
  const made = await inPlaceAs(options, options, async (em, { uid: by }) => {
    const { parameters } = await runnable(em, key, given);
    const application = options.app;
    if (!(await em.findOne(Application, { uid: application }))) throw unknownApplication(application);
    const { timeZone: own } = await findWorkspace(em, options.workspace);
    const timeZone = options.timeZone ?? own;
    const recurrence = recurrenceOf(options, timeZone);
    return schedule(em, { key, application, parameters, recurrence, timeZone, by, now: systemClock.now() });
  });
  print(present(made), options);
}

function recurrenceOf({ cron, every }: Clockwork, timeZone: string): Recurrence {
  if ((cron === undefined) === (every === undefined)) {
    throw new Refusal('schedule_invalid', 'say --every or --cron');
  }
  if (!isTimeZone(timeZone)) throw new Refusal('schedule_invalid', `there is no time zone ${timeZone}`);
  if (cron !== undefined) {
    if (!isCron(cron)) {
      throw new Refusal(
        'schedule_invalid',
        '--cron takes five fields of digits and * , - / that come at some time',
      );
    }
    return { cron, timeZone };
  }
  const seconds = readEvery(every!);
  if (seconds !== undefined) return { every: seconds };
  const days = EVERY_SECONDS.max / 86_400;
  throw new Refusal('schedule_invalid', `--every takes 1m to ${days}d, in m, h, d or w`);
}

async function change(
  event: ScheduleEvent,
  uid: string,
  options: OutputOptions & GovernedOptions,
): Promise<void> {
  const about = {
    find: (em: Em) => em.findOne(WorkflowSchedule, { uid }, { filters: false }),
    code: 'schedule_unknown',
    what: 'schedule of a workflow',
  };
  const changed = await onRecordAs(about, options, (em, { uid: by }) =>
    changeSchedule(em, uid, { event, by, now: systemClock.now() }),
  );
  if (!changed.ok) throw new Refusal(changed.code, 'that cannot happen to the schedule in its present state');
  print(present(changed.schedule), options);
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
