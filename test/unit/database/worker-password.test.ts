import { expect } from 'chai';
import { roleUrl, workerPassword } from '#lib/database/roles.ts';

const owner = 'postgres://assay_owner:secret@db.test:5432/assay';

describe("the password of the workers' role", () => {
  it('is told by the URL of the owner as by that of the role', () => {
    const reported = workerPassword(owner, {});
    expect(reported).to.be.a('string').and.not.equal('');
    expect(workerPassword(roleUrl(owner, 'worker'), {})).to.equal(reported);
  });

  it('is the one that is set', () => {
    const set = { WORKER_PASSWORD: 'a password of their own' };
    expect(workerPassword(owner, set)).to.equal(set.WORKER_PASSWORD);
    expect(workerPassword(roleUrl(owner, 'operator'), set)).to.equal(set.WORKER_PASSWORD);
  });

  it("is told by nothing where only the operator's URL is there", () => {
    expect(workerPassword(roleUrl(owner, 'operator'), {})).to.equal(undefined);
  });
});
