import { expect } from 'chai';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalHash, canonicalJson, checkSeal, hashedJson, seal, sha256 } from '#lib/core/seal.ts';
import { repetitions } from '../../support/repetitions.ts';

const SEALED_AT = new Date('2026-01-02T03:04:05.678Z');

describe('sha256', () => {
  // The expected values are the examples of NIST for FIPS 180-4.
  it('gives the digests that NIST publishes', () => {
    expect(sha256('')).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const long = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq';
    expect(sha256(long)).to.equal('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1');
  });

  it('hashes a text as its UTF-8 bytes, and bytes unchanged', () => {
    expect(sha256('€😀')).to.equal(sha256(new Uint8Array([0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80])));
  });
});

describe('canonical JSON (RFC 8785)', () => {
  // The example is in RFC 8785, sections 3.2.2 to 3.2.4.
  it('reproduces the example of the RFC byte for byte', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const bytes =
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b333333333333333333' +
      '2e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c753030' +
      '30665c6e4127425c225c5c5c5c5c222f227d';
    expect(Buffer.from(canonicalJson(JSON.parse(text))).toString('hex')).to.equal(bytes);
  });

  // RFC 8785, section 3.2.3, sorts by UTF-16 code units, so a surrogate pair comes before U+FB33.
  it('orders members by code unit, not by code point, at every depth', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const object = Object.fromEntries(names.map((name) => [name, { [name]: [], a: 1 }]));
    const ordered = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(Object.keys(JSON.parse(canonicalJson(object).replaceAll('"1"', '"x1"')) as object)).to.deep.equal(
      ordered.map((name) => (name === '1' ? 'x1' : name)),
    );
    expect(canonicalJson({ b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] })).to.equal(
      '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}',
    );
  });

  it('orders integer member names as text, unlike JavaScript objects', () => {
    expect(canonicalJson({ 2: 'b', 10: 'a', 1: 'c' })).to.equal('{"1":"c","10":"a","2":"b"}');
  });

  // The examples of RFC 8785, appendix B: the bits of a double and its text.
  const numbers: [bits: bigint, text: string][] = [
    [0x0000000000000000n, '0'],
    [0x8000000000000000n, '0'],
    [0x0000000000000001n, '5e-324'],
    [0x8000000000000001n, '-5e-324'],
    [0x7fefffffffffffffn, '1.7976931348623157e+308'],
    [0xffefffffffffffffn, '-1.7976931348623157e+308'],
    [0x4340000000000000n, '9007199254740992'],
    [0xc340000000000000n, '-9007199254740992'],
    [0x4430000000000000n, '295147905179352830000'],
    [0x44b52d02c7e14af5n, '9.999999999999997e+22'],
    [0x44b52d02c7e14af6n, '1e+23'],
    [0x44b52d02c7e14af7n, '1.0000000000000001e+23'],
    [0x444b1ae4d6e2ef4en, '999999999999999700000'],
    [0x444b1ae4d6e2ef4fn, '999999999999999900000'],
    [0x444b1ae4d6e2ef50n, '1e+21'],
    [0x3eb0c6f7a0b5ed8cn, '9.999999999999997e-7'],
    [0x3eb0c6f7a0b5ed8dn, '0.000001'],
    [0x41b3de4355555553n, '333333333.3333332'],
    [0x41b3de4355555554n, '333333333.33333325'],
    [0x41b3de4355555555n, '333333333.3333333'],
    [0x41b3de4355555556n, '333333333.3333334'],
    [0x41b3de4355555557n, '333333333.33333343'],
    [0xbecbf647612f3696n, '-0.0000033333333333333333'],
    [0x43143ff3c1cb0959n, '1424953923781206.2'],
  ];
  for (const [bits, text] of numbers) {
    it(`writes the double ${bits.toString(16).padStart(16, '0')} as ${text}`, () => {
      const [number] = new Float64Array(new BigUint64Array([bits]).buffer);
      expect(canonicalJson(number)).to.equal(text);
    });
  }

  it('throws on values that JSON cannot represent, at any depth', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const value of [NaN, Infinity, -Infinity, 1n, circle, '\ud800', { '\ud800': 1 }]) {
      for (const holder of [value, [value], { a: { b: value } }])
        expect(() => canonicalJson(holder)).to.throw();
    }
    for (const value of [undefined, () => 1, Symbol('x')]) {
      expect(() => canonicalJson(value)).to.throw(TypeError, 'no canonical JSON form');
    }
  });

  // The canonical form omits and converts values as `JSON.stringify` does, so that the seal covers the
  // content of the response.
  it('omits undefined members and applies toJSON', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, new Date(0)] })).to.equal(
      '{"a":[null,"1970-01-01T00:00:00.000Z"]}',
    );
  });

  // The library is a second implementation of RFC 8785, and converts what is not plain data.
  it('is the form of the library, for plain and other values and for any nesting', () => {
    const values = fc.anything({
      withDate: true,
      withBoxedValues: true,
      withNullPrototype: true,
      withSparseArray: true,
    });
    const nested = (value: unknown, levels: number): unknown =>
      levels === 0 ? value : nested(levels % 2 === 0 ? [value] : { value }, levels - 1);
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), values), fc.constantFrom(0, 15, 16, 17, 40), (value, levels) => {
        const given = nested(value, levels);
        expect(outcomeOf(() => canonicalJson(given))).to.equal(outcomeOf(() => canonicalize(given)));
      }),
    );
  });

  it('is JSON that parses to the same value, and is the same for any order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).to.equal(text);
        expect(canonicalJson(JSON.parse(text))).to.equal(text);
      }),
    );
  });
});

