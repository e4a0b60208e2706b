import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, ListOf, pageQuery } from '#lib/core/schema.ts';
import { eventTypes } from '#lib/events/catalog.ts';
import { findEvent, KEPT_DAYS, listEvents as readEvents } from '#lib/events/event.write.ts';
import { isUid } from '#lib/core/id.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { Event } from './event.schema.ts';

const PATH = '/events';

/** Returns the event types that a credential may see: those of records that the credential may read. */
function visibleTypes(scopes: ReadonlySet<string>): string[] {
  return [...eventTypes].flatMap(([name, { scope }]) => (scopes.has(scope) ? [name] : []));
}

export const listEvents = defineOperation({
  key: 'events.list',
  product: 'Workspace',
  method: 'GET',
  path: PATH,
  scope: 'workspace:read',
  addition: true,
  summary: 'Lists events of the workspace, oldest first.',
  description: `Returns events of the last ${KEPT_DAYS} days, if the credential has the scopes to read their records. To catch up, pass the \`sequence\` of your last event as \`after_sequence\`: events committed later always have a greater sequence, so none is missed. An event appears about a second after its effect.`,
  query: Closed({
    ...pageQuery,
    after_sequence: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Returns only events whose `sequence` is greater than this number.',
        examples: [4711],
      }),
    ),
    type: Type.Optional(
      Type.Enum([...eventTypes.keys()], {
        description: 'Returns only events of this type.',
        examples: ['run.sealed'],
      }),
    ),
    subject_uid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Returns only events about this record.',
        examples: ['dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
      }),
    ),
    from: Type.Optional(InstantOf('Returns only events that occurred at or after this instant.')),
    before: Type.Optional(InstantOf('Returns only events that occurred before this instant.')),
  }),
  success: { status: 200, description: 'A page of events.', schema: ListOf(Event) },
  problems: ['invalid_cursor'],
  async handle({ services, query, caller }) {
    const { after_sequence, type, subject_uid, from, before } = query;
    const visible = visibleTypes(caller.scopes);
    return listReply(services, query, {
      list: PATH,
      filters: {
        after_sequence: after_sequence ?? null,
        type: type ?? null,
        subject_uid: subject_uid ?? null,
        from: from ?? null,
        before: before ?? null,
      },
      rows: (em, { after, limit }) =>
        readEvents(em, {
          types: type === undefined ? visible : visible.filter((each) => each === type),
          subject: subject_uid,
          from: from === undefined ? undefined : new Date(from),
          before: before === undefined ? undefined : new Date(before),
          after: Number(after ?? after_sequence ?? 0),
          limit,
        }),
      present: (event) => event,
      position: ({ sequence }) => String(sequence),
    });
  },
});

export const getEvent = defineOperation({
  key: 'events.get',
  product: 'Workspace',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'workspace:read',
  addition: true,
  summary: 'Returns an event.',
  description: `Returns an event of the last ${KEPT_DAYS} days that the credential may see.`,
  success: { status: 200, description: 'The event.', schema: Event },
  problems: ['not_found'],
  async handle({ services, params, caller, fail }) {
    const { uid } = params;
    const event = isUid(uid, prefixes.event) ? await services.query(findEvent, uid) : undefined;
    if (!event || !visibleTypes(caller.scopes).includes(event.type))
      return fail('not_found', 'There is no such event.');
    return { status: 200, body: event };
  },
});
