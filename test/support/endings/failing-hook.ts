import { backend } from '../backends.ts';

// Run only by the tests of how a test run ends.
before(async () => {
  await backend('postgres');
  throw new Error('a root hook fails');
});

it('is never reached', () => {});
