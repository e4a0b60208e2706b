import type { Event } from '../event.ts';

export const formats = ['json', 'cloudevents'] as const;
export type Format = (typeof formats)[number];

const contentTypes: Record<Format, string> = {
  json: 'application/json',
  cloudevents: 'application/cloudevents+json',
};

/**
 * Returns the body of a message. The body conforms to two formats. Standard Webhooks requires `type`, `timestamp` and
 * `data`. With the other members, the body is a CloudEvent 1.0 in structured form.
 */
export function messageOf(
  event: Event,
  { workspace, environment }: { workspace: string; environment: string },
): string {
  return JSON.stringify({
    specversion: '1.0',
    id: event.uid,
    source: `urn:assay:${workspace}:${environment}`,
    type: event.type,
    subject: `${event.subject.type}/${event.subject.uid}`,
    time: event.occurred_at,
    timestamp: event.occurred_at,
    datacontenttype: 'application/json',
    data: event,
  });
}

export function contentTypeOf(format: Format): string {
  return contentTypes[format];
}
