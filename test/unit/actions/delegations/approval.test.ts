import { expect } from 'chai';
import { decideApproval, revalidate, type ApprovalFacts } from '#lib/actions/delegations/approval.ts';
import { assessIndependence, personsOf } from '#lib/actions/delegations/independence.ts';
import { allowed, obstacles, vote } from '../../../support/delegation/approval-cases.ts';
import { inOrderOfRefusals, revalidated } from '../../../support/delegation/properties-of-votes.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { applications, creator, personsOfApplication } from '../../../support/delegation/world.ts';
import { repetitions } from '../../../support/repetitions.ts';

const decide = (change: Partial<ApprovalFacts>) => decideApproval({ ...allowed, ...change });
const plain = { riskTier: 'T1', intent: null } as const;
const person = (uid: string, ...roles: string[]) => ({ uid, isActive: true, roles });

describe('the approval of a delegation', () => {
  for (const { code, title, change } of obstacles) {
    it(`is refused with ${code} if ${title}`, () => {
      const verdict = decide(change);
      expect(verdict).to.include({ ok: false, code });
      expect(verdict).to.not.have.any.keys('node', 'authority', 'isComplete');
    });
  }

  it('returns the first applicable refusal in the documented order', () => {
    inOrderOfRefusals(rules, {});
  });

  it('I-059 is complete exactly when the last missing vote is given', () => {
    const votes = [vote(1, 'ann'), vote(1, 'dee')];
    expect(decide({ ...plain, votes: [] })).to.include({ ok: true, node: 1, isComplete: false });
    expect(decide({ ...plain, votes: [vote(1, 'ann')] })).to.include({
      ok: true,
      node: 1,
      isComplete: false,
    });
    expect(decide({ ...plain, votes, voter: person('cyd', 'treasurer') })).to.include({
      ok: true,
      node: 2,
      role: 'treasurer',
      isComplete: true,
    });
  });

  it('I-056 counts a person once, even through another application or in another role', () => {
    const dee = {
      ...plain,
      voter: person('dee', 'controller', 'treasurer'),
      approver: personsOfApplication('dee-2'),
    };
    expect(decide({ ...dee, votes: [vote(1, 'ann'), vote(1, 'dee')] })).to.include({
      code: 'approval_already_recorded',
    });
    expect(decide({ ...dee, votes: [vote(1, 'ann'), vote(1, 'ben')] })).to.include({ ok: true, node: 2 });
  });

  it('I-057 is refused for a voter who is eligible only at a later node or only at a node that has all its votes', () => {
    expect(decide({ ...plain, voter: person('cyd', 'treasurer') })).to.include({
      code: 'approval_node_not_open',
    });
    expect(decide({ ...plain, votes: [vote(1, 'ann'), vote(1, 'dee')] })).to.include({
      code: 'approver_not_eligible',
    });
  });

  it('I-058 voids a vote whose authority has ended and all votes of later nodes', () => {
    const votes = [vote(1, 'ann', 'authority_ended'), vote(1, 'dee'), vote(2, 'cyd')];
    const verdict = decide({ ...plain, votes });
    expect(verdict).to.include({ ok: true, node: 1, isComplete: false });
    expect(verdict.voided).to.deep.equal([
      { uid: 'apv_1_ann', reason: 'authority_ended' },
      { uid: 'apv_2_cyd', reason: 'earlier_node_reopened' },
    ]);
  });

  it('I-058 reports voided votes even if the new vote is refused', () => {
    const votes = [vote(1, 'ben', 'binding_ended'), vote(2, 'cyd')];
    const voided = [
      { uid: 'apv_1_ben', reason: 'binding_ended' },
      { uid: 'apv_2_cyd', reason: 'earlier_node_reopened' },
    ];
    expect(decide({ ...plain, votes, authorities: [] }).voided).to.deep.equal(voided);
    expect(decide({ ...plain, votes })).to.deep.include({ ok: true, node: 1, voided });
  });

  it('I-058 counts exactly the valid votes, for any graph and any votes', () => {
    revalidated(rules, { numRuns: repetitions.delegationRules });
  });

  it('I-060 I-061 is refused for a delegation that is not a draft, before any other check', () => {
    const votes = [vote(1, 'ann', 'authority_ended'), vote(1, 'dee'), vote(2, 'cyd')];
    expect(decide({ state: 'rejected', votes })).to.deep.equal({
      ok: false,
      code: 'delegation_not_draft',
      voided: [],
    });
  });

  it('requires the votes of the whole graph to resume a suspended delegation', () => {
    const suspended = { ...plain, awaited: 'suspended', state: 'suspended', votes: [] } as const;
    expect(decide(suspended)).to.include({ ok: true, node: 1, isComplete: false });
    expect(decide({ ...suspended, isDraftOver: true })).to.include({ code: 'delegation_expired' });
    for (const state of ['draft', 'activated', 'revoked', 'expired', 'superseded'] as const) {
      expect(decide({ ...suspended, state })).to.include({ code: 'delegation_not_suspended' });
    }
  });

  it('I-063 needs no intent in tier T1 and accepts an intent that names no node', () => {
    expect(decide({ riskTier: 'T1', intent: null }).ok).to.equal(true);
    expect(decide({ intent: { uid: '', state: 'live', matches: true, node: null } }).ok).to.equal(true);
  });

  it('I-063 rejects an intent for a later node if a voided vote reopened an earlier node', () => {
    const dee = {
      voter: person('dee', 'controller', 'treasurer'),
      intent: { uid: 'ain_1', state: 'live', matches: true, node: 2 },
    } as const;
    const holding = [vote(1, 'ann'), vote(1, 'ben')];
    expect(decide({ ...dee, votes: holding })).to.include({ ok: true, node: 2 });
    const reopened = [vote(1, 'ann'), vote(1, 'ben', 'authority_ended')];
    expect(decide({ ...dee, votes: reopened })).to.include({ code: 'approval_intent_mismatch' });
  });

  it('requires one authority of the voter that is in force and covers all terms', () => {
    const failed = [{ path: 'currency', op: 'in', expected: ['USD'], actual: 'EUR' }];
    const verdict = decide({
      authorities: [
        { uid: 'aut_dead', isLive: false, failed: [] },
        { uid: 'aut_short', isLive: true, failed },
        { uid: 'aut_good', isLive: true, failed: [] },
      ],
    });
    expect(verdict).to.include({ ok: true, authority: 'aut_good' });
  });

  it('reports the bounds that the closest authority of the voter does not cover, and the terms that are outdated', () => {
    const short = obstacles.find(({ code }) => code === 'authority_insufficient')!;
    expect(decide(short.change)).to.have.deep.property(
      'failed',
      short.change.authorities!.find(({ uid }) => uid === 'aut_2')!.failed,
    );
    expect(decide({ outdated: ['currency'] })).to.have.deep.property('outdated', ['currency']);
  });

  it('accepts a person whom the node names, whatever roles the person has', () => {
    const nodes = [{ position: 1, key: 'named', quorum: 1, roles: [], users: ['ben'] }];
    expect(decide({ nodes, votes: [], voter: person('ben') })).to.include({ role: null, isComplete: true });
    expect(decide({ nodes, votes: [], voter: person('cyd', 'controller') })).to.include({
      code: 'approver_not_eligible',
    });
  });

  it('voids nothing if every vote is valid', () => {
    const votes = [vote(1, 'ann'), vote(1, 'dee'), vote(2, 'cyd')];
    expect(revalidate(allowed.nodes, votes)).to.deep.equal({ counted: votes, voided: [] });
  });
});

