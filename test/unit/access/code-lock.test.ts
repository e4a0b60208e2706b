import { expect } from 'chai';
import fc from 'fast-check';
import {
  decideCode,
  isLocked,
  LOCK_MINUTES,
  countWrongCode,
  WRONG_CODES_MAX,
  type CodeAttempts,
} from '#lib/access/code-lock.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const none: CodeAttempts = { wrongAtMs: [], lockedUntilMs: 0 };

/**
 * Returns the recorded attempts after wrong codes at the given minutes. A code that is given during a lock is
 * not checked.
 */
function after(...minutes: number[]) {
  return minutes.reduce((attempts, minute) => {
    const now = START + minute * MINUTE_MS;
    return isLocked(attempts, now) ? attempts : countWrongCode(attempts, now);
  }, none);
}
const lockedAt = (attempts: ReturnType<typeof after>, minute: number) =>
  isLocked(attempts, START + minute * MINUTE_MS);

describe('the lock of one-time codes', () => {
  it('starts at the fifth wrong code within 15 minutes and lasts 15 minutes', () => {
    expect(lockedAt(after(0, 1, 2, 3), 3)).to.equal(false);
    const locked = after(0, 1, 2, 3, 4);
    expect(lockedAt(locked, 4)).to.equal(true);
    expect(lockedAt(locked, 18.999)).to.equal(true);
    expect(lockedAt(locked, 19)).to.equal(false);
  });

  it('no longer counts a wrong code 15 minutes after the attempt', () => {
    expect(lockedAt(after(0, 4, 8, 12, 16), 16)).to.equal(false);
    expect(lockedAt(after(0, 4, 8, 12, 16, 17), 17)).to.equal(true);
    expect(lockedAt(after(0, 5, 10, 15, 20, 25, 30), 30)).to.equal(false);
  });

  it('starts again only after five further wrong codes', () => {
    expect(lockedAt(after(0, 0, 0, 0, 0, 15, 16, 17, 18), 18)).to.equal(false);
    expect(lockedAt(after(0, 0, 0, 0, 0, 15, 16, 17, 18, 19), 19)).to.equal(true);
  });

  it('lets at most five wrong codes be checked within any 15 minutes', () => {
    const gaps = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, (waits) => {
        let attempts = none;
        let now = START;
        const tried: number[] = [];
        for (const wait of waits) {
          now += Math.floor(wait * MINUTE_MS);
          if (isLocked(attempts, now)) continue;
          attempts = countWrongCode(attempts, now);
          tried.push(now);
        }
        for (const [at, first] of tried.entries()) {
          const next = tried[at + WRONG_CODES_MAX];
          if (next !== undefined) expect(next - first).to.be.at.least(LOCK_MINUTES * MINUTE_MS);
        }
      }),
    );
  });
});

describe('the decision about a one-time code', () => {
  it('accepts a correct code and returns its time step', () => {
    expect(decideCode(none, { step: 7 }, START)).to.deep.equal({ ok: true, step: 7 });
  });

  it('counts a wrong code but not a missing code', () => {
    const counted = countWrongCode(none, START);
    const refused = { ok: false, code: 'code_invalid' };
    expect(decideCode(none, { step: undefined }, START)).to.deep.equal({ ...refused, counted });
    expect(decideCode(none, undefined, START)).to.deep.equal({ ...refused, counted: undefined });
  });

  it('rejects every code while the person is locked, even a correct code', () => {
    const locked = after(0, 0, 0, 0, 0);
    const untilMs = START + LOCK_MINUTES * MINUTE_MS;
    for (const shown of [{ step: 7 }, { step: undefined }, undefined]) {
      const refused = { ok: false, code: 'code_locked', untilMs };
      expect(decideCode(locked, shown, START)).to.deep.equal(refused);
    }
    expect(decideCode(locked, { step: 7 }, untilMs).ok).to.equal(true);
  });
});
