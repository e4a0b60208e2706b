import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Options of Node for every long-running process. By default, V8 sizes the young generation of each thread by the
 * memory of the machine. With the limit of 4 MB, the processes need about a quarter less memory and the same processor
 * time.
 */
export const HEAP_OPTIONS = ['--max-semi-space-size=4'];

/**
 * Environment variables for every long-running process. By default, the C library gives each thread a region of memory
 * of its own, and Node has ten threads that rarely allocate. With one region, a process takes 5 to 15 MB less.
 */
export const MEMORY_VARIABLES = { MALLOC_ARENA_MAX: '1' };

/**
 * Collects the garbage that the start of a process leaves behind, such as the texts of its modules, and returns the free
 * memory to the operating system. V8 otherwise keeps this memory, which is half of the API's. Takes about 0.2 s.
 */
export function returnUnusedMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: Record<string, string>) => void;
  // Only a collection of this flavor empties V8's pool of free pages.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