describe('the applications of the voters', () => {
  const said = (application: string) => {
    const { person: uid } = applications[application]!;
    const voter = uid === null ? null : person(uid, 'controller');
    const verdict = decide({ ...plain, approver: personsOfApplication(application), voter, votes: [] });
    return verdict.ok ? 'ok' : verdict.code;
  };
  const expected: [string, string, string][] = [
    ['I-050', 'desk', 'sod_same_application'],
    ['I-051', 'second-desk', 'sod_same_person'],
    ['I-051', 'of-dora', 'sod_same_principal'],
    ['I-051', 'keeper', 'sod_same_person'],
    ['I-052', 'gift', 'sod_issuer_overlap'],
    ['I-052', 'bound-by-dora', 'sod_issuer_overlap'],
    ['I-053', 'loose', 'approver_not_bound'],
    ['I-050', 'ben', 'ok'],
  ];
  for (const [invariant, application, code] of expected) {
    it(`${invariant} ${code === 'ok' ? 'are accepted' : `are refused with ${code}`}: ${application}`, () => {
      expect(said(application)).to.equal(code);
    });
  }

  it('I-054 cannot vote for a machine identity or without an active person in an approving role', () => {
    const machine = { uid: 'idt_1', isActive: false, roles: ['controller'] };
    expect(decide({ voter: machine })).to.include({ code: 'approver_not_a_person' });
    expect(decide({ voter: person('ida') })).to.include({ code: 'approver_not_eligible' });
  });

  it('I-068 are stored with their persons, with the persons of the drafting application, and with the persons in both sets', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    for (const application of Object.keys(applications)) {
      const approver = personsOfApplication(application);
      const stored = assessIndependence(creator, approver, now);
      const shared = personsOf(creator).filter((each) => personsOf(approver).includes(each));
      expect(stored.intersections).to.have.members([...(application === 'desk' ? ['desk'] : []), ...shared]);
      if (said(application) === 'ok') expect(stored.intersections).to.deep.equal([]);
      expect(stored.approver_persons).to.deep.equal([...new Set(stored.approver_persons)].sort());
    }
  });
});
