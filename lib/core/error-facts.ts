import { types } from 'node:util';

/** The facts about an error that the log records. */
export type ErrorFacts = {
  type: string;
  message: string;
  code?: string | number;
  stack: string;
  /** The facts of the error that caused this error. */
  cause?: ErrorFacts;
  /** The facts of the errors that an `AggregateError` collects. */
  errors?: ErrorFacts[];
};

const CODE_MAX = 100;
const MESSAGE_MAX = 4_000;
const STACK_MAX = 16_000;
/** The greatest depth to which causes and collected errors are recorded. */
const DEPTH_MAX = 4;
const COLLECTED_MAX = 10;

/**
 * Returns only the type, code, message and stack of an error and of its causes. Libraries attach other properties that
 * may contain credentials. For example, Node attaches the bytes of a request that cannot be parsed. The PostgreSQL
 * driver attaches its connection, which contains the key for cancelling a query.
 */
export function errorFacts(error: Error, depth = 0): ErrorFacts {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner = (each: unknown) => errorFacts(each as Error, depth + 1);
  const isDeep = depth >= DEPTH_MAX;
  return {
    type: text(error.name, CODE_MAX) ?? 'Error',
    message: text(error.message, MESSAGE_MAX) ?? '',
    ...(typeof code === 'string' || typeof code === 'number' ? { code: text(code, CODE_MAX) ?? code } : {}),
    stack: text(error.stack, STACK_MAX) ?? '',
    ...(isError(cause) && !isDeep ? { cause: inner(cause) } : {}),
    ...(Array.isArray(errors) && !isDeep
      ? { errors: errors.filter(isError).slice(0, COLLECTED_MAX).map(inner) }
      : {}),
  };
}

/**
 * Replaces each error in a log value with its facts. Values that are nested more than `DEPTH_MAX` levels deep
 * are replaced by `[deeper]`.
 */
export function withErrorFacts(value: unknown, depth = 0): unknown {
  if (isError(value)) return errorFacts(value);
  if (!isPlain(value)) return value;
  if (depth > DEPTH_MAX) return '[deeper]';
  if (Array.isArray(value)) return value.map((each) => withErrorFacts(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withErrorFacts(each, depth + 1)]),
  );
}

/** Whether a value is an error, created in this JavaScript realm or in another realm, such as a worker thread. */
function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/**
 * Whether a value is an array or a plain object. Errors are not searched for inside other values, such as
 * dates and class instances.
 */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function text(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, longest) : undefined;
}
