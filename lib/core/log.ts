import { withErrorFacts } from './error-facts.ts';
import { withoutTokens } from './token.ts';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/** Lines are written together, when they are so many bytes or after so long: a write for each took a sixth of a request. */
const TOGETHER = { sync: false, minLength: 4_096, periodicFlush: 100 };

/**
 * One JSON line per event. Credentials never reach it: of an error it holds what `errorFacts` lists, and each line is
 * cleaned as a whole before it is written. Lines that are still due when the process exits are written then.
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
    serializers: { err: (facts: unknown) => facts }, // pino's own would read an error's facts as an error
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination ?? pino.destination(TOGETHER));
}

/**
 * Ends the process on an error that nobody caught, with a line in the log. Node itself would print the error with all that
 * is attached to it.
 */
export function endOnCrash(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'crashed');
    process.exit(1);
  });
}

/** A member by one of these names, whatever its value and however deep it lies. */
const MEMBER =
  /"(authorization|cookie|api_key|client_secret|access_token|password|secret)":(?:"(?:[^"\\]|\\.)*"|[^,}\]]+)/gi;
const URL_PASSWORD = /(\w:\/\/[^\s:/@"\\]*:)[^\s@"\\/]+@/g;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]+/gi;

/** Takes secrets out of a line: by the name of a member, passwords out of addresses, keys and tokens by their form. */
export function withoutSecrets(line: string): string {
  return withoutTokens(line)
    .replace(MEMBER, '"$1":"[Redacted]"')
    .replace(URL_PASSWORD, '$1[Redacted]@')
    .replace(SCHEME, '$1 [Redacted]');
}
