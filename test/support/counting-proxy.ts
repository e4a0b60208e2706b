import { ENDS, openPostgresProxy, READY, type PostgresProxy } from './postgres-proxy.ts';

/** The number of characters of a statement that are kept. */
const SHOWN = 90;

export type RoundTrip = { user: string; statements: string[] };

export type CountingProxy = PostgresProxy & {
  /** Returns the round trips since the start: the user of the session, and the beginning of each statement. */
  roundTrips(): readonly RoundTrip[];
};

/**
 * Starts a proxy between clients and PostgreSQL that counts round trips. A client starts a round trip when it sends a
 * statement while the server has answered all its earlier statements. Statements that are sent together are one round
 * trip. The start of a session is not counted.
 */
export async function countingProxy(target: string): Promise<CountingProxy> {
  const trips: RoundTrip[] = [];
  const proxy = await openPostgresProxy(target, () => {
    const session = { user: '', open: 0, texts: [] as string[], named: new Map<string, string>() };
    return {
      requested(type, body) {
        if (type === '') session.user = userOf(body);
        const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
        if (type === 'P') session.named.set(first, second);
        if (type === 'B') session.texts.push(session.named.get(second) ?? '');
        if (type === 'Q') session.texts.push(first);
        if (!ENDS.has(type)) return;
        const sent = session.texts
          .splice(0)
          .map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN));
        if (session.open === 0) trips.push({ user: session.user, statements: sent });
        else trips.findLast(({ user }) => user === session.user)!.statements.push(...sent);
        session.open += 1;
      },
      answered(type) {
        if (type === READY && session.open > 0) session.open -= 1;
      },
    };
  });
  return { ...proxy, roundTrips: () => trips };
}

/** Returns the user of a first message, whose parameters are texts that end with a zero byte. */
function userOf(body: Buffer): string {
  const texts = body.subarray(4).toString('utf8').split('\0');
  return texts[texts.indexOf('user') + 1] ?? '';
}
