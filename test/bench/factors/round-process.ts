import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type RoundProcess = {
  /** Does the work once and returns its duration in milliseconds, as measured by the process itself. */
  round(): Promise<number>;
  /** Ends the process and returns its peak memory in MB; null if the system does not report it. */
  end(): Promise<number | null>;
};

/** Starts a process that speaks the protocol of `serve-rounds.ts`; its linear algebra gets one thread. */
export function startRounds(command: string, args: readonly string[]): RoundProcess {
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' };
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<Record<string, number>> => {
    child.stdin.write(`${line}\n`);
    const { done, value } = await lines.next();
    if (done) throw new Error(`${command} ${args.join(' ')} ended`);
    return JSON.parse(value) as Record<string, number>;
  };
  return {
    round: async () => (await ask('round'))['ms']!,
    async end() {
      const ended = once(child, 'exit');
      const { peak_kb: peak } = await ask('end');
      child.stdin.end();
      await ended;
      return peak ? peak / 1_024 : null;
    },
  };
}
