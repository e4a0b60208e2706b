import type { Em, Environment, ServiceClass } from '#lib/database/base.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { sha256 } from '#lib/core/seal.ts';
import { scopes as allScopes } from '#lib/core/scope.ts';
import { newApiKey } from './api-key.ts';
import { Application } from './application.entity.ts';
import { Credential } from './credential.entity.ts';
import { Person } from './person.entity.ts';
import { Workspace } from './workspace.entity.ts';

/** Creates a workspace that is entitled to every scope. */
export function createWorkspace(
  em: Em,
  input: { name: string; serviceClass?: ServiceClass; region?: string; timeZone?: string; now: Date },
): Workspace {
  return em.create(Workspace, {
    uid: newUid(prefixes.workspace),
    name: input.name,
    serviceClass: input.serviceClass ?? 'standard',
    region: input.region ?? 'local',
    timeZone: input.timeZone ?? 'UTC',
    financialActions: 'active',
    frozenByUid: null,
    entitlements: [...allScopes],
    createdAt: input.now,
  });
}

export type NewPerson = { workspace: string; name: string; email: string; roles: string[]; now: Date };

export function createPerson(em: Em, input: NewPerson): Person {
  return em.create(Person, {
    uid: newUid(prefixes.person),
    workspaceUid: input.workspace,
    name: input.name,
    email: input.email,
    roles: input.roles,
    state: 'active',
    createdAt: input.now,
  });
}

export type NewApplication = {
  workspace: string;
  environment: Environment;
  name: string;
  scopes: string[];
  owner: string;
  accountable?: string | undefined;
  now: Date;
};

export function createApplication(em: Em, input: NewApplication): Application {
  return em.create(Application, {
    uid: newUid(prefixes.application),
    workspaceUid: input.workspace,
    environment: input.environment,
    name: input.name,
    scopes: input.scopes,
    status: 'active',
    ownerUid: input.owner,
    accountableUid: input.accountable ?? input.owner,
    builtIn: false,
    createdAt: input.now,
  });
}

export type KeyOptions = {
  issuedBy: string;
  now: Date;
  name?: string | undefined;
  expiresAt?: Date | undefined;
};

/** Issues an API key. Only the return value contains the key: the record stores its hash. */
export function issueKey(em: Em, application: Application, { issuedBy, now, name, expiresAt }: KeyOptions) {
  const { key, keyId } = newApiKey(application.environment);
  const credential = em.create(Credential, {
    uid: newUid(prefixes.credential),
    workspaceUid: application.workspaceUid,
    environment: application.environment,
    applicationUid: application.uid,
    keyId,
    secretHash: sha256(key),
    name: name ?? null,
    issuedByUid: issuedBy,
    createdAt: now,
    expiresAt: expiresAt ?? null,
  });
  return { credential, key };
}
