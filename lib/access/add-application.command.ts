import type { Environment } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { Application } from './application.entity.ts';
import { activePerson } from './person.query.ts';
import { createApplication } from './provision.ts';
import { knownPlace } from './known-place.query.ts';
import { workspaceUnknown } from './workspace.query.ts';

type Input = {
  workspace: string;
  environment: Environment;
  name: string;
  scopes: string[];
  owner: string;
  /** Uid of the person who is responsible for the application. Defaults to the owner. */
  accountable?: string | undefined;
};

/** Adds an application to one environment of a workspace. The owner and the responsible person must be active. */
export const addApplication = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  async facts(em, _locked, { workspace, environment, name, owner, accountable = owner }) {
    await activePerson(em, workspace, owner);
    await activePerson(em, workspace, accountable);
    return em.count(Application, { workspaceUid: workspace, environment, name }, { filters: false });
  },
  decide: (known) =>
    known ? { ok: false as const, code: 'application_exists' as const } : { ok: true as const },
  async write(em, _known, _verdict, { input, now }) {
    return { result: createApplication(em, { ...input, now }) };
  },
  entry: (_known, _verdict, { scopes, owner, accountable = owner }, application) =>
    application && {
      op: 'application.created',
      subject: { type: 'application', uid: application.uid },
      details: { scopes, owner, accountable },
    },
  refusals: {
    workspace_unknown: workspaceUnknown,
    application_exists: ({ environment, name }) =>
      `The ${environment} environment already has an application named ${name}.`,
  },
});
