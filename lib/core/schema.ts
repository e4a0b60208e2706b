import Type, { type Static, type TSchema } from 'typebox';
import { problems } from './problem.ts';

export const IsoDate = Type.String({
  format: 'date',
  description: 'Calendar date, YYYY-MM-DD.',
  examples: ['2020-09-30'],
});

export const Instant = Type.String({
  format: 'date-time',
  description: 'Instant in UTC, ISO 8601 with Z.',
  examples: ['2020-09-30T00:00:00.000Z'],
});

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256, 64 lower-case hex digits.',
  examples: ['98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
});

export function Uid(prefix: string, description: string) {
  return Type.String({
    pattern: `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`,
    description,
    examples: [`${prefix}_01K8XQ5W3ZJ6T9R2M4N7P0QABC`],
  });
}

/** What may be null. The description says what it is and what null means; without one it is that of the schema. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  const said = description ?? (schema as { description?: string }).description;
  return Type.Union([schema, Type.Null()], said === undefined ? {} : { description: said });
}

/** An object whose unknown members are refused, as everywhere on the wire. */
export function Closed<P extends Record<string, TSchema>>(
  properties: P,
  options: Record<string, unknown> = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const FaultSchema = Closed({
  pointer: Type.String({ description: 'JSON pointer to the offending member.' }),
  in: Type.Enum(['body', 'query', 'path', 'header'], {
    description: 'The part of the request it points into.',
  }),
  code: Type.String({ description: 'The rule that was broken.' }),
  message: Type.String({ description: 'What is wrong, for a person.' }),
});

/** RFC 9457 problem body. Some codes document further members, so it is open. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Path of the page that explains the code.' }),
    title: Type.String({ description: 'What the code means in general.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status.' }),
    detail: Type.String({ description: 'What happened this time.' }),
    code: Type.Enum(Object.keys(problems), { description: 'Stable word for programs.' }),
    request_id: Type.Optional(Type.String({ description: 'The id of the request, to quote in a question.' })),
    errors: Type.Optional(Type.Array(FaultSchema, { description: 'Each fault of the request.' })),
  },
  { description: 'RFC 9457 problem.' },
);

export const PageSchema = Closed({
  limit: Type.Integer({ description: 'The most rows of a page.' }),
  next_cursor: Nullable(Type.String({ description: 'Pass as `cursor` to read on.' })),
  has_more: Type.Boolean({ description: 'Whether another page follows.' }),
});

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The most rows of a page.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`next_cursor` of the page before.' })),
};

export const waitQuery = {
  wait: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 60, description: 'Seconds to wait for the end of the run.' }),
  ),
};

export function ListOf<T extends TSchema>(item: T) {
  return Closed({ data: Type.Array(item), page: PageSchema });
}

export type Page = Static<typeof PageSchema>;
