import { backend } from '../backends.ts';

// `test/full/endings.test.ts` runs this file. It is not part of the test suite.
before(async () => {
  await backend('postgres');
  throw new Error('a root hook fails');
});

it('is never reached', () => {});
