import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Members that are never written, at the top and one level below. */
const SECRETS = ['authorization', 'cookie', 'api_key', 'client_secret', 'access_token', 'password', 'secret'];

/** One JSON line per event. Credentials never reach it: by the name of a member, or by their form inside an error. */
export function createLog(name: string, level: string, destination?: DestinationStream): Log {
  const options = {
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: [
      ...SECRETS,
      ...SECRETS.map((secret) => `*.${secret}`),
      ...SECRETS.map((secret) => `*.*.${secret}`),
    ],
    serializers: { err: serializeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const code = (error as { code?: unknown }).code;
  return {
    type,
    message: withoutSecrets(message),
    stack: withoutSecrets(stack),
    ...(typeof code === 'string' ? { code } : {}),
  };
}

/** Takes passwords out of URLs, and keys and tokens of ours out of any text. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/(\w+:\/\/[^\s:/@]*:)[^\s@]+@/g, '$1[Redacted]@')
    .replace(/\b(svc_(?:test|live|at)_)\w+/g, '$1[Redacted]')
    .replace(/\b(Bearer|Basic) +[\w.~+/=-]+/gi, '$1 [Redacted]');
}
