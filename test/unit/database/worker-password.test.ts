import { expect } from 'chai';
import { roleUrl, workerPassword } from '#lib/database/roles.ts';

const owner = 'postgres://assay_owner:secret@db.test:5432/assay';

describe("the password of the workers' role", () => {
  it('is derived equally from the URL of the owner and from the URL of the role', () => {
    const reported = workerPassword(owner, {});
    expect(reported).to.be.a('string').and.not.equal('');
    expect(workerPassword(roleUrl(owner, 'worker'), {})).to.equal(reported);
  });

  it('is the configured password if one is set', () => {
    const set = { WORKER_PASSWORD: 'a password of their own' };
    expect(workerPassword(owner, set)).to.equal(set.WORKER_PASSWORD);
    expect(workerPassword(roleUrl(owner, 'operator'), set)).to.equal(set.WORKER_PASSWORD);
  });

  it("is undefined if only the operator's URL is set", () => {
    expect(workerPassword(roleUrl(owner, 'operator'), {})).to.equal(undefined);
  });
});
