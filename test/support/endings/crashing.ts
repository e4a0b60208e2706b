import { onOneBackend } from '../live.ts';

// This file is run only by the tests in `endings.test.ts`.
onOneBackend('A test that takes its process down', () => {
  it('ends with that process', () => process.kill(process.pid, 'SIGKILL'));
});
