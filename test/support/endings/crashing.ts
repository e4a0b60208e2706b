import { onOneBackend } from '../live.ts';

// `test/full/endings.test.ts` runs this file. It is not part of the test suite.
onOneBackend('A test that takes its process down', () => {
  it('ends with that process', () => process.kill(process.pid, 'SIGKILL'));
});
