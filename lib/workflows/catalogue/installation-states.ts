export const installationStates = ['installed_disabled', 'enabled', 'superseded', 'removed'] as const;
export type InstallationState = (typeof installationStates)[number];

type Ends = { supersededAt?: Date | null | undefined; removedAt?: Date | null | undefined };

/** Whether an installation is neither superseded nor removed. */
export function isLive({ supersededAt, removedAt }: Ends): boolean {
  return supersededAt == null && removedAt == null;
}

/**
 * Returns the state of an installation. An installation is enabled while a version that was proposed from the
 * installation is published. The state is derived and never set.
 */
export function installationState(ends: Ends, isPublished: boolean): InstallationState {
  if (ends.removedAt != null) return 'removed';
  if (ends.supersededAt != null) return 'superseded';
  return isPublished ? 'enabled' : 'installed_disabled';
}
