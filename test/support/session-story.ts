import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import { addPerson } from '#lib/access/add-person.command.ts';
import { closeConsoleSession } from '#lib/access/console/close-session.command.ts';
import { governInSession } from '#lib/access/console/govern-in-session.ts';
import { issueConsoleLink } from '#lib/access/console/issue-link.command.ts';
import { openConsoleSession } from '#lib/access/console/open-session.command.ts';
import { findConsoleSession, type ConsoleSession } from '#lib/access/console/session.query.ts';
import type { SessionProof } from '#lib/access/console/session.ts';
import { confirmCodes } from '#lib/access/change-codes.command.ts';
import { enrolPerson } from '#lib/access/enrol-person.command.ts';
import { addIdentity } from '#lib/access/oidc/add-identity.command.ts';
import { confirmIdentity, removeIdentity } from '#lib/access/oidc/change-identity.command.ts';
import type { IdentityState } from '#lib/access/oidc/identity.ts';
import { signInWithIdentity } from '#lib/access/oidc/sign-in-with-identity.command.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { removeOwnPasskey } from '#lib/access/passkeys/change-passkey.command.ts';
import { decidePerson, type PersonEvent, type PersonState } from '#lib/access/person.ts';
import { changePerson } from '#lib/actions/authority/change-person.command.ts';
import type { Environment, Orm } from '#lib/database/base.ts';
import { codesOf } from '#lib/access/person-code.query.ts';
import { askDirectly, inPlatform } from '#lib/database/orm.ts';
import type { AnyCommand, InputOf, Outcome } from '#lib/governance/command.ts';
import { govern } from '#lib/governance/govern.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';

const MINUTE_MS = 60_000;
const ISSUER = 'https://idp.example';
const KEY = Buffer.alloc(32, 7);

type ModelPerson = {
  uid: string;
  name: string;
  state: PersonState;
  subject: string;
  identity: { uid: string; state: IdentityState };
  /** The secret of the person's one-time codes; undefined if the person has none. */
  codes: string | undefined;
};

type ModelSession = {
  secret: string;
  person: ModelPerson;
  environment: Environment;
  proof: SessionProof;
  openedMs: number;
  seenMs: number;
  isEnded: boolean;
};

type ModelLink = {
  secret: string;
  person: ModelPerson;
  environment: Environment;
  issuedMs: number;
  isUsed: boolean;
};

/** The state of sessions as the rules describe it, to be compared with the database. */
export type SessionStory = {
  nowMs: number;
  persons: ModelPerson[];
  sessions: ModelSession[];
  links: ModelLink[];
};

/** The database with the roles of the operator and the console, and the outcomes that occurred. */
export type SessionStage = {
  tenancy: Tenancy;
  second: string;
  operator: Orm;
  console: Orm;
  outcomes: Map<string, number>;
};

export async function openSessionStage(backend: Backend): Promise<SessionStage> {
  const tenancy = await buildTenancy(backend);
  const { person: second } = await buildTenancy(backend, { workspace: tenancy.workspace });
  const outcomes = new Map<string, number>();
  return { tenancy, second, operator: backend.orm('operator'), console: backend.orm('console'), outcomes };
}

let count = 0;

/** Begins a story: one person with one-time codes and a confirmed identity, and one with a linked identity only. */
export async function newSessionStory(stage: SessionStage): Promise<SessionStory> {
  const story: SessionStory = { nowMs: Date.now(), persons: [], sessions: [], links: [] };
  const { workspace } = stage.tenancy;
  for (const isFull of [true, false]) {
    const name = `Story ${process.pid} ${(count += 1)}`;
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const added = await done(stage, story, addPerson, { workspace, name, email, roles: ['analyst'] });
    const { uid } = added.result;
    const subject = `subject of ${name}`;
    const linked = await done(stage, story, addIdentity, { person: uid, issuer: ISSUER, subject });
    const identity = { uid: linked.result.uid, state: 'linked' as IdentityState };
    let codes: string | undefined;
    if (isFull) {
      await done(stage, story, confirmIdentity, { identity: identity.uid }, stage.second);
      identity.state = 'confirmed';
      codes = await enrol(stage, story, uid);
    }
    story.persons.push({ uid, name, state: 'active', subject, identity, codes });
  }
  return story;
}

