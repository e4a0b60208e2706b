import type { TObject } from 'typebox';
import { invalid, Problem, type Fault } from '#lib/core/problem.ts';
import type { RunKind } from '#lib/core/run.ts';
import { Closed } from '#lib/core/schema.ts';
import { bodyCheck } from '../../derive/checker.ts';
import type { RunRoute } from '../../run-routes.ts';

type Members = Readonly<Record<string, unknown>>;

/** The schema of a request part without members. */
const NONE = Closed({});
const subjects = new Map<string, TObject>();

/** Returns the input schema of a run without the members that the path already determines. */
export function inputSchemaOf(request: TObject, fixed: readonly string[]): TObject {
  const open = Object.entries(request.properties).filter(([name]) => !fixed.includes(name));
  return Closed(Object.fromEntries(open));
}

/**
 * Returns the request of a run from the input of a model and the members that the call determines. The input must not
 * contain these members, even if their value is undefined. Checks the input
 * exactly as the operation of the run checks its query, body and path. Throws `validation_failed` with the faults.
 */
export function requestOf(route: RunRoute, input: Members, fixed: Members = {}): Members {
  const { run, subject, body = NONE, query = NONE } = route;
  const given = Object.entries(input);
  const isIn = (part: TObject, name: string) => Object.hasOwn(part.properties, name);
  const inQuery = Object.fromEntries(given.filter(([name]) => isIn(query, name)));
  const inPath = Object.fromEntries(given.filter(([name]) => name === subject));
  const inBody = Object.fromEntries(given.filter(([name]) => !isIn(query, name) && name !== subject));
  const surplus = Object.keys(fixed).filter((name) => Object.hasOwn(inBody, name));
  const determined = Object.entries(fixed).filter(([, value]) => value !== undefined);
  const free = Object.entries(inBody).filter(([name]) => !surplus.includes(name));
  const whole = Object.fromEntries([...free, ...determined]);
  const faults = [
    ...surplus.map((name): Fault => ({ pointer: `/${name}`, in: 'body', ...UNKNOWN })),
    ...bodyCheck(body)(whole),
    ...bodyCheck(query)(inQuery),
    ...(subject === undefined ? [] : bodyCheck(subjectSchema(run.key, run.request, subject))(inPath)),
  ];
  if (faults.length > 0) throw invalid(faults);
  return { ...inQuery, ...whole, ...inPath };
}

/** Checks a complete run request with the members `model`, `version` and `input`, and returns it unchanged. */
export function wholeRequestOf({ request }: RunKind, whole: Members): Members {
  const faults = bodyCheck(request)(whole);
  if (faults.length > 0) throw invalid(faults);
  return whole;
}

const UNKNOWN = { code: 'unknown_field', message: 'is not a known member' };

function subjectSchema(key: string, request: TObject, subject: string): TObject {
  const known = subjects.get(key) ?? Closed({ [subject]: request.properties[subject]! });
  subjects.set(key, known);
  return known;
}

function underInput(fault: Fault): Fault {
  return fault.in === 'header' ? fault : { ...fault, pointer: `/input${fault.pointer}`, in: 'body' };
}

/**
 * Runs a function on the input of a model. The pointers of a problem that the function throws then begin with `/input`.
 */
export async function pointingToInput<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail, errors, members, headers } = error;
    const stored = members['errors'] as readonly Fault[] | undefined;
    throw new Problem(code, detail, {
      errors: errors.map(underInput),
      members: { ...members, ...(stored && { errors: stored.map(underInput) }) },
      headers,
      cause: error.cause,
    });
  }
}
