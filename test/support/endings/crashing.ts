import { onOneBackend } from '../live.ts';

// Run only by the tests of how a test run ends.
onOneBackend('A test that takes its process down', () => {
  it('ends with that process', () => process.kill(process.pid, 'SIGKILL'));
});
