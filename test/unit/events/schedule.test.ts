import { expect } from 'chai';
import { consequenceOf, retryAfterMs, type Attempted } from '#lib/events/webhook/schedule.ts';

const now = new Date('2026-11-21T10:00:00Z');
const HOUR = 3_600_000;
const facts = { attempt: 1, failingSince: null, now, jitter: 0 };

const waitOf = (attempted: Attempted, further: Partial<typeof facts> = {}) => {
  const consequence = consequenceOf(attempted, { ...facts, ...further });
  return consequence.next === 'retry' ? consequence.dueAt.getTime() - now.getTime() : consequence.next;
};

describe('the consequence of a webhook delivery attempt', () => {
  it('is delivered only for a 2xx status, and otherwise a retry', () => {
    for (const status of [200, 201, 204, 299]) expect(waitOf({ status })).to.equal('delivered');
    for (const status of [199, 300, 301, 302, 307, 400, 401, 404, 429, 500, 502, 503, 504]) {
      expect(waitOf({ status }), String(status)).to.equal(5_000);
    }
    expect(waitOf({ error: 'timeout' })).to.equal(5_000);
  });

  it('is a retry after each of the first nine failed attempts, and failed after the tenth', () => {
    const waits = Array.from({ length: 10 }, (_, at) => waitOf({ status: 500 }, { attempt: at + 1 }));
    const minute = 60_000;
    expect(waits).to.deep.equal([
      5_000,
      5 * minute,
      30 * minute,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
      'failed',
    ]);
  });

  it('is a retry after a pause that is lengthened at random by up to 10 %', () => {
    expect(waitOf({ status: 500 }, { attempt: 4, jitter: 1 })).to.equal(7_920_000);
  });

  it('is a retry after a longer pause if Retry-After requests a longer pause, up to 24 hours', () => {
    expect(waitOf({ status: 429, retryAfterMs: 60_000 })).to.equal(60_000);
    expect(waitOf({ status: 429, retryAfterMs: 1_000 })).to.equal(5_000);
    expect(waitOf({ status: 503, retryAfterMs: 1e12 })).to.equal(24 * HOUR);
  });

  it('is to disable a webhook that returns 410, or that fails again after failing for three days', () => {
    expect(consequenceOf({ status: 410 }, facts)).to.deep.equal({ next: 'disable', cause: 'gone' });
    const since = (hours: number) => ({ ...facts, failingSince: new Date(now.getTime() - hours * HOUR) });
    expect(consequenceOf({ status: 500 }, since(72))).to.deep.equal({ next: 'disable', cause: 'failing' });
    expect(consequenceOf({ status: 500 }, since(71)).next).to.equal('retry');
    expect(consequenceOf({ status: 200 }, since(72)).next).to.equal('delivered');
  });

  it('depends on Retry-After in seconds or as a date, and ignores other values', () => {
    expect(retryAfterMs('120', now)).to.equal(120_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 10:00:30 GMT', now)).to.equal(30_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 09:00:00 GMT', now)).to.equal(0);
    for (const text of [undefined, '', 'soon', '-1']) expect(retryAfterMs(text, now)).to.satisfy(isNothing);
  });
});

/** Whether a Retry-After value requests no wait. JavaScript parses `-1` as a date in the past. */
function isNothing(wait: number | undefined): boolean {
  return wait === undefined || wait === 0;
}
