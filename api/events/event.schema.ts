import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Uid } from '#lib/core/schema.ts';

const TYPE = '^[a-z_]+\\.[a-z_]+$';
const TOKEN = '^[A-Za-z0-9_.:-]{1,80}$';

const Token = (description: string, example: string) =>
  Type.String({ pattern: TOKEN, description, examples: [example] });

export const Event = Closed(
  {
    uid: Uid(prefixes.event, 'The uid of the event. Webhook messages have it in the header `webhook-id`.'),
    type: Type.String({
      pattern: TYPE,
      description: 'The type of the event.',
      examples: ['delegation.activated'],
    }),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Position of the event in the log. Events committed later have greater numbers. The numbers have gaps.',
      examples: [4711],
    }),
    occurred_at: InstantOf('When the event happened.'),
    subject: Closed(
      {
        type: Token('The kind of record.', 'delegation'),
        uid: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The uid of the record.',
          examples: ['dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
        }),
        version: Nullable(
          Type.String({ maxLength: 80, examples: ['1'] }),
          'The version of the record; null if it has none.',
        ),
      },
      { description: 'The record that the event is about. Read the record itself for its content.' },
    ),
    actor_kind: Type.Enum(['application', 'person', 'system'], {
      description: 'The kind of actor that caused the event.',
    }),
    code: Nullable(
      Token('', 'source_evidence_conflict'),
      'The code of a refusal; null for a completed action.',
    ),
    details: Type.Record(
      Type.String({ pattern: '^[a-z_]+$' }),
      Type.Union([Type.String({ pattern: TOKEN }), Type.Number(), Type.Boolean()]),
      {
        description: 'Names of records, states, codes and counts, depending on the event type.',
        examples: [{ node: 'one', approval_uid: 'apr_01K8XQ5W3ZJ6T9R2M4N7P0QABC' }],
      },
    ),
  },
  {
    title: 'Event',
    description:
      'An event: a change or a refused change of a record. It contains neither the content of the record nor a secret.',
  },
);
