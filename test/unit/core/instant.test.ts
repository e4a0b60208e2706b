import { expect } from 'chai';
import { createAjv } from '#lib/core/ajv.ts';
import { Instant } from '#lib/core/schema.ts';

describe('an instant on the wire', () => {
  const isInstant = createAjv().compile(Instant);

  for (const good of ['2028-02-29T23:59:59.999Z', '2026-12-31T23:59:00+14:00', '2026-01-01T00:00:00-11:30']) {
    it(`may be ${good}`, () => {
      expect(isInstant(good)).to.equal(true);
    });
  }

  // An invalid instant is neither before nor after any other instant. A period with such an end would
  // therefore never end.
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
    it(`is rejected if no clock can represent it: ${JSON.stringify(each)}`, () => {
      expect(isInstant(each)).to.equal(false);
    });
  }
});
