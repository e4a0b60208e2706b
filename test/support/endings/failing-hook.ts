import { backend } from '../backends.ts';

// This file is run only by the tests in `endings.test.ts`.
before(async () => {
  await backend('postgres');
  throw new Error('a root hook fails');
});

it('is never reached', () => {});
