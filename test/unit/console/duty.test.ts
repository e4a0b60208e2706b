import { expect } from 'chai';
import { pages } from '#api/console/pages.ts';
import { duties, hasDuty, personRoles, scopesOf, type Duty } from '#lib/access/console/duty.ts';
import { scopes } from '#lib/core/scope.ts';

/** The decisions of all pages, by the kind of change. A new decision must be added to this table. */
const decisions: Readonly<Record<Duty, readonly string[]>> = {
  submit_runs: ['/console/new/:kind', '/console/new/models/:key'].flatMap((path) => [
    `${path} submit`,
    `${path} curl`,
  ]),
  stop_runs: [
    '/console/runs/:uid cancel',
    '/console/jobs cancel',
    '/console/jobs dispatch',
    '/console/workflows/:id cancel',
  ],
  decide: [
    ...['approve', 'resume', 'reject', 'withdraw', 'suspend', 'revoke'].map(
      (name) => `/console/delegations/:id ${name}`,
    ),
    ...['keep', 'supersede'].map((name) => `/console/conflicts/:id ${name}`),
    '/console/obligations/:id withdraw',
    ...['evaluate', 'approve', 'release', 'cancel'].map((name) => `/console/batches/:id ${name}`),
    ...['acknowledge', 'resolve', 'waive'].map((name) => `/console/exceptions/:id ${name}`),
    '/console/workflows/:id approve',
  ],
  account: [
    '/console/account add',
    '/console/account codes',
    '/console/account new-codes',
    '/console/account remove',
  ],
};

/** The duties of each role. */
const table: Readonly<Record<string, readonly Duty[]>> = {
  owner: ['submit_runs', 'stop_runs', 'decide', 'account'],
  approver: ['decide', 'account'],
  analyst: ['submit_runs', 'stop_runs', 'account'],
  operator: ['stop_runs', 'account'],
  auditor: ['account'],
  treasury: ['decide', 'account'],
};

describe('the duties of persons in the console', () => {
  it('give each decision of a page its kind of change', () => {
    const found = pages.flatMap(({ path, decisions: some = [] }) =>
      some.map(({ name, duty }) => `${duty} ${path} ${name}`),
    );
    const expected = duties.flatMap((duty) => decisions[duty].map((decision) => `${duty} ${decision}`));
    expect(found.toSorted()).to.deep.equal(expected.toSorted());
  });

  it('follow the table of roles and kinds of changes', () => {
    expect(Object.keys(table)).to.include.members([...personRoles]);
    for (const [role, own] of Object.entries(table))
      for (const duty of duties)
        expect(hasDuty([role], duty), `${role} ${duty}`).to.equal(own.includes(duty));
  });

  it('add up for several roles, except that an auditor has no other duties', () => {
    expect(duties.filter((duty) => hasDuty(['analyst', 'approver'], duty))).to.deep.equal(duties);
    for (const roles of [[], ['auditor', 'owner'], ['analyst', 'auditor']])
      expect(
        duties.filter((duty) => hasDuty(roles, duty)),
        roles.join(),
      ).to.deep.equal(['account']);
  });

  it('leave a person who may not submit runs only the entitlements to read', () => {
    expect(scopesOf(['analyst'], scopes)).to.deep.equal([...scopes]);
    for (const role of ['approver', 'operator', 'auditor', 'treasury']) {
      const left = scopesOf([role], scopes);
      expect(left, role).to.include('quant:compute:read');
      expect(
        left.filter((scope) => !scope.endsWith(':read')),
        role,
      ).to.deep.equal([]);
    }
  });
});