/** Enrols a person for one-time codes, which a second person confirms. Returns their secret. */
async function enrol(stage: SessionStage, story: SessionStory, person: string): Promise<string> {
  const { result } = await done(stage, story, enrolPerson, { person, key: KEY }, person);
  if (result.state === 'registered') {
    const { fingerprint } = (await inPlatform(stage.operator, (em) => codesOf(em, person)))!;
    await done(stage, story, confirmCodes, { person, fingerprint }, stage.second);
  }
  return result.secret;
}

type Step = (story: SessionStory, stage: SessionStage) => Promise<void>;

/** Lets time pass. */
export const wait =
  (ms: number): Step =>
  async (story) => {
    story.nowMs += ms;
  };

/** Issues a link for a person. */
export const issueLink =
  (which: number, environment: Environment): Step =>
  async (story, stage) => {
    const person = at(story.persons, which)!;
    const outcome = await asOperator(stage, story, issueConsoleLink, { person: person.uid, environment });
    tell(stage, 'link', outcome, person.state === 'active' ? 'ok' : 'person_not_active');
    if (!outcome.ok) return;
    const { secret } = outcome.result;
    story.links.push({ secret, person, environment, issuedMs: story.nowMs, isUsed: false });
  };

/** Opens a session with a link, which may be used or old. */
export const followLink =
  (which: number): Step =>
  async (story, stage) => {
    const link = at(story.links, which);
    if (!link) return;
    const outcome = await inConsole(stage, story, openConsoleSession, { link: link.secret });
    const isOld = story.nowMs - link.issuedMs >= 15 * MINUTE_MS;
    const expected = link.isUsed
      ? 'link_used'
      : isOld
        ? 'link_expired'
        : link.person.state === 'active'
          ? 'ok'
          : 'person_not_active';
    tell(stage, 'follow', outcome, expected);
    if (!outcome.ok) return;
    link.isUsed = true;
    opened(story, { ...link, secret: outcome.result.secret, proof: 'link' });
  };

/** Opens a session with an identity that the identity provider proved. */
export const signInAtProvider =
  (which: number, environment: Environment): Step =>
  async (story, stage) => {
    const person = at(story.persons, which)!;
    const claimed = { issuer: ISSUER, subject: person.subject, acr: null, amr: [] };
    const outcome = await inConsole(stage, story, signInWithIdentity, { claimed, environment });
    const { state } = person.identity;
    const expected =
      state === 'removed'
        ? 'identity_unknown'
        : person.state !== 'active'
          ? 'person_not_active'
          : state === 'linked' && environment === 'production'
            ? 'identity_unconfirmed'
            : 'ok';
    tell(stage, 'sign in', outcome, expected);
    if (outcome.ok) opened(story, { person, environment, secret: outcome.result.secret, proof: 'oidc' });
  };

/** Sends a request in a session, which may have ended. */
export const request =
  (which: number): Step =>
  async (story, stage) => {
    const session = at(story.sessions, which);
    if (session) await find(story, stage, session);
  };

/** Sends a request every 14 minutes, so that a session does not end because it is idle. */
export const keepBusy =
  (which: number, minutes: number): Step =>
  async (story, stage) => {
    const session = at(story.sessions, which);
    if (!session) return;
    for (let passed = 0; passed < minutes; passed += 14) {
      await find(story, stage, session);
      story.nowMs += 14 * MINUTE_MS;
    }
  };

