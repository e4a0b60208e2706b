import { expect } from 'chai';
import {
  certificationStatuses,
  decideApproval,
  decideProposal,
  decideRevocation,
  decideWithdrawal,
  listingStates,
  wordsOf,
  type Subject,
} from '#lib/marketplace/listing.ts';
import { readListing } from '#lib/marketplace/listing-file.ts';

const digest = 'ab'.repeat(32);
const evidence = { uid: 'evp_1' };
const codeOf = (verdict: { ok: boolean; code?: string }) => (verdict.ok ? 'ok' : verdict.code);

describe('the decision about a proposed listing', () => {
  it('allows a published item, and an evaluation only with a sealed record', () => {
    const expected: [Subject, (typeof certificationStatuses)[number], boolean, boolean, string][] = [
      [{ digest }, 'none', false, false, 'ok'],
      [{ digest }, 'self_declared', false, false, 'ok'],
      [{ digest }, 'evaluated', true, false, 'ok'],
      [{ digest }, 'evaluated', false, false, 'evidence_unsealed'],
      [{ digest }, 'none', false, true, 'version_exists'],
      [{ fault: 'subject_unknown' }, 'none', false, false, 'subject_unknown'],
      [{ fault: 'digest_unpublished' }, 'evaluated', true, false, 'digest_unpublished'],
      [{ fault: 'case_failed' }, 'none', false, false, 'case_failed'],
    ];
    for (const [subject, status, isSealed, versionExists, code] of expected) {
      const claim = { status, evidence: isSealed ? evidence : null };
      expect(codeOf(decideProposal(subject, claim, versionExists)), code).to.equal(code);
    }
  });
});

describe('the decision about the approval of a listing', () => {
  const given = { subject: { digest }, claim: { status: 'none', evidence: null }, person: 'ben' } as const;
  const approve = (
    listing: Partial<Parameters<typeof decideApproval>[0]>,
    facts: Partial<Parameters<typeof decideApproval>[1]> = {},
  ) =>
    codeOf(
      decideApproval({ state: 'proposed', digest, proposedBy: 'ann', ...listing }, { ...given, ...facts }),
    );

  it('allows only a person other than the proposer, and only in the state `proposed`', () => {
    expect(listingStates.map((state) => approve({ state }))).to.deep.equal([
      'ok',
      'transition_not_allowed',
      'transition_not_allowed',
      'transition_not_allowed',
    ]);
    expect(approve({}, { person: 'ann' })).to.equal('second_person_required');
  });

  it('refuses an item that has changed, no longer exists, or has an evaluation that is not sealed', () => {
    expect(approve({ digest: 'cd'.repeat(32) })).to.equal('digest_changed');
    expect(approve({}, { subject: { fault: 'subject_unknown' } })).to.equal('subject_unknown');
    expect(approve({}, { claim: { status: 'evaluated', evidence: null } })).to.equal('evidence_unsealed');
    expect(approve({}, { claim: { status: 'evaluated', evidence } })).to.equal('ok');
  });
});

describe('the end of a listing', () => {
  it('is reached by the withdrawal of one person, once', () => {
    expect(listingStates.map((state) => codeOf(decideWithdrawal(state)))).to.deep.equal([
      'ok',
      'ok',
      'ok',
      'transition_not_allowed',
    ]);
  });

  it('revokes the certification of a shown listing exactly when the digest of the item changes', () => {
    for (const state of listingStates) {
      for (const certification of certificationStatuses) {
        const isShown = state === 'published' || state === 'superseded';
        const revoked = isShown && certification !== 'none' ? 'ok' : 'certification_valid';
        const decide = (subject: Subject) =>
          codeOf(decideRevocation({ state, digest, certification }, subject));
        expect(decide({ digest: 'cd'.repeat(32) }), `${state} ${certification}`).to.equal(revoked);
        expect(decide({ fault: 'digest_unpublished' }), `${state} ${certification}`).to.equal(revoked);
        expect(decide({ digest }), `${state} ${certification}`).to.equal('certification_valid');
      }
    }
  });
});

describe('the words of a search', () => {
  it('are runs of letters and digits in lower case', () => {
    expect(wordsOf('Month-end  Émission 2026! month')).to.deep.equal(['month', 'end', 'émission', '2026']);
    expect(wordsOf('.*')).to.deep.equal([]);
    expect(wordsOf('(a+)+$')).to.deep.equal(['a']);
  });
});

describe('a listing file', () => {
  const file = {
    kind: 'workflow',
    key: 'month-end',
    version: '1.0.0',
    subject: 'month-end-themes',
    title: 'Month end',
    description: 'Seals the theme factors.',
  };
  const faultsOf = (change: object) => {
    const read = readListing({ ...file, ...change }, {});
    return read.ok ? [] : read.faults.map(({ pointer }) => pointer);
  };

  it('requires the entitlement to the dataset that it offers', () => {
    const uid = `dst_${'0'.repeat(26)}`;
    const offer = { actions: ['read'], licence_hash: digest };
    const read = readListing({ ...file, kind: 'dataset', subject: uid, offer }, {});
    expect(read.ok && read.listing.required_entitlements).to.deep.equal([uid]);
  });

  it('is refused with the pointers of its faults', () => {
    expect(faultsOf({})).to.deep.equal([]);
    expect(faultsOf({ key: '../x' })).to.deep.equal(['/key']);
    expect(faultsOf({ version: '1.0.0-rc' })).to.deep.equal(['/version']);
    expect(faultsOf({ required_scopes: ['everything'] })).to.deep.equal(['/required_scopes/0']);
    expect(faultsOf({ grants: { scopes: ['investment:run'] } })).to.deep.equal(['']);
    expect(faultsOf({ price: { model: 'free', currency: 'EUR', amount_minor: 1 } })).to.deep.equal([
      '/price',
    ]);
    expect(faultsOf({ price: { model: 'flat', currency: 'XXQ', amount_minor: 1 } })).to.deep.equal([
      '/price/currency',
    ]);
    expect(faultsOf({ kind: 'dataset' })).to.deep.equal(['/offer']);
  });
});
