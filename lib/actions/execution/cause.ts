import type { Actor } from '#lib/audit/entry.ts';

/** Who brings about a change and what follows from it, for the audit log. */
export type Cause = { actor: Actor; now: Date; requestId?: string | undefined };
