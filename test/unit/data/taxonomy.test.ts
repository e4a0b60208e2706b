import { expect } from 'chai';
import fc from 'fast-check';
import { sha256 } from '#lib/core/seal.ts';
import { exposureMicro, selectTaxonomyVersion, taxonomyHash } from '#lib/data/taxonomy.ts';

const versions = [
  { version: '2013.1', publishedAt: '2013-02-10T00:00:00Z', status: 'published' },
  { version: '2016.1', publishedAt: '2016-07-02T00:00:00Z', status: 'published' },
  { version: '2018.1', publishedAt: '2018-04-02T15:30:00Z', status: 'published' },
  { version: '2020.2-draft', publishedAt: '', status: 'draft' },
];

function selected(
  asOfDate: string,
  from: readonly (typeof versions)[number][] = versions,
): string | undefined {
  return selectTaxonomyVersion(from, asOfDate)?.version;
}

describe('selectTaxonomyVersion', () => {
  it('returns the version in force at the end of the as-of day, including the publication day', () => {
    expect(selected('2018-04-01')).to.equal('2016.1');
    expect(selected('2018-04-02')).to.equal('2018.1');
    expect(selected('2030-01-01')).to.equal('2018.1');
    expect(selected('2013-02-10')).to.equal('2013.1');
  });

  it('returns undefined before the first publication or without versions', () => {
    expect(selected('2013-02-09')).to.equal(undefined);
    expect(selectTaxonomyVersion([], '2020-01-01')).to.equal(undefined);
  });

  it('never selects a draft or an unknown state, for any date', () => {
    for (const status of ['draft', 'withdrawn', 'Published', '']) {
      const later = { version: '2019.1', publishedAt: '2019-01-01T00:00:00Z', status };
      expect(selected('2020-01-01', [...versions, later]), status).to.equal('2018.1');
    }
    expect(selectTaxonomyVersion([{ version: '9', publishedAt: '' }], '2020-01-01')).to.equal(undefined);
    expect(
      selectTaxonomyVersion([{ version: '9', publishedAt: '2019-01-01' }], '2020-01-01')?.version,
    ).to.equal('9');
  });

  it('selects the greater version name if publication instants are equal, for any order and notation', () => {
    const tied = [
      { version: 'a', publishedAt: '2018-04-02T00:00:00.000Z' },
      { version: 'c', publishedAt: '2018-04-02' },
      { version: 'b', publishedAt: '2018-04-02T00:00:00Z' },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(tied, { minLength: 3 }), (order) => {
        expect(selectTaxonomyVersion(order, '2018-04-02')?.version).to.equal('c');
      }),
    );
    const laterThatDay = { version: '0', publishedAt: '2018-04-02T00:00:00.5Z' };
    expect(selectTaxonomyVersion([...tied, laterThatDay], '2018-04-02')?.version).to.equal('0');
  });

  it('rejects a publication instant that is not in UTC, and an invalid date', () => {
    for (const publishedAt of [
      '2018-04-02T00:00:00+02:00',
      '2018-04-31',
      '02.04.2018',
      '2018-04-02 00:00:00Z',
      'soon',
    ]) {
      expect(
        () => selectTaxonomyVersion([{ version: '1', publishedAt }], '2020-01-01'),
        publishedAt,
      ).to.throw(RangeError);
    }
    expect(() => selected('2018-02-30')).to.throw(RangeError);
    expect(() => selected('2018-04')).to.throw(RangeError);
  });
});

describe('exposureMicro', () => {
  it('converts up to six decimals exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (micro) => {
        const text = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`;
        expect(exposureMicro(text)).to.equal(micro);
        expect(exposureMicro(`${text}000`)).to.equal(micro);
      }),
    );
    expect(exposureMicro('0.7500')).to.equal(750_000);
    expect(exposureMicro('1')).to.equal(1_000_000);
    expect(exposureMicro('0')).to.equal(0);
  });

  it('rounds more than six decimals half to even', () => {
    expect(exposureMicro('0.0000005')).to.equal(0);
    expect(exposureMicro('0.0000015')).to.equal(2);
    expect(exposureMicro('0.0000025')).to.equal(2);
    expect(exposureMicro('0.00000250001')).to.equal(3);
    expect(exposureMicro('0.0000026')).to.equal(3);
    expect(exposureMicro('0.9999999')).to.equal(1_000_000);
  });

  it('rejects invalid exposures and exposures outside 0 to 1', () => {
    for (const text of [
      '1.000001',
      '1.0000001',
      '2',
      '-0.1',
      '+0.1',
      '',
      '.5',
      '1.',
      '1e-3',
      'NaN',
      ' 1',
      '0,5',
      '0x1',
    ]) {
      expect(() => exposureMicro(text), text).to.throw(RangeError);
    }
  });
});

describe('taxonomyHash', () => {
  const exposures = [
    { theme: 'b', symbol: 'X', micro: 500_000 },
    { theme: 'a', symbol: 'Y', micro: 1 },
    { theme: 'a', symbol: 'Z', micro: 0 },
  ];

  it('is the SHA-256 of the sorted lines of exposures above 0', () => {
    expect(taxonomyHash(exposures)).to.equal(sha256('a,Y,1\nb,X,500000\n'));
    expect(taxonomyHash([])).to.equal(sha256(''));
  });

  it('does not depend on the order of exposures', () => {
    const reversed = [...exposures].reverse();
    expect(taxonomyHash(reversed)).to.equal(taxonomyHash(exposures));
    expect(reversed[0]!.theme).to.equal('a');
  });

  it('changes if one exposure changes by one millionth', () => {
    const changed = exposures.map((exposure) => ({
      ...exposure,
      micro: exposure.micro === 1 ? 2 : exposure.micro,
    }));
    expect(taxonomyHash(changed)).to.not.equal(taxonomyHash(exposures));
  });
});
