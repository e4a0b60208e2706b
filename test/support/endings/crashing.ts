import { onOneBackend } from '../live.ts';

// Run by the tests of how a run of tests ends, never by itself.
onOneBackend('A test that takes its process down', () => {
  it('kills it', () => process.kill(process.pid, 'SIGKILL'));
});
