import { LockMode } from '@mikro-orm/core';
import { decrypt } from '#lib/core/encryption.ts';
import { restOf } from '#lib/core/at-rest.ts';
import type { Environment } from '#lib/database/base.ts';
import { defineCommand, type Entry, type WholeWorkspace } from '#lib/governance/command.ts';
import { decideCode, isLocked, LOCK_MINUTES, WRONG_CODES_MAX, type CodeVerdict } from './code-lock.ts';
import { stepOfCode } from './one-time-code.ts';
import { PersonCode } from './person-code.entity.ts';
import { provesIn } from './person-code.ts';

type Input = {
  person: { uid: string; name: string };
  code: string | undefined;
  /** The environment in which the code proves the person. */
  environment: Environment;
  /** The key that decrypts the secret of the person's codes. */
  key: Buffer;
  /**
   * Whether the workspace is being moved or has been moved. Its log has ended, so a lock of the person gets no entry.
   * If the move is given up, `giveUpMove` records the lock.
   */
  isAtRest?: boolean;
};

type UseVerdict = CodeVerdict | { ok: false; code: 'codes_unconfirmed' };

/**
 * Consumes a one-time code of a person. A correct code can be used once. A wrong code is counted. Every code
 * is refused while the person is locked. Concurrent attempts of one person run one after another.
 */
export const useCode = defineCommand<Input>()({
  async find(em, { person }): Promise<WholeWorkspace | undefined> {
    const enrolled = await em.findOne(PersonCode, { personUid: person.uid }, { filters: false });
    return enrolled ? { workspace: enrolled.workspaceUid } : undefined;
  },
  unknown: 'person_not_enrolled',
  lock: (em, { person }) =>
    em.findOneOrFail(
      PersonCode,
      { personUid: person.uid },
      { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE },
    ),
  async facts(_em, enrolled, { code, key, person }, { now }) {
    const { sealedSecret, lastStep, wrongAt, lockedUntil } = enrolled;
    const attempts = {
      wrongAtMs: wrongAt.map((at) => Date.parse(at)),
      lockedUntilMs: lockedUntil?.getTime() ?? 0,
    };
    const step = (shown: string) => stepOfCode(decrypt(sealedSecret, key, person.uid), shown, now, lastStep);
    return { enrolled, attempts, shown: code === undefined ? undefined : { step: step(code) } };
  },
  decide: ({ enrolled, attempts, shown }, { environment }, { now }): UseVerdict =>
    provesIn(enrolled, environment)
      ? decideCode(attempts, shown, now.getTime())
      : { ok: false, code: 'codes_unconfirmed' },
  async write(_em, { enrolled }, { step }) {
    enrolled.lastStep = step;
    return { result: undefined };
  },
  async writeRefusal(_em, { enrolled }, refused, { now, input: { person, isAtRest } }) {
    if (refused.code !== 'code_invalid' || !refused.counted) return undefined;
    const { wrongAtMs, lockedUntilMs } = refused.counted;
    const locks = isLocked(refused.counted, now.getTime()) ? new Date(lockedUntilMs) : null;
    enrolled.wrongAt = wrongAtMs.map((at) => new Date(at).toISOString());
    enrolled.lockedUntil = locks;
    return locks && !isAtRest ? [entryOfLock(person.uid, locks)] : [];
  },
  entry: () => undefined,
  refusals: {
    person_not_enrolled: ({ person: { uid, name } }) =>
      `${name} has no one-time codes. The person sets them up in the console, with a link: assay person console-link ${uid}`,
    codes_unconfirmed: ({ person: { uid, name } }) =>
      `Nobody has confirmed the one-time codes of ${name}. A second person confirms them: assay person confirm-codes ${uid}`,
    code_invalid: 'The one-time code is missing, is not valid at this time, or was used before.',
    code_locked: (_input, refused) =>
      `${WRONG_CODES_MAX} wrong one-time codes were entered within ${LOCK_MINUTES} minutes. No code is accepted until ${refused.code === 'code_locked' ? new Date(refused.untilMs).toISOString() : 'later'}.`,
  },
});

/**
 * Consumes a code, also in a workspace whose log accepts no entries because it is being moved or has been moved. A wrong
 * code that locks the person is counted there too.
 */
export async function useCodeEvenAtRest<T>(use: (options: { isAtRest: boolean }) => Promise<T>): Promise<T> {
  try {
    return await use({ isAtRest: false });
  } catch (error) {
    if (!restOf(error)) throw error;
    return use({ isAtRest: true });
  }
}

/** Returns the entry of a person who was locked by wrong codes. */
export function entryOfLock(personUid: string, until: Date): Entry {
  const details = { wrong_codes: WRONG_CODES_MAX, until: until.toISOString() };
  return { op: 'person.code_locked', subject: { type: 'person', uid: personUid }, details };
}
