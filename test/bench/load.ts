import { Agent, request } from 'node:http';

export type Load = {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** The expected status of every answer, or the list of expected statuses. */
  status: number | readonly number[];
  /** The number of concurrent callers. Each caller keeps one connection and has one request in flight. */
  clients: number;
  /** Duration of the load in milliseconds. At the end each caller finishes its request in flight. */
  forMs: number;
};

/** Sends requests for the given duration and returns the number of answers per second. */
export async function requestsPerSecond(load: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.clients });
  try {
    return await turnsPerSecond(load.clients, load.forMs, () => send(load, agent));
  } finally {
    agent.destroy();
  }
}

/**
 * Repeats a task for the given duration, with the given concurrency, and returns the number of completions
 * per second.
 */
export async function turnsPerSecond(
  lanes: number,
  forMs: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  let done = 0;
  const lane = async () => {
    do {
      await work();
      done += 1;
    } while (performance.now() - started < forMs);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done / ((performance.now() - started) / 1_000);
}

/**
 * Sends requests with the given concurrency (`lanes`) until `isEnough` returns true for their number. Returns the
 * duration of each request in milliseconds.
 */
export async function timesUntil(
  load: Load,
  lanes: number,
  isEnough: (sent: number) => boolean,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const times: number[] = [];
  let sent = 0;
  const lane = async () => {
    while (!isEnough(sent)) {
      sent += 1;
      const started = performance.now();
      await send(load, agent);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane)).finally(() => agent.destroy());
  return times;
}

function send({ url, method, headers, body, status }: Load, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent }, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => {
        if ([status].flat().includes(answer.statusCode!)) resolve();
        else reject(new Error(`${method} ${url} answered ${answer.statusCode}, not ${status}`));
      });
    });
    call.once('error', reject);
    call.end(body);
  });
}
