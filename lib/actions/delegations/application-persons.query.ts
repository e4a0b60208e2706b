import type { Em, Tenant } from '#lib/database/base.ts';
import { Application } from '#lib/access/application.entity.ts';
import { Credential } from '#lib/access/credential.entity.ts';
import { OAuthClient } from '#lib/access/oauth-client.entity.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { bindingKind, type Binding } from '../authority/binding.ts';
import type { ApplicationPersons } from './independence.ts';

/**
 * Returns the persons related to an application now. They include the persons who issued or rotated the credentials
 * that the application can use.
 */
export async function readApplicationPersons(
  em: Em,
  tenant: Tenant,
  application: string,
  now: Date,
): Promise<ApplicationPersons> {
  const [side] = await listApplicationPersons(em, tenant, now, { application });
  if (!side) throw new Error(`the application ${application} does not exist`);
  const { mayDraft: _, ...rest } = side;
  return rest;
}

/**
 * Returns the persons related to each application of an environment, or to one application. Reads the bindings if they
 * are not given.
 */
export async function listApplicationPersons(
  em: Em,
  tenant: Tenant,
  now: Date,
  { application, bindings: given }: { application?: string; bindings?: readonly Binding[] } = {},
): Promise<(ApplicationPersons & { mayDraft: boolean })[]> {
  const place = { workspaceUid: tenant.workspace, environment: tenant.environment };
  const one = application === undefined ? {} : { uid: application };
  const of = application === undefined ? {} : { applicationUid: application };
  const plain = { filters: false } as const;
  const applications = await em.find(Application, { ...place, ...one }, plain);
  const keys = await em.find(Credential, { ...place, ...of, revokedAt: null }, plain);
  const clients = await em.find(OAuthClient, { ...place, ...of, revokedAt: null }, plain);
  const bindings = given ?? (await inForce(em, bindingKind, tenant, application));
  return applications.map(({ uid, ownerUid, accountableUid, scopes, status }) => {
    const binding = bindings.find(({ body }) => body.application_uid === uid && isLive(body, now));
    return {
      application: uid,
      principals: [...new Set([ownerUid, accountableUid ?? ownerUid])],
      bound: binding ? [binding.body.person_uid] : [],
      issuers: [
        ...new Set([
          ...keys.filter(isOf(uid)).map(({ issuedByUid }) => issuedByUid),
          ...clients
            .filter(isOf(uid))
            .flatMap(({ issuedByUid, rotatedByUid }) => [issuedByUid, rotatedByUid ?? issuedByUid]),
        ]),
      ],
      others: [],
      binders: binding?.submittedByUid ? [binding.submittedByUid] : [],
      mayDraft: status === 'active' && scopes.includes('actions:create'),
    };
  });
}

function isOf(uid: string) {
  return ({ applicationUid }: { applicationUid: string }) => applicationUid === uid;
}

function isLive({ valid_until }: Binding['body'], now: Date): boolean {
  return new Date(valid_until) > now;
}
