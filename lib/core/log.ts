import { withErrorFacts } from './error-facts.ts';
import { withoutTokens } from './token.ts';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/**
 * The batching of log lines: they are written together after 4,096 bytes or 100 ms. Writing each line alone would take
 * a sixth of the time of a request.
 */
const TOGETHER = { sync: false, minLength: 4_096, periodicFlush: 100 };

/**
 * Creates a log with one JSON line per event. Credentials are never logged: an error is reduced to the fields
 * of `errorFacts`, and secrets are removed from each complete line before it is written. Buffered lines are
 * written when the process exits.
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
    // `withErrorFacts` has already replaced the error by plain data.
    serializers: { err: (facts: unknown) => facts },
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination ?? pino.destination(TOGETHER));
}

/**
 * Ends the process on an uncaught error, after a line in the log. Node itself would print the error with all attached
 * properties, which may contain secrets.
 */
export function endOnCrash(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'crashed');
    process.exit(1);
  });
}

/** Matches a JSON member whose name is one of the secret names, at any depth and with any value. */
const MEMBER =
  /"(authorization|cookie|api_key|client_secret|access_token|password|secret)":(?:"(?:[^"\\]|\\.)*"|[^,}\]]+)/gi;
const URL_PASSWORD = /(\w:\/\/[^\s:/@"\\]*:)[^\s@"\\/]+@/g;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]+/gi;

/**
 * Removes secrets from a line: values of members with a secret name, passwords in URLs, credentials after
 * `Bearer` or `Basic`, and texts with the form of a key or token.
 */
export function withoutSecrets(line: string): string {
  return withoutTokens(line)
    .replace(MEMBER, '"$1":"[Redacted]"')
    .replace(URL_PASSWORD, '$1[Redacted]@')
    .replace(SCHEME, '$1 [Redacted]');
}
