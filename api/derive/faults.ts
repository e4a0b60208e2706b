import type { ErrorObject } from 'ajv';
import type { Fault } from '#lib/core/problem.ts';

/** The maximum number of faults in an answer. */
export const FAULTS_MAX = 50;

/**
 * Converts a validator's errors into faults: each fault has a pointer to the faulty member, the violated
 * rule, and a sentence.
 */
export function faultsOf(errors: readonly ErrorObject[], part: Fault['in']): Fault[] {
  return eachOnce(errors)
    .filter((error) => error.keyword !== 'if')
    .slice(0, FAULTS_MAX)
    .map((error) => {
      const { unevaluatedProperty, additionalProperty, missingProperty } = error.params as Record<
        string,
        string
      >;
      const member = additionalProperty ?? unevaluatedProperty ?? missingProperty;
      const unknown = additionalProperty ?? unevaluatedProperty;
      return {
        pointer: error.instancePath + (member === undefined ? '' : `/${escapePointer(member)}`),
        in: part,
        code: unknown === undefined ? snakeCase(error.keyword) : 'unknown_field',
        message: unknown === undefined ? sentence(error) : 'is not a known member',
      };
    });
}

/**
 * Reduces the errors of a value that matches no branch of a choice (`anyOf`). Keeps the errors in the branch for the
 * value's type or kind. If the type or the kind matches no branch, keeps one error about the type or the kind. The
 * validator reports the errors of the branches directly before the error of the choice. Only these errors are searched,
 * so the time grows with the number of errors and not with its square.
 */
function eachOnce(errors: readonly ErrorObject[]): ErrorObject[] {
  const left: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      left.push(error);
      continue;
    }
    // All elements of an array have the same schema path, so the instance path is compared as well.
    const first = left.findLastIndex(({ instancePath }) => !isWithin(instancePath, error.instancePath)) + 1;
    const below = left.splice(first);
    const isInBranch = ({ schemaPath }: ErrorObject) => isWithin(schemaPath, error.schemaPath);
    left.push(...below.filter((each) => !isInBranch(each)), ...ofChoice(error, below.filter(isInBranch)));
  }
  return left;
}

/** Whether a path is the path `whole` or the path of a member inside it. */
const isWithin = (path: string, whole: string) => `${path}/`.startsWith(`${whole}/`);

function ofChoice(choice: ErrorObject, inBranches: readonly ErrorObject[]): ErrorObject[] {
  const isOfType = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'type' && instancePath === choice.instancePath;
  const meant = inBranches.filter((error) => !isOfType(error));
  if (meant.length > 0) return ofKind(choice, meant) ?? meant;
  const types = inBranches.filter(isOfType).map(({ params }) => (params as { type: string }).type);
  return [{ ...choice, keyword: 'type', message: `must be ${[...new Set(types)].join(' or ')}` }];
}

/**
 * Reduces the errors of an object in a choice between kinds to the errors in the branch of the object's kind,
 * or to one error about the kind. The kind is the one member whose constant values differ between the
 * branches. Returns undefined if there is no such member, or more than one.
 */
function ofKind(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] | undefined {
  const branches = Map.groupBy(errors, ({ schemaPath }) =>
    schemaPath.slice(choice.schemaPath.length + 1, schemaPath.indexOf('/', choice.schemaPath.length + 1)),
  );
  if (branches.size < 2) return undefined;
  const below = `${choice.instancePath}/`;
  const isKind = ({ keyword, instancePath }: ErrorObject) =>
    (keyword === 'const' || keyword === 'enum') &&
    instancePath.startsWith(below) &&
    !instancePath.slice(below.length).includes('/');
  const [kind, ...others] = new Set(errors.filter(isKind).map(({ instancePath }) => instancePath));
  if (kind === undefined) return withoutKind(choice, [...branches.values()]);
  if (others.length > 0) return undefined;
  const isAbout = ({ instancePath }: ErrorObject) => instancePath === kind;
  const meant = [...branches.values()].filter((each) => !each.some(isAbout));
  if (meant.length > 0) return meant.flat();
  const allowed = errors.filter(isAbout).flatMap(({ params }) => {
    const { allowedValue, allowedValues } = params as { allowedValue?: string; allowedValues?: string[] };
    return allowedValues ?? (allowedValue === undefined ? [] : [allowedValue]);
  });
  const params = { allowedValues: [...new Set(allowed)] };
  return [{ ...choice, keyword: 'enum', instancePath: kind, params }];
}

/**
 * Returns one error if the object lacks the one member that all branches require. Returns undefined
 * otherwise.
 */
function withoutKind(
  choice: ErrorObject,
  branches: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const missing = branches.map((errors) =>
    errors.flatMap(({ keyword, instancePath, params }) =>
      keyword === 'required' && instancePath === choice.instancePath
        ? [(params as { missingProperty: string }).missingProperty]
        : [],
    ),
  );
  const common = missing[0]!.filter((name) => missing.every((names) => names.includes(name)));
  const kind = common.length === 1 ? common[0] : undefined;
  if (kind === undefined) return undefined;
  return [{ ...choice, keyword: 'discriminator', params: {}, message: `must have the member ${kind}` }];
}

function sentence(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues;
  return allowed ? `must be one of ${allowed.join(', ')}` : (error.message ?? 'is not valid');
}

/** Escapes a member name for a JSON pointer. */
export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

function snakeCase(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
