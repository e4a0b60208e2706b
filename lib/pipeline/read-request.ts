import type { ValidateFunction } from 'ajv/dist/2020.js';
import { createAjv } from '#lib/core/ajv.ts';
import { Problem } from '#lib/core/problem.ts';
import type { RequestOf, RunKind } from '#lib/core/run.ts';

const ajv = createAjv();
const validators = new WeakMap<RunKind['request'], ValidateFunction>();

/** Checks a value against the request schema of a run. Throws `validation_failed` with the first fault. */
export function readRequest<R extends RunKind>({ request }: R, value: unknown): RequestOf<R> {
  const isRequest = validators.get(request) ?? ajv.compile(request);
  validators.set(request, isRequest);
  if (isRequest(value)) return value as RequestOf<R>;
  const [fault] = isRequest.errors!;
  throw new Problem('validation_failed', `${fault!.instancePath || '/'} ${fault!.message}`);
}
