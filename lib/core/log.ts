import { pino, type Logger } from 'pino';

export type Log = Logger;

/** One JSON line per event. Credentials never reach it: what could carry one is redacted by name. */
export function createLog(name: string, level: string): Log {
  return pino({
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
  });
}
