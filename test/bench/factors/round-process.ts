import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type RoundProcess = {
  /** Works once and answers the milliseconds that it took, as the process itself has measured them. */
  round(): Promise<number>;
  /** Ends the process and answers its peak memory in MB; null where the system does not tell. */
  end(): Promise<number | null>;
};

/** Starts a process that speaks as `serve-rounds.ts` says; linear algebra in it gets one thread. */
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
