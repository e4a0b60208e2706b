import { expect } from 'chai';
import type { Answer, Client } from './client.ts';

/** A client that remembers the answers to all its requests. */
export type WatchedClient = Client & {
  /** Returns how many answers there were. */
  count(): number;
  /**
   * Checks that every request got an answer, that no answer was a 5xx other than 503, and that each 503 and 429 states
   * when to try again. Returns the number of 503s.
   */
  expectOnlyRetryable(): number;
};

/** Returns the client with a memory of its answers. */
export function watchedClient(client: Client): WatchedClient {
  const answers: { status: number; retryAfter: string | null }[] = [];
  const watched = async (sent: Promise<Answer>) => {
    const answer = await sent.catch((error: unknown) => {
      answers.push({ status: 0, retryAfter: null });
      throw error;
    });
    answers.push({ status: answer.status, retryAfter: answer.headers.get('retry-after') });
    return answer;
  };
  return {
    get: (...words) => watched(client.get(...words)),
    post: (...words) => watched(client.post(...words)),
    put: (...words) => watched(client.put(...words)),
    count: () => answers.length,
    expectOnlyRetryable() {
      const later = answers.filter(({ status }) => status === 503 || status === 429);
      const broken = answers.filter(({ status }) => status === 0 || (status >= 500 && status !== 503));
      expect(broken, 'requests without an answer, or with a 5xx other than 503').to.deep.equal([]);
      for (const { retryAfter } of later) expect(Number(retryAfter), 'Retry-After').to.be.above(0);
      return later.filter(({ status }) => status === 503).length;
    },
  };
}
