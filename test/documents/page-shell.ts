import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandsOf, type Block } from './blocks.ts';

/** The folder and the API with which the commands of a page are run. */
export type Seat = {
  folder: string;
  /** The URL of the API, which replaces `http://127.0.0.1:3000` in the pages. */
  url: string;
};

/** A fault of a page: the page and line of the block, and the output of the shell. */
export type PageFault = { place: string; output: string };

/**
 * Runs the blocks of a page in order, in one shell. A command fails if its status is not 0. A request also
 * fails if its answer is a problem. Stops at the first block that does not have the result that the page
 * states.
 */
export async function runPage(blocks: readonly Block[], { folder, url }: Seat): Promise<PageFault[]> {
  const scripts = mkdtempSync(path.join(tmpdir(), 'assay-blocks-'));
  const shell = spawn('bash', ['--noprofile', '--norc', '-s'], {
    cwd: folder,
    env: { ...process.env, API: `${url}/api/v2`, PORT: new URL(url).port, ASSAY_HOME: '', LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let onOutput = () => {};
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      onOutput();
    });
  }
  const ended = once(shell, 'close');
  const until = (mark: RegExp) =>
    new Promise<RegExpExecArray | undefined>((resolve) => {
      onOutput = () => {
        const found = mark.exec(output);
        if (found) resolve(found);
      };
      void ended.then(() => resolve(undefined));
      onOutput();
    });
  shell.stdin.write(PRELUDE);
  try {
    for (const [at, block] of blocks.entries()) {
      if (block.skipped !== undefined) continue;
      const script = path.join(scripts, `${at}.sh`);
      writeFileSync(script, `${block.text.replaceAll('http://127.0.0.1:3000', url)}\n:\n`);
      output = '';
      shell.stdin.write(
        `failures=0; . ${script} < /dev/null; printf "\\n--- block ${at}: %d failed\\n" $failures\n`,
      );
      const mark = await until(new RegExp(`^--- block ${at}: (\\d+) failed$`, 'm'));
      const failures = Number(mark?.[1] ?? Number.NaN);
      if (failures !== (block.isRefused ? commandsOf(block) : 0)) {
        return [{ place: `${block.page}:${block.line}`, output: `${block.text}\n\n${output}` }];
      }
    }
    return [];
  } finally {
    shell.stdin.end();
    await ended;
    rmSync(scripts, { recursive: true, force: true });
  }
}

/**
 * The commands that the shell runs first. They make curl fail on a problem, which curl otherwise treats as a
 * success.
 */
const PRELUDE = `set -o pipefail
trap 'failures=$((failures + 1)); echo "--- failed: $BASH_COMMAND"' ERR
curl() { command curl --fail-with-body "$@"; }
`;
