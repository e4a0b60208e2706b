import type { Environment, Em, ServiceClass } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { scopes as allScopes } from '#lib/core/scope.ts';
import type { Application } from '#lib/access/application.entity.ts';
import { ProductionAccess } from '#lib/access/production-access.entity.ts';
import { createApplication, createPerson, createWorkspace, issueKey } from '#lib/access/provision.ts';
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

export type TenancyOptions = {
  environment?: Environment;
  scopes?: string[];
  workspace?: string;
  /** The service class of a new workspace. Default: that of every new workspace. */
  serviceClass?: ServiceClass;
};

/**
 * Creates a workspace with a person, an application and a key, or only another application in a given
 * workspace.
 */
export async function buildTenancy(
  backend: Pick<Backend, 'orm'>,
  options: TenancyOptions = {},
): Promise<Tenancy> {
  const now = new Date();
  const number = ++count;
  const environment = options.environment ?? 'sandbox';
  return inPlatform(backend.orm('operator'), async (em) => {
    const { serviceClass } = options;
    const given = { name: `Workspace ${number}`, ...(serviceClass && { serviceClass }), now };
    const workspace = options.workspace ?? createWorkspace(em, given).uid;
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
    const { key, credential } = issueKey(em, application, { issuedBy: person.uid, now });
    if (environment === 'production') await openProduction(em, application, now);
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

/** Grants production access, requested by one person of the workspace and granted by another. */
async function openProduction(em: Em, application: Application, now: Date): Promise<void> {
  const number = ++count;
  const second = createPerson(em, {
    workspace: application.workspaceUid,
    name: `Person ${number}`,
    email: `person${number}.${process.pid}@example.com`,
    roles: ['approver'],
    now,
  });
  await em.flush();
  em.create(ProductionAccess, {
    applicationUid: application.uid,
    workspaceUid: application.workspaceUid,
    environment: application.environment,
    state: 'approved',
    requestedByUid: application.ownerUid,
    requestedAt: now,
    approvedByUid: second.uid,
    approvedAt: now,
    revokedByUid: null,
    revokedAt: null,
  });
}
