import { expect } from 'chai';
import { decideAdmission, isAdmitted, type AdmissionFacts } from '#lib/workflows/admission.ts';

const fine: AdmissionFacts = {
  isPublished: true,
  isPersonActive: true,
  areParametersValid: true,
  isApplicationActive: true,
  hasPlaceAccess: true,
  missingScopes: [],
  undeclaredRuns: [],
  answer: { effect: 'allow', graphs: [] },
};
const obstacles: [string, Partial<AdmissionFacts>][] = [
  ['version_not_published', { isPublished: false }],
  ['person_not_active', { isPersonActive: false }],
  ['parameters_invalid', { areParametersValid: false }],
  ['application_inactive', { isApplicationActive: false }],
  ['production_access_disabled', { hasPlaceAccess: false }],
  ['scope_missing', { missingScopes: ['investment:run'] }],
  ['run_undeclared', { undeclaredRuns: ['planning.oracles'] }],
];

describe('the admission of a workflow run', () => {
  it('is granted if there is no obstacle and the policies allow the workflow', () => {
    expect(decideAdmission(fine)).to.deep.equal({ decision: 'admitted', conditions: [], refusals: [] });
  });

  it('I-131: is denied if the policies could not be evaluated, regardless of all other facts', () => {
    for (const [, facts] of [['nothing', {}] as const, ...obstacles]) {
      const { decision } = decideAdmission({ ...fine, ...facts, answer: null });
      expect(decision).to.equal('not_evaluated_denied');
      expect(isAdmitted(decision)).to.equal(false);
    }
  });

  for (const [code, facts] of obstacles) {
    it(`is denied with ${code}, whatever the policies decide`, () => {
      for (const effect of ['allow', 'require_approval', 'deny'] as const) {
        const verdict = decideAdmission({ ...fine, ...facts, answer: { effect, graphs: [null] } });
        expect([verdict.decision, verdict.conditions]).to.deep.equal(['denied', []]);
        expect(verdict.refusals.map((each) => each.code)).to.deep.equal([code]);
      }
    });
  }

  it('is granted on condition of an approval if the policies require an approval but name no graph', () => {
    const requested = decideAdmission({ ...fine, answer: { effect: 'require_approval', graphs: [null] } });
    expect(requested).to.deep.include({ decision: 'admitted_with_conditions' });
    const named = decideAdmission({
      ...fine,
      answer: { effect: 'require_approval', graphs: [null, 'treasury'] },
    });
    expect(named).to.deep.include({
      decision: 'denied',
      refusals: [{ code: 'approval_graph_named', graph: 'treasury' }],
    });
    for (const effect of ['deny', 'something else'] as 'deny'[]) {
      expect(decideAdmission({ ...fine, answer: { effect, graphs: [] } }).decision).to.equal('denied');
    }
  });
});
