import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Uid } from '#lib/core/schema.ts';

const TYPE = '^[a-z_]+\\.[a-z_]+$';
const TOKEN = '^[A-Za-z0-9_.:-]{1,80}$';

const Token = (description: string, example: string) =>
  Type.String({ pattern: TOKEN, description, examples: [example] });

export const Event = Closed(
  {
    uid: Uid(prefixes.event, 'The event; a webhook gets it as `webhook-id`.'),
    type: Type.String({ pattern: TYPE, description: 'What happened.', examples: ['delegation.activated'] }),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Greater for what was committed later. Numbers between are not events.',
      examples: [4711],
    }),
    occurred_at: InstantOf('When it happened.'),
    subject: Closed(
      {
        type: Token('What kind of record it is about.', 'delegation'),
        uid: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The record.',
          examples: ['dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
        }),
        version: Nullable(
          Type.String({ maxLength: 80, examples: ['1'] }),
          'Its version; null where it has none.',
        ),
      },
      { description: 'The record that it is about. What is in it is read at the record itself.' },
    ),
    actor_kind: Type.Enum(['application', 'person', 'system'], { description: 'Who did it.' }),
    code: Nullable(Token('', 'source_evidence_conflict'), 'The code of a refusal; null for what was done.'),
    details: Type.Record(
      Type.String({ pattern: '^[a-z_]+$' }),
      Type.Union([Type.String({ pattern: TOKEN }), Type.Number(), Type.Boolean()]),
      {
        description: 'Names of records, states, codes and counts, by the type of the event.',
        examples: [{ node: 'one', approval_uid: 'apr_01K8XQ5W3ZJ6T9R2M4N7P0QABC' }],
      },
    ),
  },
  {
    title: 'Event',
    description: 'Something that happened to a record. It has no content of the record and no secret.',
  },
);
