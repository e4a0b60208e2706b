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

/**
 * The means to verify codes. Each code is consumed in its own transaction, and the key decrypts the secrets
 * of the codes.
 */
export type ProofMeans = { orm: Orm; key: Buffer; clock: Clock };

/** The person that an operator claims to be, and the one-time code that proves their identity. */
export type Claim = { as?: string | undefined; code?: string | undefined };

/**
 * Returns the person who makes a governed change. In production, each person must present their own one-time code, so
 * that one operator cannot act as two persons.
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
 * Returns the person who enables another person to act, by creating, enrolling or reinstating them. Once the workspace
 * uses one-time codes, that person must be enrolled and present a code. Before that, returns the named person, or
 * undefined if no person is named. A lock prevents that another person is enabled to act in the workspace before the
 * transaction ends.
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

/**
 * Consumes a code in its own transaction. The code stays consumed, or counted as wrong, even if the command
 * is refused.
 */
export function consumeCode(
  { orm, key, clock }: ProofMeans,
  { uid, name }: Pick<Person, 'uid' | 'name'>,
  code: string | undefined,
): Promise<Outcome<typeof useCode>> {
  return govern(orm, useCode, { person: { uid, name }, code, key }, { actor: { kind: 'system' }, clock });
}

/** Returns the claimed person, who must present a code in production. */
export function provenPerson(means: ProofMeans, claim: Claim) {
  return async (em: Em, place: Tenant) => actorOf(await governingPerson(em, means, place, claim));
}

/** Returns the named person, or the owner of the workspace, for changes that need no code. */
export function unprovenPerson(as: string | undefined) {
  return async (em: Em, place: { workspace: string }) => actorOf(await actingPerson(em, place.workspace, as));
}

/**
 * Returns the named person, or the owner of the workspace. Returns the system if the workspace has no owner, because an
 * import needs no authority.
 */
export function unprovenPersonIfAny(as: string | undefined) {
  return async (em: Em, { workspace }: { workspace: string }): Promise<Actor> => {
    const uid =
      as === undefined ? await workspaceOwner(em, workspace) : (await actingPerson(em, workspace, as)).uid;
    return uid === undefined ? { kind: 'system' } : actorOf({ uid });
  };
}

/**
 * Returns the person who makes a change of a whole workspace, who must present a code in production. Returns the system
 * if the change concerns no workspace.
 */
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

/** Returns the person who enables another person to act, or the system if no person is required. */
export function provenMaker(means: ProofMeans, claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    const maker = await personMaker(em, means, workspace, claim);
    return maker ? actorOf(maker) : { kind: 'system' };
  };
}

/**
 * Returns the person who gives another person one-time codes. To replace codes, the receiving person, or another named
 * person, must present a code. The first codes are given by the person who enables persons to act. If no such person is
 * required, the receiving person gives them.
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
    throw new Refusal(
      'code_invalid',
      'Replacing one-time codes requires a code of the same person, or of another person named with --as.',
    );
  };
}

/** Returns the person who issues a secret and sees it: the claimed person, or the owner of the application. */
export function provenIssuer(means: ProofMeans, of: string, claim: Claim) {
  return async (em: Em, place: Tenant): Promise<Actor> => {
    const as = claim.as ?? (await ownerOf(em, of));
    return actorOf(await governingPerson(em, means, place, { ...claim, as }));
  };
}

/**
 * Returns the person who freezes financial actions or allows them again. Freezing needs no code, so that it is never
 * delayed. Allowing the actions again needs a code once the workspace has a production application.
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
