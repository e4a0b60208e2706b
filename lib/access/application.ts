export const applicationStatuses = ['active', 'suspended', 'revoked'] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

export const applicationEvents = ['suspend', 'resume', 'revoke'] as const;
export type ApplicationEvent = (typeof applicationEvents)[number];

/**
 * The verdict on a change to the status of an application. `unchanged`: the application already has the status that the
 * event leads to.
 */
export type ApplicationVerdict =
  | { ok: true; next: ApplicationStatus | 'unchanged' }
  | { ok: false; code: 'application_revoked' };

/**
 * Decides whether an application may be suspended, resumed or revoked, and returns its next status. A revoked
 * application stays revoked.
 */
export function decideApplication(status: ApplicationStatus, event: ApplicationEvent): ApplicationVerdict {
  const next = ({ suspend: 'suspended', resume: 'active', revoke: 'revoked' } as const)[event];
  if (status === next) return { ok: true, next: 'unchanged' };
  return status === 'revoked' ? { ok: false, code: 'application_revoked' } : { ok: true, next };
}
