import { expect } from 'chai';
import { Problem, problemBody, problems, storedProblem, type ProblemCode } from '#lib/core/problem.ts';

describe('problems', () => {
  for (const [code, { status, title }] of Object.entries(problems)) {
    it(`have a 4xx or 5xx status and a title without a full stop for ${code}`, () => {
      expect(code).to.match(/^[a-z]+(_[a-z]+)*$/);
      expect(status).to.be.within(400, 599);
      expect(title).to.match(/^[A-Z].*[^.]$/);
    });
  }

  it('have a body with the members of RFC 9457, the code and the request id', () => {
    const problem = new Problem('not_found', 'There is no such run.');
    expect(problem.status).to.equal(404);
    expect(problemBody(problem, 'req_1')).to.deep.equal({
      type: '/problems/not_found',
      title: 'The resource does not exist',
      status: 404,
      detail: 'There is no such run.',
      code: 'not_found',
      request_id: 'req_1',
    });
  });

  it('have no member for the request id or the errors if there are none', () => {
    expect(problemBody(new Problem('not_found', 'x'))).to.have.all.keys(
      'type',
      'title',
      'status',
      'detail',
      'code',
    );
    expect(problemBody(new Problem('not_found', 'x', { errors: [] }))).to.not.have.property('errors');
  });

  it('contain their errors and their extension members', () => {
    const errors = [{ pointer: '/a', in: 'body', code: 'type', message: 'must be integer' }] as const;
    const problem = new Problem('market_history_insufficient', 'x', {
      errors,
      members: { observed: 3, needed: 24 },
    });
    expect(problemBody(problem)).to.deep.include({ errors, observed: 3, needed: 24, status: 503 });
  });

  // A cause may contain statements, addresses and stacks, so it belongs only in the log.
  it('do not include their cause and their headers in the body', () => {
    const cause = new Error('select * from credential');
    const problem = new Problem('internal_error', 'An unexpected error.', {
      cause,
      headers: { Allow: 'GET' },
    });
    expect(problem.cause).to.equal(cause);
    expect(problem.headers).to.deep.equal({ Allow: 'GET' });
    expect(JSON.stringify(problemBody(problem)))
      .to.not.contain('select')
      .and.to.not.contain('Allow');
  });

  it('have the same body after they were stored with a run and read back', () => {
    for (const code of Object.keys(problems) as ProblemCode[]) {
      const problem = new Problem(code, 'What happened.', { members: { observed: 0 } });
      const stored = JSON.parse(JSON.stringify(storedProblem(problem))) as ReturnType<typeof storedProblem>;
      expect(problemBody(stored, 'req_1')).to.deep.equal(problemBody(problem, 'req_1'));
    }
  });

  it('have a message with their code and detail, for the log', () => {
    const problem = new Problem('not_found', 'There is no such run.');
    expect(problem).to.be.instanceOf(Error);
    expect(String(problem)).to.equal('Problem: not_found: There is no such run.');
  });
});
