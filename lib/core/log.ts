import { pino, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

const STDOUT = 1;
export const STDERR = 2;

/** One JSON line per event. Credentials never reach it: what could carry one is redacted by name. */
export function createLog(name: string, level: string, descriptor = STDOUT): Log {
  const options: LoggerOptions = {
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: [
      'authorization',
      'headers.authorization',
      'req.headers.authorization',
      '*.api_key',
      '*.password',
    ],
  };
  return pino(options, pino.destination({ dest: descriptor, sync: true }));
}
