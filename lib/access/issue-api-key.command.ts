import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf, placeOf, type Entry } from '#lib/governance/command.ts';
import { applicationUnknown, placeOfApplication } from './application.query.ts';
import type { Application } from './application.entity.ts';
import { lockApplication } from './change-application.command.ts';
import { Credential } from './credential.entity.ts';
import { liveKeys } from './credential.write.ts';
import { issueKey } from './provision.ts';

/**
 * The largest number of valid keys of an application: two, so that a new key can be rolled out before the old key is
 * revoked.
 */
export const LIVE_KEYS_MAX = 2;

type Given = { name?: string | undefined; expiresAt?: Date | undefined };

type IssueVerdict =
  | { ok: true }
  | { ok: false; code: 'application_built_in' | 'application_revoked' | 'key_limit_reached' };

/** Issues an API key for an application. Only the result contains the key. */
export const issueApiKey = defineCommand<Given & { application: string }>()({
  find: (em, { application }) => placeOfApplication(em, application),
  unknown: 'application_unknown',
  lock: (em, { application }) => lockApplication(em, application),
  facts: async (em, application, _input, { now }) => ({
    application,
    keys: await liveKeys(em, application, now),
  }),
  decide: ({ application, keys }) => decideIssue(application, keys),
  async write(em, { application }, _verdict, { input: { name, expiresAt }, now, actor }) {
    return { result: issueKey(em, application, { issuedBy: personOf({ actor }), now, name, expiresAt }) };
  },
  entry: (_facts, _verdict, _input, issued) => issued && keyEntry('key.issued', issued.credential),
  refusals: {
    application_unknown: applicationUnknown,
    application_built_in: 'The application belongs to the console and has no credentials.',
    application_revoked: 'The application is revoked.',
    key_limit_reached: `The application has ${LIVE_KEYS_MAX} keys, which is the limit. Revoke one first.`,
  },
});

function decideIssue(
  { status, builtIn }: Pick<Application, 'status' | 'builtIn'>,
  keys: number,
): IssueVerdict {
  if (builtIn) return { ok: false, code: 'application_built_in' };
  if (status === 'revoked') return { ok: false, code: 'application_revoked' };
  return keys < LIVE_KEYS_MAX ? { ok: true } : { ok: false, code: 'key_limit_reached' };
}

/** The refusals that all commands on one API key share. */
const ofLiveKey = {
  unknown: 'key_unknown' as const,
  refusals: {
    key_unknown: ({ key }: { key: string }) => `The key ${key} does not exist.`,
    key_revoked: 'The key is already revoked.',
  },
};

/**
 * Issues a new key that replaces another key, which is revoked at once. The new key keeps the name of the old
 * key unless a name is given.
 */
export const rotateApiKey = defineCommand<Given & { key: string }>()({
  ...ofLiveKey,
  find: async (em, { key }) => placeOf(await em.findOne(Credential, { uid: key }, { filters: false })),
  lock: (em, { key }) =>
    em.findOneOrFail(
      Credential,
      { uid: key },
      { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    ),
  facts: async (em, old) => ({ old, application: await lockApplication(em, old.applicationUid) }),
  decide: ({ old }) => decideLive(old),
  async write(em, { old, application }, _verdict, { input: { key, expiresAt, ...given }, now, actor }) {
    old.revokedAt = now;
    const name = given.name ?? old.name ?? undefined;
    const result = issueKey(em, application, { issuedBy: personOf({ actor }), now, name, expiresAt });
    return { result, consequences: [keyEntry('key.issued', result.credential, { replaces: key })] };
  },
  entry: ({ old }, verdict) => (verdict.ok ? keyEntry('key.revoked', old) : undefined),
});

/** Revokes a key. The key is rejected from the next request on. */
export const revokeApiKey = defineCommand<{ key: string }>()({
  ...ofLiveKey,
  find: rotateApiKey.find,
  lock: rotateApiKey.lock,
  facts: async (_em, key) => key,
  decide: (key) => decideLive(key),
  async write(_em, key, _verdict, { now }) {
    key.revokedAt = now;
    return { result: undefined };
  },
  entry: (key, verdict) => (verdict.ok ? keyEntry('key.revoked', key) : undefined),
});

function decideLive({ revokedAt }: Credential): { ok: true } | { ok: false; code: 'key_revoked' } {
  return revokedAt ? { ok: false, code: 'key_revoked' } : { ok: true };
}

function keyEntry(op: Entry['op'], key: Credential, further: Record<string, unknown> = {}): Entry {
  const expires = key.expiresAt?.toISOString() ?? null;
  return {
    op,
    subject: { type: 'key', uid: key.uid },
    details: { application: key.applicationUid, expires, ...further },
  };
}
