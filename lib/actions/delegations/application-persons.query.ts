import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
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
  const rows = await readSides(em, tenant, application);
  const bindings = given ?? (await inForce(em, bindingKind, tenant, application));
  return rows.map(({ uid, owner, accountable, issuers, may_draft: mayDraft }) => {
    const binding = bindings.find(({ body }) => body.application_uid === uid && isLive(body, now));
    return {
      application: uid,
      principals: [...new Set([owner, accountable ?? owner])],
      bound: binding ? [binding.body.person_uid] : [],
      issuers,
      others: [],
      binders: binding?.submittedByUid ? [binding.submittedByUid] : [],
      mayDraft,
    };
  });
}

type Side = {
  uid: string;
  owner: string;
  accountable: string | null;
  /** The persons who issued or rotated the credentials that the application can use. */
  issuers: string[];
  may_draft: boolean;
};

async function readSides(
  em: Em,
  { workspace, environment }: Tenant,
  application: string | undefined,
): Promise<Side[]> {
  const isWanted = application === undefined ? sql`true` : sql`a.uid = ${application}`;
  const place = sql`c.workspace_uid = ${workspace} and c.environment = ${environment}`;
  const isUsable = sql`${place} and c.application_uid = a.uid and c.revoked_at is null`;
  const { rows } = await sql<Side>`
    select a.uid, a.owner_uid as owner, a.accountable_uid as accountable,
      a.status = 'active' and 'actions:create' = any(a.scopes) as may_draft, array(
        select distinct person from (
          select c.issued_by_uid as person from credential c where ${isUsable}
          union all
          select unnest(array[c.issued_by_uid, c.rotated_by_uid]) from oauth_client c where ${isUsable}
        ) issuer where person is not null order by person
      ) as issuers
    from application a
    where a.workspace_uid = ${workspace} and a.environment = ${environment} and ${isWanted}
    order by a.uid`.execute(em.getKysely());
  return rows;
}

function isLive({ valid_until }: Binding['body'], now: Date): boolean {
  return new Date(valid_until) > now;
}
