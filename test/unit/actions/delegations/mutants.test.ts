import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { memoryBackend } from '../../../support/delegation/memory-backend.ts';
import { holdAgainstModel } from '../../../support/delegation/model.ts';
import { loadMutant, type Mutation } from '../../../support/delegation/mutate.ts';
import { defects, equivalents, outOfSight } from '../../../support/delegation/mutations.ts';
import * as bounds from '../../../support/delegation/properties-of-bounds.ts';
import * as chains from '../../../support/delegation/properties-of-chains.ts';
import * as records from '../../../support/delegation/properties-of-records.ts';
import * as votes from '../../../support/delegation/properties-of-votes.ts';
import { rules, type Property, type Rules } from '../../../support/delegation/rules.ts';
import { isExhaustive, repetitions } from '../../../support/repetitions.ts';

/**
 * The properties in the order in which they are checked. Properties without generated cases come first,
 * because they take the least time.
 */
const properties = Object.entries<Property>({ ...records, ...chains, ...votes, ...bounds }).toSorted(
  ([, one], [, other]) => one.length - other.length,
);

/**
 * The seed and the number of generated cases for every property. The seed is fixed, so that a defect is found
 * in every run or in none.
 */
const CASES = { seed: 20_261_121, numRuns: repetitions.mutantCases, endOnFailure: true };
const CALLS = { seed: 389, numRuns: repetitions.mutantCalls, endOnFailure: true };

/** Returns the first property that the rules violate, or undefined if they satisfy all. */
function brokenProperty(mutant: Rules): string | undefined {
  return properties.find(([, property]) => {
    try {
      property(mutant, CASES);
      return false;
    } catch {
      return true;
    }
  })?.[0];
}

/** Whether the reference model finds the defect by comparing answers to calls. */
async function isFoundByModel(mutant: Rules): Promise<boolean> {
  const held = holdAgainstModel(async () => memoryBackend(mutant), CALLS);
  return held.then(
    () => false,
    () => true,
  );
}

describe('delegation rules with an injected defect', function () {
  let folder: string;
  let loaded = 0;
  const load = (mutation: Mutation) => loadMutant(mutation, path.join(folder, String((loaded += 1))));
  const outcomes: Record<string, 'killed' | 'equivalent'> = {};

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-mutants-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('have the same exports as the original rules and contain the defect', async () => {
    const file = 'lib/actions/delegations/terms.ts' as const;
    const same = await load({ file, find: 'DELEGATION_DAYS = 366;', replace: 'DELEGATION_DAYS = 365;' });
    expect(Object.keys(same).sort()).to.deep.equal(Object.keys(rules).sort());
    expect([rules.DELEGATION_DAYS, same.DELEGATION_DAYS]).to.deep.equal([366, 365]);
  });

  it('cannot be created if the source text to replace does not occur exactly once', async () => {
    const file = 'lib/actions/delegations/terms.ts' as const;
    for (const find of ['nowhere', 'const']) {
      const failed = await load({ file, find, replace: '' }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(failed).to.match(/is \d+ times in lib/);
    }
  });

  it('are compared with original rules in which neither the properties nor the model finds a defect', async () => {
    expect(brokenProperty(rules)).to.equal(undefined);
    expect(await isFoundByModel(rules)).to.equal(false);
  });

  for (const [title, mutation] of Object.entries({ ...defects, ...equivalents })) {
    const isEquivalent = title in equivalents;
    it(`${isEquivalent ? 'are not detected' : 'are detected'}: ${title}`, async () => {
      const mutant = await load(mutation);
      const isInSight = !isEquivalent && !outOfSight.includes(title);
      // Whether a defect is found depends on the generated calls. Only the full run generates enough calls to
      // show that the model cannot find a defect.
      const isFound = (isInSight || isExhaustive) && (await isFoundByModel(mutant));
      outcomes[title] = isFound || brokenProperty(mutant) !== undefined ? 'killed' : 'equivalent';
      expect(outcomes[title]).to.equal(isEquivalent ? 'equivalent' : 'killed');
      expect(isFound, 'by the model').to.equal(isInSight);
    });
  }

  it('are detected with each of 52 defects, but not with the one defect that changes no answer', () => {
    const count = (word: string) => Object.values(outcomes).filter((outcome) => outcome === word).length;
    expect({ killed: count('killed'), equivalent: count('equivalent') }).to.deep.equal({
      killed: 52,
      equivalent: 1,
    });
  });
});
