import { expect } from 'chai';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onEachBackend } from '../../support/live.ts';

onEachBackend('Delegations', (live) => {
  let sample: Sample;
  before(async () => {
    sample = await governedSample(live());
  });

  it('I-040, I-050, I-059 is a draft without power until another person approves it', async () => {
    const { status, body } = await draft(live(), sample);
    expect([status, body.state, body.execution_authority.granted], JSON.stringify(body)).to.deep.equal([
      201,
      'draft',
      false,
    ]);
    const own = await approve(live(), sample.applications.drafter.api_key, body.uid);
    expect([own.status, own.body.code]).to.deep.equal([403, 'sod_same_application']);
    const outsider = await approve(live(), sample.applications.outsider.api_key, body.uid);
    expect([outsider.status, outsider.body.code]).to.deep.equal([403, 'approver_not_bound']);
    const approved = await approve(live(), sample.applications.approver.api_key, body.uid);
    expect(
      [approved.status, approved.body.state, approved.body.code],
      JSON.stringify(approved.body),
    ).to.deep.equal([200, 'activated', undefined]);
    const again = await approve(live(), sample.applications.approver.api_key, body.uid);
    expect([again.status, again.body.code]).to.deep.equal([409, 'delegation_not_draft']);
  });
});
