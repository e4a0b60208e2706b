import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The checks that `npm run check` runs. */
const COMMANDS = {
  // More checkers finish sooner but take more processor time.
  types: ['tsc', '--checkers', '1'],
  'types in browsers': ['tsc', '-p', 'api/console/browser'],
  lint: ['oxlint', '--deny-warnings'],
  format: ['oxfmt', '--check'],
  wording: ['node', 'test/wording/main.ts'],
} as const;

export type Check = { name: string; isGood: boolean; text: string };

export type Checks = { done: Promise<Check[]>; abandon(): void };

/** Starts the checks in parallel. */
export function startChecks(): Checks {
  const children: ChildProcess[] = [];
  const start = async ([name, [command, ...words]]: [string, readonly [string, ...string[]]]) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    const ended = once(child, 'close');
    const texts = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = await ended;
    return { name, isGood: status === 0, text: texts.join('') };
  };
  return {
    done: Promise.all(Object.entries(COMMANDS).map(start)),
    abandon: () => children.forEach((child) => child.kill('SIGKILL')),
  };
}
