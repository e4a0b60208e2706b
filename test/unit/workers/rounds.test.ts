import { expect } from 'chai';
import type { Control, Divide, Part } from '#lib/core/run.ts';
import { computeInRounds } from '#workers/process/rounds.ts';
import type { LoadRunner, Runner } from '#workers/process/runner.ts';
import { runners } from '#workers/runners.ts';
import { scenariosInRounds } from '../../support/scenario-rounds.ts';

const control: Control = { progress: () => {}, cancelled: () => false };

const divide: Divide<unknown> = (_input, round) =>
  round === 2 ? null : [0, 1].map((at) => ({ round, first: 2 * round + at, count: 1 }));
const division = { divide, rounds: { most: 5, samples: () => 4 } };

/** A computation of two rounds. The numbers of round 1 depend on those of round 0. */
const compute = computeInRounds(division, {
  part: (_input, _data, { part: { first }, before }) => Float64Array.of(first + 10 * (before.at(-1) ?? 0)),
  merge: (_input, _data, { numbers }) => ({
    ok: true,
    output: { result: [...numbers] },
    attachments: {},
    matrix: 'parts',
  }),
});

describe('computeInRounds', () => {
  const numbersOf = (part: Part, before: Float64Array) => {
    const outcome = compute({}, undefined, control, { part, before });
    if (!('part' in outcome)) throw new Error('no part');
    return new Float64Array(Uint8Array.from(outcome.part).buffer);
  };

  it('gives an undivided run the same result as a divided run', () => {
    let before = new Float64Array(0);
    for (const round of [0, 1]) {
      const parts = divide({}, round, before)!.map((part) => numbersOf(part, before));
      before = Float64Array.from([...before, ...parts.flatMap((part) => [...part])]);
    }
    const divided = compute({}, undefined, control, { drawn: before });
    const whole = compute({}, undefined, control);
    expect(divided).to.deep.include({ output: { result: [0, 1, 12, 13] }, matrix: 'parts' });
    expect(whole).to.deep.include({ output: { result: [0, 1, 12, 13] } });
  });

  it('stores the numbers of an undivided run as its matrix', () => {
    const whole = compute({}, undefined, control) as { matrix: Uint8Array };
    expect([...new Float64Array(whole.matrix.slice().buffer)]).to.deep.equal([0, 1, 12, 13]);
  });

  it('returns the refusal of a part', () => {
    const refusal = { ok: false as const, refusal: { code: 'stress_invalid' as const, detail: 'no' } };
    const refusing = computeInRounds(division, {
      part: () => refusal,
      merge: () => {
        throw new Error('merged');
      },
    });
    expect(refusing({}, undefined, control)).to.equal(refusal);
    const part = { round: 0, first: 0, count: 1 };
    expect(refusing({}, undefined, control, { part, before: new Float64Array(0) })).to.equal(refusal);
  });
});

describe('every runner of runs in several rounds', () => {
  it('exports its division from the file of its computation', async () => {
    for (const { run, rounds, divide: own, compute: file } of [
      ...(await Promise.all(Object.values<LoadRunner>(runners).map((load) => load()))),
      { default: scenariosInRounds as Runner },
    ].map(({ default: runner }) => runner)) {
      if (!rounds) continue;
      const computation = (await import(file.href)) as { divide?: unknown };
      expect(computation.divide, run.key).to.equal(own);
    }
  });
});
