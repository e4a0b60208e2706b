import { expect } from 'chai';
import { createAjv } from '#lib/core/ajv.ts';
import { Instant } from '#lib/core/schema.ts';

describe('an instant in a request', () => {
  const isInstant = createAjv().compile(Instant);

  for (const good of ['2028-02-29T23:59:59.999Z', '2026-12-31T23:59:00+14:00', '2026-01-01T00:00:00-11:30']) {
    it(`is accepted as ${good}`, () => {
      expect(isInstant(good)).to.equal(true);
    });
  }

  // A comparison with an invalid instant is always false, so a period that ends at an invalid instant would
  // never end.
  const bad = [
    '2026-12-31T23:59:60Z',
    '2026-12-31T22:59:60-01:00',
    '2026-12-31T23:59:00+01',
    '2026-12-31T24:00:00Z',
    '2026-12-31T23:59:00+24:00',
    '2026-02-29T00:00:00Z',
    '2026-12-31T23:59:00',
    '2026-12-31',
    '',
    0,
  ];
  for (const each of bad) {
    it(`is rejected if it is not a valid RFC 3339 time: ${JSON.stringify(each)}`, () => {
      expect(isInstant(each)).to.equal(false);
    });
  }
});
