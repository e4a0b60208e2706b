import type { Environment } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { scopes as allScopes } from '#lib/core/scope.ts';
import { createApplication, createPerson, createWorkspace, issueKey } from '#lib/workspace/provision.ts';
import type { Backend } from './backends.ts';

let count = 0;

export type Tenancy = {
  workspace: string;
  environment: Environment;
  person: string;
  application: string;
  credential: string;
  key: string;
};

export type TenancyOptions = { environment?: Environment; scopes?: string[]; workspace?: string };

/** A workspace of its own with a person, an application and a key; or a further application in a given workspace. */
export async function buildTenancy(
  backend: Pick<Backend, 'orm'>,
  options: TenancyOptions = {},
): Promise<Tenancy> {
  const now = new Date();
  const number = ++count;
  const environment = options.environment ?? 'sandbox';
  return inPlatform(backend.orm('operator'), async (em) => {
    const workspace = options.workspace ?? createWorkspace(em, { name: `Workspace ${number}`, now }).uid;
    await em.flush();
    const name = `Person ${number}`;
    const person = createPerson(em, {
      workspace,
      name,
      email: `person${number}.${process.pid}@example.com`,
      roles: ['owner'],
      now,
    });
    await em.flush();
    const application = createApplication(em, {
      workspace,
      environment,
      name: `Application ${number}`,
      scopes: options.scopes ?? [...allScopes],
      owner: person.uid,
      now,
    });
    await em.flush();
    const { key, credential } = issueKey(em, application, person.uid, now);
    return {
      workspace,
      environment,
      person: person.uid,
      application: application.uid,
      credential: credential.uid,
      key,
    };
  });
}
