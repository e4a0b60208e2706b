import { withoutTokens } from './token.ts';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/** Lines are written together, when they are so many bytes or after so long: a write for each took a sixth of a request. */
const TOGETHER = { sync: false, minLength: 4_096, periodicFlush: 100 };

/**
 * One JSON line per event. Credentials never reach it: each line is cleaned as a whole before it is written. What is still
 * to be written when the process exits is written then.
 */
export function createLog(name: string, level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination ?? pino.destination(TOGETHER));
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
