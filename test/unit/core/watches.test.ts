import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Watches, type Patience, type Subject } from '#lib/core/watches.ts';

const never = new AbortController().signal;

/**
 * Creates a watched subject that is open until the test sets `isOpen` to false, and that counts its queries.
 */
function subjectOf(key = 'one') {
  const reported = { looks: 0, listening: 0, isOpen: true, heard: () => {} };
  const subject: Subject = {
    key,
    async isOpen() {
      reported.looks += 1;
      return reported.isOpen;
    },
    listen(heard) {
      reported.listening += 1;
      reported.heard = heard;
      return () => (reported.listening -= 1);
    },
    everyMs: () => 60_000,
  };
  return { reported, subject };
}

function patience(further: Partial<Patience> = {}) {
  const seats = { taken: 0 };
  const given: Patience = {
    limitMs: 60_000,
    signal: never,
    takeSeat() {
      seats.taken += 1;
      return () => (seats.taken -= 1);
    },
    ...further,
  };
  return { seats, given };
}

describe('Watches', () => {
  it('query and listen once for all waiting callers', async () => {
    const watches = new Watches(never);
    const { reported, subject } = subjectOf();
    const { seats, given } = patience();
    const waits = Array.from({ length: 300 }, () => watches.end(subject, given));
    await delay(1);
    expect([reported.looks, reported.listening, seats.taken, watches.size]).to.deep.equal([1, 1, 300, 1]);
    reported.heard();
    await Promise.all(waits);
    expect([reported.looks, reported.listening, seats.taken, watches.size]).to.deep.equal([1, 0, 0, 0]);
  });

  it('do not wait, and take no place among the waiting callers, for a run that has already ended', async () => {
    const { reported, subject } = subjectOf();
    reported.isOpen = false;
    const refused = () => {
      throw new Error('no seat');
    };
    await new Watches(never).end(subject, patience({ takeSeat: refused }).given);
    expect([reported.looks, reported.listening]).to.deep.equal([1, 0]);
  });

  it('query periodically if no notification arrives', async () => {
    const { reported, subject } = subjectOf();
    const waiting = new Watches(never).end({ ...subject, everyMs: () => 5 }, patience().given);
    while (reported.looks < 3) await delay(1);
    reported.isOpen = false;
    await waiting;
  });

  it('end at the time limit, when the process drains, or when the caller disconnects', async () => {
    const draining = new AbortController();
    const watches = new Watches(draining.signal);
    const left = new AbortController();
    const { seats, given } = patience();
    await watches.end(subjectOf('limit').subject, { ...given, limitMs: 5 });
    const leaving = watches.end(subjectOf('leave').subject, { ...given, signal: left.signal });
    left.abort(new Error('gone'));
    expect(await leaving.catch(({ message }) => message)).to.equal('gone');
    const drained = watches.end(subjectOf('drain').subject, given);
    await delay(1);
    draining.abort();
    await drained;
    await watches.end(subjectOf('later').subject, given);
    expect([seats.taken, watches.size]).to.deep.equal([0, 0]);
  });

  it('report a failed query to all waiting callers', async () => {
    const watches = new Watches(never);
    const { subject } = subjectOf();
    const failing = { ...subject, isOpen: () => Promise.reject(new Error('away')) };
    const waits = [1, 2].map(() =>
      watches.end(failing, patience().given).catch(({ message }) => message as string),
    );
    expect(await Promise.all(waits)).to.deep.equal(['away', 'away']);
    expect(watches.size).to.equal(0);
  });
});
