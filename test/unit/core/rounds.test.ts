import { expect } from 'chai';
import fc from 'fast-check';
import { NUMBERS_BYTES_MAX, ROUND_PARTS_MAX, samplesOfRound, walkRounds } from '#lib/core/rounds.ts';
import type { Control, Divide, Part } from '#lib/core/run.ts';

type Input = { sizes: number[]; each: number };

/** Divides the rounds into parts of `each` samples. A negative last number skips the remaining rounds. */
const divide: Divide<Input> = ({ sizes, each }, round, before) => {
  if (round >= sizes.length || (before.at(-1) ?? 0) < 0) return null;
  const first = sizes.slice(0, round).reduce((total, size) => total + size, 0);
  const parts: Part[] = [];
  for (let at = 0; at < sizes[round]!; at += each)
    parts.push({ round, first: first + at, count: Math.min(each, sizes[round]! - at) });
  return parts;
};

/** Two numbers per sample: the sample, and the sum of all numbers before the round. */
const numbersOf = ({ first, count }: Part, before: Float64Array): Float64Array => {
  const total = before.reduce((sum, each) => sum + each, 0);
  return Float64Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? first + at / 2 : total));
};

const rounds = { most: 10, samples: ({ sizes }: Input) => sizes.reduce((total, size) => total + size, 0) };

describe('walkRounds', () => {
  it('returns the same numbers for every size of the parts', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 50 }), (given, each) => {
        const whole = walkRounds({ sizes: given, each: 1_000 }, { divide, rounds }, numbersOf);
        const inParts = walkRounds({ sizes: given, each }, { divide, rounds }, numbersOf);
        expect(inParts).to.deep.equal(whole);
        expect(whole).to.have.length(2 * rounds.samples({ sizes: given, each }));
      }),
    );
  });

  it('passes the numbers of all earlier rounds to a part', () => {
    const numbers = walkRounds({ sizes: [2, 1, 1], each: 1 }, { divide, rounds }, numbersOf);
    expect(numbers).to.deep.equal(Float64Array.of(0, 0, 1, 0, 2, 1, 3, 4));
  });

  it('ends after the maximum number of rounds', () => {
    const sizes = [3, 3, 3];
    const two = { divide, rounds: { ...rounds, most: 2 } };
    expect(walkRounds({ sizes, each: 3 }, two, numbersOf)).to.have.length(12);
    expect(walkRounds({ sizes, each: 3 }, { divide }, numbersOf)).to.have.length(6);
  });

  it('ends when the division returns null because of the numbers of the last round', () => {
    const negative = ({ count }: Part) => new Float64Array(count).fill(-1);
    expect(walkRounds({ sizes: [3, 3], each: 2 }, { divide, rounds }, negative)).to.have.length(3);
  });

  it('returns the refusal of a part and computes no further part', () => {
    let calls = 0;
    const refused = { ok: false as const };
    const outcome = walkRounds({ sizes: [4], each: 1 }, { divide }, () => {
      calls += 1;
      return calls === 2 ? refused : new Float64Array(1);
    });
    expect([outcome, calls]).to.deep.equal([refused, 2]);
  });

  it('reports growing progress up to 0.9', () => {
    const seen: number[] = [];
    const control: Control = { progress: (share) => void seen.push(share), cancelled: () => false };
    walkRounds({ sizes: [2, 2], each: 1 }, { divide, rounds }, numbersOf, control);
    expect(seen).to.deep.equal([0.225, 0.45, 0.675, 0.9]);
  });

  it('stops between two parts when the run is cancelled', () => {
    let calls = 0;
    const control: Control = { progress: () => {}, cancelled: () => calls === 2 };
    const work = () => {
      calls += 1;
      return new Float64Array(1);
    };
    expect(() => walkRounds({ sizes: [2, 2], each: 1 }, { divide, rounds }, work, control)).to.throw(
      'cancelled',
    );
    expect(calls).to.equal(2);
  });

  it('throws if the samples of one round differ in length', () => {
    const uneven = ({ first, count }: Part) => new Float64Array(first === 0 ? count : 2 * count);
    expect(() => walkRounds({ sizes: [2], each: 1 }, { divide }, uneven)).to.throw('2 numbers for 1 samples');
    const broken = () => new Float64Array(3);
    expect(() => walkRounds({ sizes: [2], each: 2 }, { divide }, broken)).to.throw('3 numbers for 2 samples');
    expect(() => walkRounds({ sizes: [2], each: 2 }, { divide }, () => new Float64Array(0))).to.throw(
      '0 numbers',
    );
  });

  it('throws before the numbers exceed their limit', () => {
    const large = new Float64Array(NUMBERS_BYTES_MAX / 8 / 2 + 1);
    const one: Divide<null> = () => [
      { round: 0, first: 0, count: 1 },
      { round: 0, first: 1, count: 1 },
    ];
    expect(() => walkRounds(null, { divide: one }, () => large)).to.throw('larger than 268435456 bytes');
  });
});

describe('samplesOfRound', () => {
  const part = (first: number, count: number, round = 1): Part => ({ round, first, count });

  it('counts the samples of parts that follow one another', () => {
    expect(samplesOfRound([part(5, 2), part(7, 3)], { round: 1, first: 5 })).to.equal(5);
  });

  for (const [fault, parts] of [
    ['a gap', [part(5, 2), part(8, 1)]],
    ['an overlap', [part(5, 2), part(6, 1)]],
    ['another first sample', [part(0, 2)]],
    ['another round', [part(5, 2, 0)]],
    ['a part without samples', [part(5, 0)]],
    ['a fraction of a sample', [part(5, 1.5)]],
    ['a negative count', [part(5, -1)]],
    ['no part', []],
    ['too many parts', Array.from({ length: ROUND_PARTS_MAX + 1 }, (_, at) => part(5 + at, 1))],
  ] as const) {
    it(`refuses a round with ${fault}`, () => {
      expect(() => samplesOfRound(parts, { round: 1, first: 5 })).to.throw();
    });
  }
});
