import Type, { type Static, type TSchema } from 'typebox';
import { problems } from './problem.ts';
import { scopes } from './scope.ts';

export const IsoDate = Type.String({
  format: 'date',
  description: 'Calendar date, YYYY-MM-DD.',
  examples: ['2020-09-30'],
});

/** Returns the schema of an instant in UTC, ISO 8601 with Z. */
export function InstantOf(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2020-09-30T00:00:00.000Z'] });
}

export const Instant = InstantOf('Instant in UTC, ISO 8601 with Z.');

/** Returns the schema of a SHA-256 hash, in 64 lower-case hex digits. */
export function Sha256Of(description: string) {
  return Type.String({
    pattern: '^[0-9a-f]{64}$',
    description,
    examples: ['98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
  });
}

export const Sha256 = Sha256Of('SHA-256, 64 lower-case hex digits.');

/** Returns the schema of the id of a request: the caller's own id if one was sent, otherwise a new id. */
export function RequestId(description: string) {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description,
    examples: ['req_01M7YQ4MGXF3SABFBB2ZJJ48P7'],
  });
}

export function Uid(prefix: string, description: string) {
  return Type.String({
    pattern: `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`,
    description,
    examples: [`${prefix}_01K8XQ5W3ZJ6T9R2M4N7P0QABC`],
  });
}

/** Characters that a person cannot see: control characters, and marks that hide or reorder text. */
const UNSEEN = '\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff';

/** Returns the schema of a line of text in Unicode's normal form C, without leading or trailing spaces. */
export function Line(maxLength: number, description: string, example: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    format: 'nfc',
    pattern: `^[^\\s${UNSEEN}]([^${UNSEEN}]*[^\\s${UNSEEN}])?$`,
    description,
    examples: [example],
  });
}

/** Returns the schema of a decimal number as text. */
export function Decimal(description: string, example: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description, examples: [example] });
}

/** Returns the schema of a date. */
export function Day(description: string) {
  return Type.String({ ...IsoDate, description });
}

/** Returns the schema of an amount in minor units of the accompanying currency. */
export function Minor(description: string, minimum = 0) {
  return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description, examples: [2_500_000_00] });
}

/**
 * Returns a schema that accepts null and the values of the given schema. `description` says what the value is and what
 * null means. Default: the description of the given schema.
 */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  const said = description ?? (schema as { description?: string }).description;
  return Type.Union([schema, Type.Null()], said === undefined ? {} : { description: said });
}

