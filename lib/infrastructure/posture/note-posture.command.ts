import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import type { ControlKey, ControlStatus } from './controls.ts';

type Input = { tenant: Tenant; control: ControlKey; from: ControlStatus; to: ControlStatus };

/** Records in the log of an environment that a control of the deployment has a new status. */
export const notePosture = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: async () => undefined,
  facts: async () => undefined,
  decide: () => ({ ok: true as const }),
  write: async () => ({ result: undefined }),
  entry: (_facts, _verdict, { control, from, to }) => ({
    op: 'posture.changed',
    subject: { type: 'posture_control', uid: control },
    details: { control, from, to },
  }),
  refusals: {},
});
