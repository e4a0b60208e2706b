import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { Person } from '#lib/access/person.entity.ts';
import { decideApproval, type ApprovalVerdict } from './decide-step.ts';
import { lockRun, stepsOf, unknownRun } from './locked-run.query.ts';
import { watchRun } from './watch.write.ts';
import { WorkflowRun } from './workflow-run.entity.ts';

type Input = {
  run: string;
  /** The key of the step to approve. Default: all waiting steps. */
  step?: string | undefined;
  reason: string;
};

/** Records a person's approval of a waiting step of a run, or of all its waiting steps. A refusal is also recorded. */
export const approveStep = defineCommand<Input>()({
  find: (em, { run }) => placeOfRecord(em, WorkflowRun, run),
  unknown: 'run_unknown',
  lock: (em, { run }) => lockRun(em, run),
  async facts(em, run, { step }, at) {
    const steps = await stepsOf(em, run);
    const { uid, roles } = await em.findOneOrFail(Person, { uid: personOf(at) }, { filters: false });
    const waiting = steps.filter(({ key, state }) =>
      step === undefined ? state === 'waiting_approval' : key === step,
    );
    return { run, waiting, person: { uid, roles } };
  },
  decide({ run, waiting, person }, _input, { now }): ApprovalVerdict {
    const facts = {
      state: waiting[0]?.state ?? ('pending' as const),
      isLate: now >= run.deadlineAt,
      requestedBy: run.requestedByUid,
    };
    return decideApproval(facts, person);
  },
  async write(em, { run, waiting, person }, _verdict, { now }) {
    for (const step of waiting) {
      em.assign(step, { state: 'succeeded', decidedByUid: person.uid, endedAt: now });
    }
    await em.flush();
    await watchRun(em, run.uid, now);
    return { result: waiting.map(({ key }) => key) };
  },
  entry: ({ run, waiting }, _verdict, { reason }) => ({
    op: 'workflow.step_approved',
    subject: { type: 'workflow_run', uid: run.uid },
    details: { steps: waiting.map(({ key }) => key), reason },
  }),
  refusals: {
    ...unknownRun,
    step_not_waiting: 'No step with this key waits for approval.',
    second_person_required: 'The person who requested the run cannot approve its steps.',
    approver_not_eligible: 'The approval needs a person with the role approver or owner.',
  } satisfies Record<RefusalCode<ApprovalVerdict> | 'run_unknown', string>,
});
