import type { Entry } from '#lib/governance/command.ts';
import type { KeptFile } from './file.write.ts';

/** Returns the audit entry of a change of a file that steps import. */
export function entryOf(what: 'file_kept' | 'file_discarded', { uid, feed, sha256, bytes }: KeptFile): Entry {
  return {
    op: `workflow.${what}`,
    subject: { type: 'workflow_file', uid },
    details: { sha256, bytes, ...(feed === null ? {} : { feed }) },
  };
}
