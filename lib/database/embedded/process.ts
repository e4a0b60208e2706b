import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

export type LiveProcess = {
  /**
   * The start time of the process. Its format varies by platform, so it can only be compared. The start time
   * distinguishes a process from a later process with the same pid.
   */
  started: string;
  /** Program and arguments, separated by NUL (Linux) or spaces. */
  command: string;
};

/**
 * Returns the process with a pid. Returns `undefined` if there is no such process, or if it is a zombie that its parent
 * has not collected yet.
 */
export async function describeProcess(pid: number): Promise<LiveProcess | undefined> {
  return process.platform === 'linux' ? describeByProc(pid) : describeByPs(pid);
}

/**
 * Describes a process from two files in /proc that every account can read. The files `exe` and `cwd` need a capability
 * that root lacks in a container.
 */
async function describeByProc(pid: number): Promise<LiveProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Field 2 is the name in parentheses and may contain blanks; field 3 is the state, field 22 the start
    // time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (/^[ZXx]/.test(fields[0] ?? '')) return undefined;
    return { started: fields[19] ?? '', command: await readFile(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined;
  }
}

/** Describes a process with `ps`, for systems without /proc, such as macOS. */
export async function describeByPs(pid: number): Promise<LiveProcess | undefined> {
  const options = ['-ww', '-o', 'stat=,lstart=,command=', '-p', String(pid)];
  const { output } = await awaitExit(spawn('ps', options, { env: CHILD_ENVIRONMENT, stdio: 'pipe' }));
  const match = /^\s*([^Z\s]\S*)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)/.exec(output);
  return match ? { started: (match[2] ?? '').replace(/\W+/g, '_'), command: match[3] ?? '' } : undefined;
}

/** Collects the output of a child process. Never rejects: for a program that cannot be started, the code is -1. */
export function awaitExit(child: ChildProcess, input = ''): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.stdin?.on('error', () => {}); // a program may exit without reading its input
    child.stdin?.end(input);
    child.once('error', (error) => resolve({ code: -1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/**
 * The environment variables of the server. The server inherits no variables from this process: no locale, no PGDATA, no
 * secrets.
 */
export const CHILD_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};
