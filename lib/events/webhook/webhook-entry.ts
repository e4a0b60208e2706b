import type { Entry } from '#lib/governance/command.ts';

/** Returns the audit entry of a change of a webhook. */
export function entryOf(
  op: Entry['op'],
  { uid }: { uid: string },
  details?: Readonly<Record<string, unknown>>,
): Entry {
  return { op, subject: { type: 'webhook', uid }, ...(details && { details }) };
}

export const unknownWebhook = { webhook_unknown: 'The webhook does not exist.' } as const;
