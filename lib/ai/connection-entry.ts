import type { Entry } from '#lib/governance/command.ts';

/** Returns the audit entry of a change of a connection. */
export function entryOf(
  op: `ai.${string}`,
  uid: string,
  details: Readonly<Record<string, string | number | null>> = {},
): Entry {
  return { op, subject: { type: 'ai_connection', uid }, details };
}

export const unknownConnection = { connection_unknown: 'The AI connection does not exist.' } as const;