/** Returns the schema of an object that refuses unknown members. All request and response objects use such a schema. */
export function Closed<P extends Record<string, TSchema>>(
  properties: P,
  options: Record<string, unknown> = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const FaultSchema = Closed(
  {
    pointer: Type.String({ description: 'JSON pointer to the offending member.', examples: ['/due_date'] }),
    in: Type.Enum(['body', 'query', 'path', 'header'], {
      description: 'The part of the request that `pointer` refers to.',
    }),
    code: Type.String({
      pattern: '^[a-z]+(_[a-z]+)*$',
      description: 'The rule that was broken.',
      examples: ['format'],
    }),
    message: Type.String({
      minLength: 1,
      description: 'A description of the fault, for people.',
      examples: ['must match format "date"'],
    }),
  },
  { title: 'Fault', description: 'One fault of a request.' },
);

/** The body of an RFC 9457 problem. Some codes document further members, so the schema is open. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      pattern: '^/problems/[a-z_]+$',
      description: 'Path of the page that explains the code.',
      examples: ['/problems/not_found'],
    }),
    title: Type.String({ minLength: 1, description: 'The general meaning of the code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status.' }),
    detail: Type.String({ minLength: 1, description: 'The cause of this occurrence.' }),
    code: Type.Enum(Object.keys(problems), { description: 'Stable code for programs.' }),
    request_id: Type.Optional(RequestId('The id of the request. Quote it in support requests.')),
    errors: Type.Optional(
      Type.Array(FaultSchema, { minItems: 1, maxItems: 50, description: 'The faults of the request.' }),
    ),
    required_scope: Type.Optional(
      Type.Enum([...scopes], { description: 'The scope that the credential lacks.' }),
    ),
    reasons: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'Every reason for the refusal, as codes for programs.',
      }),
    ),
    action: Type.Optional(
      Type.String({ minLength: 1, description: 'The action on the data that no data entitlement permits.' }),
    ),
    failed: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'The rules of data entitlements that refused the use, such as `ent_.../permissions/0/regions`.',
      }),
    ),
    conflict: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'JSON pointers to constraints that cannot be met together. If any one of them is removed, the others can be met.',
      }),
    ),
    relax: Type.Optional(
      Type.Array(
        Closed({
          pointer: Type.String({
            minLength: 1,
            description: 'JSON pointer to a constraint of the conflict.',
          }),
          from: Type.Number({ description: 'The requested bound.' }),
          to: Type.Number({ description: 'The nearest bound at which the conflict ends.' }),
          sufficient: Type.Boolean({
            description: 'Whether this relaxation alone makes the request feasible.',
          }),
        }),
        { description: 'The smallest relaxation of each constraint of the conflict.' },
      ),
    ),
    missing_columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: 'The columns that the data lacks.' }),
    ),
    observed: Type.Optional(
      Type.Number({ description: 'The observed quantity, for comparison with `needed`.' }),
    ),
    needed: Type.Optional(Type.Number({ description: 'The required quantity.' })),
    first_date: Type.Optional(
      Nullable(
        IsoDate,
        'The earliest first day for which the request can be answered. Null if the data has no such day.',
      ),
    ),
    bound: Type.Optional(
      Type.Enum(
        [
          'queued_runs',
          'queued_bytes',
          'waits_of_application',
          'waits_of_process',
          'computations_of_workspace',
          'computations_of_process',
        ],
        {
          description: 'The bound that the request exceeds.',
        },
      ),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 0, description: 'The value of the bound.' })),
    queued: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The quantity that is already in the queue, in the unit of `limit`.',
      }),
    ),
    requested: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The quantity that the request needs, in the unit of `limit`.',
      }),
    ),
    service_class: Type.Optional(
      Type.String({ minLength: 1, description: 'The service class that sets the bound.' }),
    ),
  },
  { title: 'Problem', description: 'RFC 9457 problem. Some codes have further members.' },
);

/** The error body of the OAuth endpoints (RFC 6749, section 5.2). */
export const OAuthErrorSchema = Type.Object(
  {
    error: Type.String({
      pattern: '^[a-z_]+$',
      description: 'Stable code for programs.',
      examples: ['invalid_client'],
    }),
    error_description: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The cause of this occurrence.',
      examples: ['The client is unknown or revoked, or the secret is not its current secret.'],
    }),
    error_uri: Type.String({
      pattern: '^/problems/[a-z_]+$',
      description: 'Path of the page that explains the code.',
      examples: ['/problems/invalid_client'],
    }),
  },
  { title: 'OAuthError', description: 'RFC 6749 error.' },
);

export const PageSchema = Closed(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'Maximum number of rows of the page.',
      examples: [50],
    }),
    next_cursor: Nullable(
      Type.String({ maxLength: 500, examples: ['eyJ1IjoidGZyXzAxTTdZUTRNSEdFNkRCQzZGSlJWRFdGTjU2In0'] }),
      'Cursor of the next page, to send as `cursor`. Null on the last page.',
    ),
    has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
  },
  { title: 'Page', description: 'The position of the page in the list.' },
);

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'Maximum number of rows of the page.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: 'The `next_cursor` of the previous page.' }),
  ),
};

export const waitQuery = {
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      description: 'Seconds to wait for the end of the run.',
      examples: [20],
    }),
  ),
};

export function ListOf<T extends TSchema>(item: T) {
  const { title } = item as { title?: string };
  return Closed(
    {
      data: Type.Array(item, { maxItems: 200, description: 'The records of the page, one per row.' }),
      page: PageSchema,
    },
    { ...(title === undefined ? {} : { title: `${title}List` }), description: 'A page of a list.' },
  );
}

export type Page = Static<typeof PageSchema>;
