import type { Clock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Em, Environment, Orm, Tenant } from '#lib/database/base.ts';
import type { Circumstances, Outcome, Place, WholeWorkspace } from '#lib/governance/command.ts';
import { govern } from '#lib/governance/govern.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { ownerOf } from './application.query.ts';
import { PersonCode } from './person-code.entity.ts';
import { isUnderCodes } from './person-code.write.ts';
import type { Person } from './person.entity.ts';
import { actingPerson, activePerson } from './person.query.ts';
import { environmentInUse } from './environment-in-use.query.ts';
import { ownerOf as workspaceOwner } from './named-person.query.ts';
import { useCode } from './use-code.command.ts';

type Actor = Circumstances['actor'];

/** What proves persons: codes are used in transactions of their own, and their secrets are opened with the key. */
export type ProofMeans = { orm: Orm; key: Buffer; clock: Clock };

/** Whom an operator claims to be, and the one-time code that proves it. */
export type Claim = { as?: string | undefined; code?: string | undefined };

/**
 * The person that a governed change is made as. One shell is not two persons: in production each shows a one-time code
 * of their own.
 */
export async function governingPerson(
  em: Em,
  means: ProofMeans,
  { workspace, environment }: Tenant,
  { as, code }: Claim,
): Promise<Person> {
  const person = await actingPerson(em, workspace, as);
  if (environment === 'sandbox' && code === undefined) return person;
  const used = await consumeCode(means, person, code);
  if (!used.ok) throw new Refusal(used.code, used.detail);
  return person;
}

/**
 * Who makes another person able to act: creates, enrols or reinstates them. Where one-time codes are in use it is an
 * enrolled person with a code; before that it is whoever is named, or nobody. Nobody else is made able to act in the
 * workspace before the transaction ends.
 */
async function personMaker(
  em: Em,
  means: ProofMeans,
  workspace: string,
  claim: Claim,
): Promise<Person | undefined> {
  await lockControl(em, workspace, 'change');
  if (!(await isUnderCodes(em, workspace))) {
    return claim.as === undefined ? undefined : activePerson(em, workspace, claim.as);
  }
  return governingPerson(em, means, { workspace, environment: 'production' }, claim);
}

/** Uses up a code in a transaction of its own: it stays used, or counted, even if what it was for is refused. */
export function consumeCode(
  { orm, key, clock }: ProofMeans,
  { uid, name }: Pick<Person, 'uid' | 'name'>,
  code: string | undefined,
): Promise<Outcome<typeof useCode>> {
  return govern(orm, useCode, { person: { uid, name }, code, key }, { actor: { kind: 'system' }, clock });
}

/** The person of the claim, who shows a code in production. */
export function provenPerson(means: ProofMeans, claim: Claim) {
  return async (em: Em, place: Tenant) => actorOf(await governingPerson(em, means, place, claim));
}

/** The person who is named, or the owner of the workspace, for changes that ask for no code. */
export function unprovenPerson(as: string | undefined) {
  return async (em: Em, place: { workspace: string }) => actorOf(await actingPerson(em, place.workspace, as));
}

/** As `unprovenPerson`; nobody by name where the workspace has no owner, since an import needs no authority. */
export function unprovenPersonIfAny(as: string | undefined) {
  return async (em: Em, { workspace }: { workspace: string }): Promise<Actor> => {
    const uid =
      as === undefined ? await workspaceOwner(em, workspace) : (await actingPerson(em, workspace, as)).uid;
    return uid === undefined ? { kind: 'system' } : actorOf({ uid });
  };
}

/** As `provenPerson`, for a change of a whole workspace. Nobody acts by name where the change is to no workspace. */
export function provenInWorkspace(
  means: ProofMeans,
  claim: Claim,
  environmentOf: (em: Em, workspace: string) => Promise<Environment> = async () => 'sandbox',
) {
  return async (em: Em, { workspace }: Place): Promise<Actor> => {
    if (workspace === undefined) return { kind: 'system' };
    const environment = await environmentOf(em, workspace);
    return actorOf(await governingPerson(em, means, { workspace, environment }, claim));
  };
}

/** Who makes a person able to act; nobody by name where that is allowed. */
export function provenMaker(means: ProofMeans, claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    const maker = await personMaker(em, means, workspace, claim);
    return maker ? actorOf(maker) : { kind: 'system' };
  };
}

/**
 * Who gives a person one-time codes. Codes that exist are replaced with a code of the person, or of another who is
 * named; the first ones are given by whoever makes persons able to act, or by the person.
 */
export function provenEnroller(means: ProofMeans, person: string, claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    if (!(await em.count(PersonCode, { personUid: person }, { filters: false }))) {
      return actorOf((await personMaker(em, means, workspace, claim)) ?? { uid: person });
    }
    const by = await activePerson(em, workspace, claim.as ?? person);
    const used = await consumeCode(means, by, claim.code);
    if (used.ok) return actorOf(by);
    if (used.code === 'code_locked') throw new Refusal(used.code, used.detail);
    throw new Refusal('code_invalid', 'To replace codes, show a code of the person, or of another by --as.');
  };
}

/** The issuer of a secret, who is shown it: the person of the claim, or the owner of the application. */
export function provenIssuer(means: ProofMeans, of: string, claim: Claim) {
  return async (em: Em, place: Tenant): Promise<Actor> => {
    const as = claim.as ?? (await ownerOf(em, of));
    return actorOf(await governingPerson(em, means, place, { ...claim, as }));
  };
}

/**
 * Who stops financial actions, or lets them go on. To stop is never slowed down; to go on asks for a code as soon as
 * the workspace has an application in production.
 */
export function provenFreezer(means: ProofMeans, event: 'freeze' | 'thaw', claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    const environment = event === 'thaw' ? await environmentInUse(em, workspace) : 'sandbox';
    return actorOf(await governingPerson(em, means, { workspace, environment }, claim));
  };
}

function actorOf({ uid }: { uid: string }): Actor {
  return { kind: 'person', uid };
}
