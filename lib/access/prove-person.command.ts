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
import { useCode, useCodeEvenAtRest } from './use-code.command.ts';

type Actor = Circumstances['actor'];

/**
 * The means to verify one-time codes. `orm` opens a separate transaction for each code, and `key` decrypts
 * the secrets of the codes.
 */
export type ProofMeans = { orm: Orm; key: Buffer; clock: Clock };

/** The person that an operator claims to be, and the one-time code that proves their identity. */
export type Claim = { as?: string | undefined; code?: string | undefined };

/**
 * Returns the person who makes a governed change. In production, each person must present their own one-time
 * code, so that one operator cannot act as two persons. In the sandbox, a code is optional, but a wrong code
 * is refused.
 */
export async function governingPerson(
  em: Em,
  means: ProofMeans,
  { workspace, environment }: Tenant,
  { as, code }: Claim,
): Promise<Person> {
  const person = await actingPerson(em, workspace, as);
  if (environment === 'sandbox' && code === undefined) return person;
  const used = await consumeCode(means, person, { code, environment });
  if (!used.ok) throw new Refusal(used.code, used.detail);
  return person;
}

/**
 * Returns the person who creates, enrols or reinstates another person. If the workspace requires codes
 * (`isUnderCodes`), the returned person must present a one-time code. Otherwise, returns the named person, or
 * undefined if no person is named. Until the transaction ends, a lock prevents other transactions from
 * creating, enrolling or reinstating a person of the workspace.
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
 * Consumes a code in its own transaction. Even if the command is refused afterwards, a correct code remains
 * used and a wrong code remains counted.
 */
export function consumeCode(
  { orm, key, clock }: ProofMeans,
  { uid, name }: Pick<Person, 'uid' | 'name'>,
  given: { code: string | undefined; environment: Environment },
): Promise<Outcome<typeof useCode>> {
  return useCodeEvenAtRest(({ isAtRest }) =>
    govern(
      orm,
      useCode,
      { person: { uid, name }, ...given, key, isAtRest },
      { actor: { kind: 'system' }, clock },
    ),
  );
}

/** Returns a function that finds the actor: the claimed person, who must present a code in production. */
export function provenPerson(means: ProofMeans, claim: Claim) {
  return async (em: Em, place: Tenant) => actorOf(await governingPerson(em, means, place, claim));
}

/**
 * Returns a function that finds the actor of a change that needs no code: the named person, or the owner of
 * the workspace if no person is named.
 */
export function unprovenPerson(as: string | undefined) {
  return async (em: Em, place: { workspace: string }) => actorOf(await actingPerson(em, place.workspace, as));
}

/**
 * Returns a function that finds the actor of an import: the named person, or the owner of the workspace if no
 * person is named. If the workspace has no owner, the actor is the system, because an import needs no
 * authority.
 */
export function unprovenPersonIfAny(as: string | undefined) {
  return async (em: Em, { workspace }: { workspace: string }): Promise<Actor> => {
    const uid =
      as === undefined ? await workspaceOwner(em, workspace) : (await actingPerson(em, workspace, as)).uid;
    return uid === undefined ? { kind: 'system' } : actorOf({ uid });
  };
}

/**
 * Returns a function that finds the actor of a change of a whole workspace: the claimed person, who must
 * present a code if `environmentOf` returns production. If the change concerns no workspace, the actor is the
 * system.
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

/**
 * Returns a function that finds the actor who creates, enrols or reinstates a person: the result of
 * `personMaker`, or the system if there is none.
 */
export function provenMaker(means: ProofMeans, claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    const maker = await personMaker(em, means, workspace, claim);
    return maker ? actorOf(maker) : { kind: 'system' };
  };
}

/**
 * Returns a function that finds the actor who gives a person another way to sign in: the result of `personMaker`, or the
 * owner of the workspace if there is none.
 */
export function provenLinker(means: ProofMeans, claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    const maker = await personMaker(em, means, workspace, claim);
    return actorOf(maker ?? (await actingPerson(em, workspace, undefined)));
  };
}

/**
 * Returns a function that finds the actor who confirms that a passkey or an identity belongs to its person. The claimed
 * person must always present a code: a confirmation counts in production, and remains when the workspace begins to use
 * codes.
 */
export function provenConfirmer(means: ProofMeans, claim: Claim) {
  return provenInWorkspace(means, claim, async () => 'production');
}

/**
 * Returns a function that finds the actor who sets up one-time codes of `person` on the command line. To replace existing
 * codes, `person` must present a code of theirs. For the first codes, the actor is the result of `personMaker`, or `person`
 * if there is none. The command refuses every actor other than `person`.
 */
export function provenEnroller(means: ProofMeans, person: string, claim: Claim) {
  return async (em: Em, { workspace }: WholeWorkspace): Promise<Actor> => {
    if (!(await em.count(PersonCode, { personUid: person }, { filters: false }))) {
      return actorOf((await personMaker(em, means, workspace, claim)) ?? { uid: person });
    }
    const by = await activePerson(em, workspace, claim.as ?? person);
    if (by.uid !== person) return actorOf(by);
    const used = await consumeCode(means, by, { code: claim.code, environment: 'sandbox' });
    if (used.ok) return actorOf(by);
    if (used.code === 'code_locked') throw new Refusal(used.code, used.detail);
    throw new Refusal(
      'code_invalid',
      'Replacing one-time codes requires a one-time code of the same person.',
    );
  };
}

/**
 * Returns a function that finds the actor who issues a secret and sees it: the claimed person, or the owner
 * of the application if no person is claimed.
 */
export function provenIssuer(means: ProofMeans, of: string, claim: Claim) {
  return async (em: Em, place: Tenant): Promise<Actor> => {
    const as = claim.as ?? (await ownerOf(em, of));
    return actorOf(await governingPerson(em, means, place, { ...claim, as }));
  };
}

/**
 * Returns a function that finds the actor who freezes financial actions or allows them again. Freezing needs
 * no code, so that it is never delayed. Allowing the actions again needs a code once the workspace has a
 * production application.
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