/** Presents values that a thief could have: the stored hash of a session, and a secret with one other character. */
export const steal =
  (which: number): Step =>
  async (story, stage) => {
    const session = at(story.sessions, which);
    if (!session) return;
    const { secret } = session;
    const changed = `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
    for (const value of [sha256(secret), changed, secret.toUpperCase() + secret.toLowerCase()])
      expect(await findBy(story, stage, value), 'a stolen value').to.equal(undefined);
  };

/** Closes a session. */
export const signOut =
  (which: number): Step =>
  async (story, stage) => {
    const session = at(story.sessions, which);
    if (!session || !(await find(story, stage, session))) return;
    const { secret, person, environment } = session;
    const tenant = { workspace: stage.tenancy.workspace, environment };
    const given = { session: secret, person: person.uid, tenant, everywhere: false };
    tell(stage, 'sign out', await inConsole(stage, story, closeConsoleSession, given), 'ok');
    session.isEnded = true;
  };

/** Suspends or reinstates a person, or records that the person left. */
export const changeState =
  (which: number, event: PersonEvent): Step =>
  async (story, stage) => {
    const person = at(story.persons, which)!;
    const { workspace } = stage.tenancy;
    const given = { workspace, person: person.uid, event, reason: 'test' };
    const outcome = await asOperator(stage, story, changePerson, given);
    const verdict = decidePerson(person.state, event, { state: 'active', self: false });
    tell(stage, event, outcome, verdict.ok ? 'ok' : verdict.code);
    if (!verdict.ok) return;
    person.state = verdict.next;
    if (verdict.next !== 'active') endAll(story, person);
  };

/** Suspends a person, reinstates the person at once, and sends a request in each session. */
export const suspendBriefly =
  (which: number): Step =>
  async (story, stage) => {
    for (const event of ['suspend', 'reinstate'] as const) await changeState(which, event)(story, stage);
    for (const session of story.sessions) await find(story, stage, session);
  };

/** Removes the identity of a person. */
export const unlink =
  (which: number): Step =>
  async (story, stage) => {
    const person = at(story.persons, which)!;
    const outcome = await asOperator(stage, story, removeIdentity, { identity: person.identity.uid });
    tell(stage, 'unlink', outcome, person.identity.state === 'removed' ? 'identity_unknown' : 'ok');
    person.identity.state = 'removed';
    if (outcome.ok) endAll(story, person, 'oidc');
  };

/**
 * Makes a decision in a session, twice with the same code. The decision is about an unknown passkey, so a confirmed
 * decision is refused with `passkey_unknown`. Four minutes pass before, so that wrong codes never lock the person.
 */
export const decide =
  (which: number): Step =>
  async (story, stage) => {
    story.nowMs += 4 * MINUTE_MS;
    const session = at(story.sessions, which);
    const found = session && (await find(story, stage, session));
    if (!found) return;
    const { codes } = session.person;
    const isProduction = session.environment === 'production';
    const unconfirmed = isProduction ? 'person_not_enrolled' : 'passkey_unknown';
    const code = codes === undefined ? undefined : codeAt(codes, clockOf(story).now());
    for (const expected of codes === undefined ? [unconfirmed] : ['passkey_unknown', 'code_invalid']) {
      const outcome = await governInSession(
        { orm: stage.console, key: KEY, clock: clockOf(story) },
        found,
        removeOwnPasskey,
        () => ({ passkey: 'psk_unknown', tenant: tenantOf(found) }),
        {
          sessionHash: sha256(session.secret),
          party: { id: 'localhost', origin: 'http://localhost' },
          decided: { op: 'account.remove', subject: 'psk_unknown', terms_hash: sha256('') },
          answer: undefined,
          code,
          requestId: 'req_story',
        },
      );
      tell(stage, 'decide', outcome, expected);
    }
  };

/** Sends a request in a session and compares the answer with the model. */
async function find(
  story: SessionStory,
  stage: SessionStage,
  session: ModelSession,
): Promise<ConsoleSession | undefined> {
  const found = await findBy(story, stage, session.secret);
  const isIdle = story.nowMs - session.seenMs >= 15 * MINUTE_MS;
  const isOld = story.nowMs - session.openedMs >= 480 * MINUTE_MS;
  const expected = session.isEnded ? 'ended' : isOld ? 'old' : isIdle ? 'idle' : 'open';
  count1(stage, `request ${expected}`);
  expect(found !== undefined, expected).to.equal(expected === 'open');
  if (!found) return undefined;
  expect([found.person.uid, found.environment, found.proof, found.workspace.uid]).to.deep.equal([
    session.person.uid,
    session.environment,
    session.proof,
    stage.tenancy.workspace,
  ]);
  // The database writes the time of a request at most once a minute.
  if (story.nowMs - session.seenMs > MINUTE_MS) session.seenMs = story.nowMs;
  return found;
}

function findBy(story: SessionStory, stage: SessionStage, secret: string) {
  const ask = (text: string, values: readonly unknown[]) => askDirectly(stage.console, text, values);
  return findConsoleSession(ask, secret, clockOf(story).now());
}

function opened(
  story: SessionStory,
  session: Pick<ModelSession, 'secret' | 'person' | 'environment' | 'proof'>,
): void {
  const known = [...story.sessions, ...story.links].map(({ secret }) => secret);
  expect(known, 'each session has a new secret').to.not.include(session.secret);
  const { secret, person, environment, proof } = session;
  const { nowMs } = story;
  story.sessions.push({ secret, person, environment, proof, openedMs: nowMs, seenMs: nowMs, isEnded: false });
}

function endAll(story: SessionStory, person: ModelPerson, proof?: SessionProof): void {
  for (const session of story.sessions)
    if (session.person === person && (proof === undefined || session.proof === proof)) session.isEnded = true;
}

function tell(
  stage: SessionStage,
  step: string,
  outcome: { ok: true } | { ok: false; code: string },
  expected: string,
): void {
  expect(outcome.ok ? 'ok' : outcome.code, step).to.equal(expected);
  count1(stage, `${step} ${expected}`);
}

function count1({ outcomes }: SessionStage, name: string): void {
  outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
}

/** Selects an item by its distance from the newest. */
function at<T>(items: readonly T[], which: number): T | undefined {
  return items.length === 0 ? undefined : items[items.length - 1 - (which % items.length)];
}

function tenantOf({ workspace, environment }: ConsoleSession) {
  return { workspace: workspace.uid, environment };
}

function clockOf({ nowMs }: SessionStory) {
  return { now: () => new Date(nowMs) };
}

function asOperator<C extends AnyCommand>(
  { operator, tenancy }: SessionStage,
  story: SessionStory,
  command: C,
  input: InputOf<C>,
  by: string = tenancy.person,
): Promise<Outcome<C>> {
  const actor = { kind: 'person' as const, uid: by };
  return govern(operator, command, input, { actor, clock: clockOf(story) } as Parameters<
    typeof govern<C>
  >[3]);
}

function inConsole<C extends AnyCommand>(
  stage: SessionStage,
  story: SessionStory,
  command: C,
  input: InputOf<C>,
): Promise<Outcome<C>> {
  const actor = { kind: 'system' as const };
  const request = { actor, clock: clockOf(story), requestId: 'req_story' };
  return govern(stage.console, command, input, request as Parameters<typeof govern<C>>[3]);
}

async function done<C extends AnyCommand>(
  stage: SessionStage,
  story: SessionStory,
  command: C,
  input: InputOf<C>,
  by?: string,
): Promise<Extract<Outcome<C>, { ok: true }>> {
  const outcome = await asOperator(stage, story, command, input, by);
  if (!outcome.ok) throw new Error(`the story cannot begin: ${outcome.code}`);
  return outcome as Extract<Outcome<C>, { ok: true }>;
}
