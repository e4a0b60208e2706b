import { expect } from 'chai';
import {
  decideDatasetApproval,
  decideDatasetGovernance,
  type GovernanceFacts,
} from '#lib/data/dataset-governance.ts';

const persons = ['owner', 'importer', 'describer', 'other'] as const;

type Case = {
  hasOwner: boolean;
  hasLicence: boolean;
  units: 'all' | 'some' | 'none';
  approval: 'none' | 'current' | 'outdated';
  by: (typeof persons)[number];
};

const cases: Case[] = [true, false].flatMap((hasOwner) =>
  [true, false].flatMap((hasLicence) =>
    (['all', 'some', 'none'] as const).flatMap((units) =>
      (['none', 'current', 'outdated'] as const).flatMap((approval) =>
        persons.map((by) => ({ hasOwner, hasLicence, units, approval, by })),
      ),
    ),
  ),
);

function factsOf({ hasOwner, hasLicence, units, approval, by }: Case): GovernanceFacts {
  return {
    owner: hasOwner ? 'owner' : null,
    makers: ['importer', 'describer'],
    licence: hasLicence ? 'CC0' : null,
    columns: [
      { name: 'x', unit: units === 'none' ? null : 'USD' },
      { name: 'y', unit: units === 'all' ? 'ratio' : null },
    ],
    presentHash: 'now',
    approval: approval === 'none' ? null : { by, hash: approval === 'current' ? 'now' : 'before' },
  };
}

/**
 * Whether a person may approve a dataset, because the person neither contributed to the dataset nor owns it.
 */
const isFree = ({ by, hasOwner }: Case) => by === 'other' || (by === 'owner' && !hasOwner);

describe('the governance of a numeric dataset', () => {
  it('requires an owner, a licence, the unit of every column and a current approval by an independent person', () => {
    for (const one of cases) {
      const about = JSON.stringify(one);
      const expected = [
        ...(one.hasOwner ? [] : ['owner_missing']),
        ...(one.hasLicence ? [] : ['licence_missing']),
        ...(one.units === 'all' ? [] : ['unit_missing']),
        ...(one.approval === 'none' ? ['approval_missing'] : []),
        ...(one.approval === 'outdated' ? ['approval_outdated'] : []),
        ...(one.approval !== 'none' && !isFree(one) ? ['approver_not_independent'] : []),
      ];
      const verdict = decideDatasetGovernance(factsOf(one));
      expect(verdict, about).to.deep.equal(
        expected.length === 0 ? { governed: true } : { governed: false, reasons: expected },
      );
    }
    expect(cases.filter((one) => decideDatasetGovernance(factsOf(one)).governed)).to.deep.equal([
      { hasOwner: true, hasLicence: true, units: 'all', approval: 'current', by: 'other' },
    ]);
  });

  it('lets a person approve a dataset exactly when the dataset is not governed yet and the approval makes it governed', () => {
    for (const one of cases) {
      for (const approver of persons) {
        const facts = factsOf(one);
        const decision = decideDatasetApproval(facts, approver);
        const after = { ...facts, approval: { by: approver, hash: facts.presentHash } };
        const isWorthIt = !decideDatasetGovernance(facts).governed && decideDatasetGovernance(after).governed;
        const about = `${approver} of ${JSON.stringify(one)}: ${JSON.stringify(decision)}`;
        expect(decision.ok, about).to.equal(isWorthIt);
      }
    }
  });
});
