import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** The arguments of a command, its whole environment, and its folder: the project folder if omitted. */
export type HostedCommand = { words: string[]; env: Record<string, string>; folder?: string };

/**
 * The mark that is written after the last output of a command. On standard output the command's exit status
 * precedes the mark.
 */
export const END = '\u0000\u0000';

type Host = ChildProcess & { stdout: Readable; stderr: Readable };
type Idle = { host: Host; ended: Promise<number>; left: number };
type Ended = { status: number; stdout: string; stderr: string };

/** The number of commands after which a host is replaced, so that leftovers of commands do not accumulate. */
const COMMANDS_OF_A_HOST = 400;
const idle: Idle[] = [];

/** Runs a command in an idle host, or in a new host if all are busy. */
export async function runHosted(reported: HostedCommand): Promise<Ended> {
  const { host, ended, left } = idle.pop() ?? newHost();
  host.send(reported);
  const [stdout, stderr] = await Promise.all([until(host.stdout), until(host.stderr)]);
  if (!stdout.hasEnded) return { status: await ended, stdout: stdout.text, stderr: stderr.text };
  if (left > 1) idle.push({ host, ended, left: left - 1 });
  else host.disconnect();
  const status = /\d+$/.exec(stdout.text)![0];
  return { status: Number(status), stdout: stdout.text.slice(0, -status.length), stderr: stderr.text };
}

/** Ends every host. No host may be busy. */
export async function closeHosts(): Promise<void> {
  const hosts = idle.splice(0);
  for (const { host } of hosts) host.disconnect();
  await Promise.all(hosts.map(({ ended }) => ended));
}

function newHost(): Idle {
  const script = path.resolve('test/support/cli-host.ts');
  const host = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }) as Host;
  return { host, ended: once(host, 'exit').then(([status]) => status as number), left: COMMANDS_OF_A_HOST };
}

/** Returns the output up to the end of a command, or of the process. */
function until(stream: Readable): Promise<{ text: string; hasEnded: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const settle = (hasEnded: boolean) => {
      stream.off('data', take).off('end', end);
      const text = Buffer.concat(chunks).toString();
      resolve({ text: hasEnded ? text.slice(0, -END.length) : text, hasEnded });
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunk.subarray(-END.length).toString() === END) settle(true);
    };
    const end = () => settle(false);
    stream.on('data', take).on('end', end);
  });
}
