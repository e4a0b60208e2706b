import { expect } from 'chai';
import { rankEntries } from '#lib/quant/tournaments/rank-entries.ts';
import { tournamentVerdict, type Contender } from '#lib/quant/tournaments/tournament-verdict.ts';

const options = { baseline: 0, overlap: 1, level: 0.9, resamples: 500, seed: 0 };
const N = 40;

/** Positive losses that vary without random numbers. */
const lossesOf = (seed: number, size: number) =>
  Float64Array.from({ length: N }, (_, at) => size * (1 + (((at + 1) * (37 + 12 * seed)) % 23) / 23));

describe('the ranking of a tournament', () => {
  it('names a winner that is alone in the set and differs from the baseline', () => {
    const found = rankEntries([lossesOf(1, 10), lossesOf(2, 3), lossesOf(3, 8)], options);
    expect(found).to.include({ winner: 1, verdict: 'winner', best: 1 });
    expect(found.leaders).to.deep.equal([1]);
    expect(found.entries[1]).to.include({ rank: 1, againstBest: null });
    expect(found.entries[0]).to.include({ skill: 0, againstBaseline: null });
    expect(found.entries[1]!.skill).to.be.greaterThan(0.5);
  });

  it('calls entries with equal losses a tie, whether they equal the baseline or beat it', () => {
    const [low, high] = [lossesOf(1, 3), lossesOf(2, 10)];
    const all = rankEntries([low, low, low], options);
    expect(all).to.deep.include({ winner: null, verdict: 'tie', leaders: [0, 1, 2] });
    expect(all.entries[1]!.againstBaseline).to.deep.equal({
      statistic: null,
      p: null,
      pHolm: null,
      reason: 'equal_losses',
    });
    const twins = rankEntries([high, low, low], options);
    expect(twins).to.deep.include({ winner: null, verdict: 'tie', leaders: [1, 2] });
  });

  it('returns a tie and a skill of null if all losses are 0', () => {
    const zero = new Float64Array(N);
    const found = rankEntries([zero, zero], options);
    expect(found).to.include({ verdict: 'tie' });
    expect(found.entries.map(({ skill }) => skill)).to.deep.equal([null, null]);
  });

  it('has no test for losses that differ by a constant, or for a single loss', () => {
    const low = new Float64Array(N).fill(1);
    const high = new Float64Array(N).fill(2);
    const apart = rankEntries([high, low], options);
    expect(apart.entries[1]!.againstBaseline).to.include({ reason: 'zero_variance', p: null });
    expect(apart).to.include({ winner: null, verdict: 'not_significant' });
    const one = rankEntries([Float64Array.of(2), Float64Array.of(1)], options);
    expect(one.entries[1]!.againstBaseline).to.include({ reason: 'too_few' });
  });

  it('does not depend on the order of the entries', () => {
    const rows = [lossesOf(1, 10), lossesOf(2, 9.9), lossesOf(3, 9.5)];
    const found = rankEntries(rows, options);
    const turned = rankEntries([rows[2]!, rows[0]!, rows[1]!], { ...options, baseline: 1 });
    expect(turned.entries[0]).to.deep.equal(found.entries[2]);
    expect(turned.verdict).to.equal(found.verdict);
  });
});

describe('the verdict of a tournament', () => {
  const entry = (meanLoss: number, isInSet: boolean, pAgainstBaseline: number | null = 0.01): Contender => ({
    meanLoss,
    isInSet,
    isBaseline: false,
    pAgainstBaseline,
  });
  const baseline = (meanLoss: number, isInSet: boolean): Contender => ({
    meanLoss,
    isInSet,
    isBaseline: true,
    pAgainstBaseline: null,
  });
  const cases: [string, Contender[], string][] = [
    ['the only member of the set', [baseline(2, false), entry(1, true)], 'winner'],
    ['a p-value at the level', [baseline(2, false), entry(1, true, 0.05)], 'not_significant'],
    ['no p-value', [baseline(2, false), entry(1, true, null)], 'not_significant'],
    ['two members', [baseline(2, false), entry(1, true), entry(1.1, true)], 'tie'],
    ['the baseline in the set', [baseline(2, true), entry(1, true)], 'baseline_in_set'],
    ['the baseline alone', [baseline(1, true), entry(2, false)], 'baseline_best'],
    ['the baseline with the smallest loss', [baseline(1, true), entry(2, true)], 'baseline_best'],
    ['the baseline and an equal entry', [baseline(1, true), entry(1, true)], 'tie'],
  ];
  for (const [about, contenders, verdict] of cases) {
    it(`is ${verdict} for ${about}`, () => {
      expect(tournamentVerdict(contenders)).to.deep.equal({
        winner: verdict === 'winner' ? 1 : null,
        verdict,
      });
    });
  }
});
