import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { Application } from '#lib/access/application.entity.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { ParameterValues } from './parameters.ts';
import { firstAfter, type Recurrence } from './recurrence.ts';
import { entryOf, readRecurrence, type Timing } from './schedule.ts';
import { notRunnable, readRunnable, type Runnable } from './version.query.ts';
import { WorkflowSchedule } from './workflow-schedule.entity.ts';

type Input = Tenant &
  Timing & {
    key: string;
    application: string;
    parameters: Readonly<Record<string, unknown>>;
    /** The time zone of the cron fields, an IANA name. Default: the time zone of the workspace. */
    timeZone?: string | undefined;
  };

type ScheduleVerdict =
  | (Extract<Runnable, { ok: true }> & { recurrence: Recurrence; timeZone: string })
  | Extract<Runnable, { ok: false }>
  | { ok: false; code: 'application_unknown' }
  | { ok: false; code: 'schedule_invalid'; detail: string };

/**
 * Schedules starts of a workflow. A person is responsible for these starts. The schedule grants no rights: every start
 * is admitted separately.
 */
export const scheduleWorkflow = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: async (em, _locked, { key, application, parameters }, { place }) => ({
    runnable: await readRunnable(em, key, parameters),
    hasApplication: (await em.count(Application, { uid: application })) > 0,
    timeZone: (await em.findOneOrFail(Workspace, { uid: place.workspace })).timeZone,
  }),
  decide({ runnable, hasApplication, timeZone: own }, input): ScheduleVerdict {
    if (!runnable.ok) return runnable;
    if (!hasApplication) return { ok: false, code: 'application_unknown' };
    const timeZone = input.timeZone ?? own;
    const read = readRecurrence(input, timeZone);
    return read.ok
      ? { ...runnable, recurrence: read.recurrence, timeZone }
      : { ok: false, code: 'schedule_invalid', detail: read.detail };
  },
  async write(em, _facts, { recurrence, timeZone }, at) {
    const { workspace, environment, key, application } = at.input;
    // Only the given parameters are stored, so that the other parameters follow an upgrade of the installation.
    const parameters = at.input.parameters as ParameterValues;
    const dueAt = firstAfter(recurrence, at.now);
    const made = em.create(WorkflowSchedule, {
      uid: newUid(prefixes.workflowSchedule),
      workspaceUid: workspace,
      environment,
      workflowKey: key,
      applicationUid: application,
      parameters,
      everySeconds: 'every' in recurrence ? recurrence.every : null,
      cron: 'cron' in recurrence ? recurrence.cron : null,
      timeZone,
      state: 'active',
      setByUid: personOf(at),
      setAt: at.now,
      dueAt,
      lookAt: dueAt,
      lastDueAt: null,
      lastOutcome: null,
      lastMissed: 0,
      lastAdmissionUid: null,
      lastRunUid: null,
    });
    return { result: made };
  },
  entry: (_facts, _verdict, _input, made) => made && entryOf('workflow.scheduled', made),
  refusals: {
    ...unknownWorkspace,
    ...notRunnable,
    application_unknown: 'The application does not exist.',
    schedule_invalid: 'The timing of the schedule is not valid.',
  } satisfies Record<RefusalCode<ScheduleVerdict> | 'workspace_unknown', string>,
});
