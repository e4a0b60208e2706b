import { expect } from 'chai';
import fc from 'fast-check';
import { parsePrefer } from '#api/http/prefer.ts';
import { Problem } from '#lib/core/problem.ts';
import { anyText } from '../../support/arbitrary.ts';

const nothing = { respondAsync: false, waitMs: undefined };

describe('the header Prefer', () => {
  const read: [header: string, respondAsync: boolean, waitMs: number | undefined][] = [
    ['', false, undefined],
    ['respond-async', true, undefined],
    ['Respond-Async', true, undefined],
    ['wait=0', false, 0],
    ['wait=5', false, 5_000],
    ['WAIT=5', false, 5_000],
    ['wait="5"', false, 5_000],
    [' wait = 5 ', false, 5_000],
    ['wait=60', false, 60_000],
    ['wait=61', false, 60_000],
    ['wait=999999999', false, 60_000],
    ['respond-async, wait=10', true, 10_000],
    ['wait=10,respond-async', true, 10_000],
    ['respond-async; foo=bar', true, undefined],
    ['wait=5; foo="bar"', false, 5_000],
    ['handling=lenient, wait=5, return=minimal', false, 5_000],
    ['respond-asynchronously', false, undefined],
    ['waiting=5', false, undefined],
    [', ,', false, undefined],
  ];
  for (const [header, respondAsync, waitMs] of read) {
    it(`with "${header}" gives respond-async ${respondAsync} and ${waitMs === undefined ? 'no wait' : `a wait of ${waitMs} ms`}`, () => {
      expect(parsePrefer(header)).to.deep.equal({ respondAsync, waitMs });
    });
  }

  for (const header of [
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=5s',
    'wait=0x5',
    'wait=1e1',
    'wait=""',
    'wait=9999999999',
    'wait=٥',
  ]) {
    it(`is rejected with malformed_header if it is "${header}"`, () => {
      expect(() => parsePrefer(header))
        .to.throw(Problem)
        .with.property('code', 'malformed_header');
    });
  }

  it('is accepted with unknown preferences, and is never rejected with an error other than a Problem', () => {
    fc.assert(
      fc.property(anyText, (header) => {
        try {
          const { waitMs } = parsePrefer(header);
          if (waitMs !== undefined) expect(waitMs).to.be.within(0, 60_000);
          if (!/wait|respond-async/i.test(header)) expect(parsePrefer(header)).to.deep.equal(nothing);
        } catch (error) {
          expect(error).to.be.instanceOf(Problem);
        }
      }),
    );
  });
});
