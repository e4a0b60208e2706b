import type { Entry } from '#lib/governance/command.ts';

type Item = { uid: string; key: string; version: number; digest: string };

/** Returns the audit entry of a change of a library item. */
export function itemEntry(op: `workflow.${string}`, { uid, key, version, digest }: Item): Entry {
  return {
    op,
    subject: { type: 'workflow_library_item', uid },
    afterHash: digest,
    details: { workflow: key, version },
  };
}