describe('JSON with its hash', () => {
  // Attachments are stored as this text and sealed by this hash. One text serves both only if the members are in order.
  it('is the text of JSON.stringify and the canonical hash, for plain and other values', () => {
    const values = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), values), (value) => {
        const form = (convert: () => object) => outcomeOf(() => JSON.stringify(convert()));
        expect(form(() => hashedJson(value))).to.equal(
          form(() => ({ text: JSON.stringify(value), hash: canonicalHash(value) })),
        );
      }),
    );
  });

  it('keeps the order of the members in the text only', () => {
    for (const value of [{ b: 1, a: 2 }, [[{ a: { d: null, c: [] } }]], { 10: 1, 2: 1 }]) {
      expect(hashedJson(value)).to.deep.equal({ text: JSON.stringify(value), hash: canonicalHash(value) });
      expect(hashedJson(value).hash).not.to.equal(sha256(JSON.stringify(value)));
    }
  });

  it('throws on values that JSON cannot represent', () => {
    for (const value of [undefined, NaN, [Infinity], { a: '\ud800' }, 1n])
      expect(() => hashedJson(value)).to.throw();
  });
});

describe('a seal', () => {
  const attachment = { AAPL: [0.01, null, -0.02], MSFT: [0.5, 1e-9, 0] };
  const members = {
    kind: 'investment.theme-factors',
    model: { key: 'svc_theme_factor_ridge_v1', version: '1.0.0' },
    input: { as_of_date: '2020-09-30', ridge_lambda: 0.1 },
    warnings: [],
    result: { months: ['2020-08', '2020-09'], mean: 0.012345678901234567 },
    attachment_hashes: { specific_returns: canonicalHash(attachment) },
  };
  const sealed = {
    uid: 'tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    attempts: 1,
    ...members,
    result_hash: canonicalHash(members.result),
    specific_returns: attachment,
    seal: seal(members, SEALED_AT),
  };
  type Document = Record<string, any>;

  /**
   * Applies a change to a JSON copy of the sealed record. Returns the differences that the check of the seal
   * finds in the copy.
   */
  function differencesAfter(change: (document: Document) => void): string[] {
    const document = JSON.parse(JSON.stringify(sealed)) as Document;
    change(document);
    const { intact, differences } = checkSeal(document);
    expect(intact).to.equal(differences.length === 0);
    return differences;
  }

  it('has the documented format and covers the members in code-unit order', () => {
    expect(Object.keys(sealed.seal)).to.have.members([
      'algorithm',
      'canonicalization',
      'hash',
      'covers',
      'member_hashes',
      'sealed_at',
    ]);
    expect(sealed.seal).to.include({
      algorithm: 'sha-256',
      canonicalization: 'RFC8785',
      sealed_at: '2026-01-02T03:04:05.678Z',
    });
    expect(sealed.seal.covers).to.deep.equal([
      'attachment_hashes',
      'input',
      'kind',
      'model',
      'result',
      'warnings',
    ]);
  });

  // A third party can compute this hash with RFC 8785 and SHA-256, without code of Assay.
  it('is the hash of the canonical JSON of exactly the covered members', () => {
    const covered = Object.fromEntries(
      sealed.seal.covers.map((name) => [name, (sealed as Document)[name] as unknown]),
    );
    expect(sealed.seal.hash).to.equal(sha256(canonicalJson(covered)));
    for (const [name, hash] of Object.entries(sealed.seal.member_hashes)) {
      expect(hash, name).to.equal(sha256(canonicalJson((members as Document)[name])));
    }
    expect(Object.keys(sealed.seal.member_hashes)).to.have.members(sealed.seal.covers);
  });

  it('depends neither on the order of members nor on the time, except for sealed_at', () => {
    const later = seal(reversed(members) as typeof members, new Date(0));
    expect({ ...later, sealed_at: sealed.seal.sealed_at }).to.deep.equal(sealed.seal);
  });

  it('can be checked as part of the resource that contains the seal', () => {
    expect(checkSeal(sealed)).to.deep.equal({
      intact: true,
      expected: sealed.seal.hash,
      actual: sealed.seal.hash,
      differences: [],
      not_covered: ['uid', 'attempts'],
    });
    expect(differencesAfter(() => {})).to.deep.equal([]);
  });

  it('stays intact if members that it does not cover are changed', () => {
    expect(
      differencesAfter((document) => {
        document['uid'] = 'another';
        document['attempts'] = 7;
        document['seal'].sealed_at = '1999-01-01T00:00:00.000Z';
        delete document['specific_returns'];
      }),
    ).to.deep.equal([]);
  });

  for (const name of Object.keys(members)) {
    it(`reports ${name} as different if its value was changed`, () => {
      const changed = differencesAfter((document) => {
        document[name] = slightlyChanged(document[name]);
      });
      const also = { result: ['result_hash'], attachment_hashes: ['specific_returns'] }[name] ?? [];
      expect(changed).to.have.members([name, ...also]);
    });

    it(`reports ${name} as missing, and no computed hash, if the member is missing`, () => {
      const document = { ...sealed } as Document;
      delete document[name];
      const check = checkSeal(document);
      expect(check.differences).to.deep.equal([`${name} (missing)`]);
      expect(check.actual).to.equal(null);
    });

    it(`reports ${name} if its member hash was changed or if seal.covers does not list the member`, () => {
      expect(
        differencesAfter((document) => {
          document['seal'].member_hashes[name] = sha256('other');
        }),
      ).to.deep.equal([name]);
      expect(
        differencesAfter((document) => {
          document['seal'].covers = sealed.seal.covers.filter((each) => each !== name);
        }),
      ).to.include(`seal.covers (without ${name})`);
    });

    it(`reports seal.hash if ${name} and its member hash were changed consistently`, () => {
      expect(
        differencesAfter((document) => {
          document[name] = slightlyChanged(document[name]);
          document['seal'].member_hashes[name] = canonicalHash(document[name]);
          if (name === 'result') document['result_hash'] = canonicalHash(document[name]);
          if (name === 'attachment_hashes') delete document['specific_returns'];
        }),
      ).to.deep.equal(['seal.hash']);
    });

    it(`reports seal.hash if ${name} is removed from seal.covers and from seal.member_hashes`, () => {
      expect(
        differencesAfter((document) => {
          document['seal'].covers = sealed.seal.covers.filter((each) => each !== name);
          delete document['seal'].member_hashes[name];
        }),
      ).to.deep.equal(['seal.hash']);
    });
  }

  const others: [what: string, change: (document: Document) => void, differences: string[]][] = [
    ['result_hash', (document) => (document['result_hash'] = sha256('other')), ['result_hash']],
    ['an attachment', (document) => (document['specific_returns'].AAPL[0] = 0.02), ['specific_returns']],
    ['seal.hash', (document) => (document['seal'].hash = sha256('other')), ['seal.hash']],
    ['seal.covers, by adding a name', (document) => document['seal'].covers.push('uid'), ['seal.hash']],
    [
      'an attachment and its hash',
      (document) => {
        document['specific_returns'].AAPL[0] = 0.02;
        document['attachment_hashes'].specific_returns = canonicalHash(document['specific_returns']);
      },
      ['attachment_hashes'],
    ],
  ];
  for (const [what, change, differences] of others) {
    it(`reports ${differences.join()} if somebody changed ${what}`, () => {
      expect(differencesAfter(change)).to.deep.equal(differences);
    });
  }

  it('reports every difference at once', () => {
    expect(
      differencesAfter((document) => {
        document['kind'] = 'other';
        document['warnings'] = [1];
        document['specific_returns'] = {};
        document['result_hash'] = '';
        delete document['model'];
      }),
    ).to.have.members(['model (missing)', 'kind', 'warnings', 'result_hash', 'specific_returns']);
  });

  it('causes a TypeError in the check if it is missing, has a member of the wrong type or names an unknown algorithm', () => {
    for (const nothing of [null, 'text', 1, [], {}, { seal: null }, { seal: [] }, [sealed]]) {
      expect(() => checkSeal(nothing)).to.throw(TypeError, 'carries no seal');
    }
    for (const member of ['hash', 'covers']) {
      expect(() => checkSeal({ ...sealed, seal: { ...sealed.seal, [member]: 7 } })).to.throw(
        TypeError,
        'carries no seal',
      );
    }
    for (const member of ['algorithm', 'canonicalization']) {
      const other = { ...sealed, seal: { ...sealed.seal, [member]: 'md5' } };
      expect(() => checkSeal(other)).to.throw(TypeError, 'an unknown algorithm');
    }
  });

  it('cannot be created for a member that JSON cannot represent', () => {
    for (const value of [undefined, NaN, Infinity, 1n]) expect(() => seal({ value }, SEALED_AT)).to.throw();
  });

  const names = fc
    .string()
    .filter((name) => !['seal', 'result', 'result_hash', 'attachment_hashes'].includes(name));
  const anyMembers = fc.dictionary(names, fc.jsonValue(), { minKeys: 1 });

  it('of any JSON object stays valid after serialization and parsing', () => {
    fc.assert(
      fc.property(anyMembers, (given) => {
        const document: unknown = JSON.parse(JSON.stringify({ ...given, seal: seal(given, SEALED_AT) }));
        expect(checkSeal(document).differences).to.deep.equal([]);
      }),
      { numRuns: repetitions.roundTrips },
    );
  });

  it('of any JSON object reports exactly the member whose value was replaced', () => {
    fc.assert(
      fc.property(anyMembers, fc.nat(), fc.jsonValue(), (given, choice, other) => {
        const name = Object.keys(given)[choice % Object.keys(given).length]!;
        fc.pre(canonicalJson(given[name]) !== canonicalJson(other));
        const changed = { ...given, seal: seal(given, SEALED_AT) };
        Object.defineProperty(changed, name, { value: other, enumerable: true });
        expect(checkSeal(changed).differences).to.deep.equal([name]);
      }),
      { numRuns: repetitions.roundTrips },
    );
  });
});

/** Returns a value that differs from the given value in one number, character or element. */
function slightlyChanged(value: unknown): unknown {
  if (typeof value === 'number') return value + Number.EPSILON * Math.max(1, Math.abs(value));
  if (typeof value === 'string') return `${value} `;
  if (Array.isArray(value))
    return value.length ? [slightlyChanged(value[0]), ...(value.slice(1) as unknown[])] : [null];
  const entries = Object.entries(value as Record<string, unknown>);
  const [name, last] = entries.at(-1)!;
  return { ...Object.fromEntries(entries), [name]: slightlyChanged(last) };
}

/** Returns the value with the members of every object in reverse order. */
/** Returns the text of a conversion, and one text for all conversions that fail. */
function outcomeOf(convert: () => string | undefined): string {
  try {
    return convert() ?? 'fails';
  } catch {
    return 'fails';
  }
}

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}
