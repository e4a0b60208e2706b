import '../io-work.ts';
import { runners } from '../runners.ts';
import './thread.ts';
import type { LoadRunner } from './runner.ts';

/**
 * Loads the code that a worker loads only when it needs it, and ends. With `NODE_COMPILE_CACHE`, Node keeps the compiled
 * code for the workers.
 */
for (const load of Object.values<LoadRunner>(runners)) {
  const { default: runner } = await load();
  await import(runner.compute.href);
}
