import { backend } from '../backends.ts';

// Run by the tests of how a run of tests ends, never by itself.
before(async () => {
  await backend('postgres');
  throw new Error('a root hook fails');
});

it('never begins', () => {});
