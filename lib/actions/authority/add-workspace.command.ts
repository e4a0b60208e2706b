import { defineCommand, deployment } from '#lib/governance/command.ts';
import { createWorkspace } from '#lib/access/provision.ts';
import { writeDefaults } from './defaults.ts';

type Input = { name: string; region: string; timeZone: string };

/**
 * Adds a workspace that is entitled to every scope, with the initial records for financial actions, such as
 * the catalogue of actions.
 */
export const addWorkspace = defineCommand<Input>()({
  find: async () => deployment,
  lock: async () => undefined,
  facts: async () => undefined,
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input, now }) {
    const workspace = createWorkspace(em, { ...input, now });
    await em.flush();
    await writeDefaults(em, workspace.uid, now);
    return { result: workspace, recordedIn: { workspace: workspace.uid } };
  },
  entry: (_facts, _verdict, { region, timeZone: time_zone }, workspace) =>
    workspace && {
      op: 'workspace.created',
      subject: { type: 'workspace', uid: workspace.uid },
      details: {
        service_class: workspace.serviceClass,
        entitlements: workspace.entitlements,
        region,
        time_zone,
      },
    },
  refusals: {},
});
