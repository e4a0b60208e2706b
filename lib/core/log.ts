import { withErrorFacts } from './error-facts.ts';
import { withoutTokens } from './token.ts';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/** Log lines are written in batches, by bytes or milliseconds. A write per line took a sixth of a request's time. */
const TOGETHER = { sync: false, minLength: 4_096, periodicFlush: 100 };

/**
 * Creates a log with one JSON line per event. Credentials never reach it: an error is reduced to the fields
 * of `errorFacts`, and each complete line is cleaned before it is written. Buffered lines are written when
 * the process exits.
 */
export function createLog(name: string, level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label) => ({ level: label }),
      log: (event) => withErrorFacts(event) as Record<string, unknown>,
    },
    serializers: { err: (facts: unknown) => facts }, // pino's own serializer would read an error's facts as an error
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination ?? pino.destination(TOGETHER));
}

/**
 * Ends the process on an uncaught error, with a line in the log. Node itself would print the error with
 * everything attached to it.
 */
export function endOnCrash(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'crashed');
    process.exit(1);
  });
}

/** Matches a member with one of these names, whatever its value and depth. */
const MEMBER =
  /"(authorization|cookie|api_key|client_secret|access_token|password|secret)":(?:"(?:[^"\\]|\\.)*"|[^,}\]]+)/gi;
const URL_PASSWORD = /(\w:\/\/[^\s:/@"\\]*:)[^\s@"\\/]+@/g;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]+/gi;

/** Removes secrets from a line: members by their name, passwords from URLs, keys and tokens by their form. */
export function withoutSecrets(line: string): string {
  return withoutTokens(line)
    .replace(MEMBER, '"$1":"[Redacted]"')
    .replace(URL_PASSWORD, '$1[Redacted]@')
    .replace(SCHEME, '$1 [Redacted]');
}
