import type { Entry } from '#lib/governance/command.ts';

type Version = { uid: string; key: string; version: number; digest: string };

/** Returns the audit entry of a change of a workflow version. */
export function entryOf(
  what: 'proposed' | 'published' | 'withdrawn',
  { uid, key, version, digest }: Version,
): Entry {
  return {
    op: `workflow.${what}`,
    subject: { type: 'workflow_version', uid },
    details: { key, version, digest },
  };
}
