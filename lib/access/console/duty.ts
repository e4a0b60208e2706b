/** The roles of persons that grant duties in the console. */
export const personRoles = ['owner', 'approver', 'analyst', 'operator', 'auditor'] as const;
export type PersonRole = (typeof personRoles)[number];

/**
 * A kind of change that persons make in the console: they submit runs (`submit_runs`), cancel runs and dispatch them again
 * (`stop_runs`), vote and decide on records (`decide`), and change their own passkeys (`account`).
 */
export const duties = ['submit_runs', 'stop_runs', 'decide', 'account'] as const;
export type Duty = (typeof duties)[number];

const dutiesOfRole: Readonly<Record<PersonRole, readonly Duty[]>> = {
  owner: duties,
  approver: ['decide', 'account'],
  analyst: ['submit_runs', 'stop_runs', 'account'],
  operator: ['stop_runs', 'account'],
  auditor: ['account'],
};

/**
 * The duties of other roles, such as `treasury`. The approval graphs and the rules of each record determine whether such a
 * person may decide.
 */
const dutiesOfOtherRole: readonly Duty[] = ['decide', 'account'];

/**
 * Whether a person with these roles has a duty. A person has the duties of all their roles, except that an auditor has no
 * other duties, because an auditor must not verify own changes. A person without roles is treated like an auditor.
 */
export function hasDuty(roles: readonly string[], duty: Duty): boolean {
  const counted = roles.includes('auditor') || roles.length === 0 ? ['auditor'] : roles;
  return counted.some((role) => (isPersonRole(role) ? dutiesOfRole[role] : dutiesOfOtherRole).includes(duty));
}

/**
 * Returns the entitlements that a person with these roles may use to submit runs. Only the duty `submit_runs` allows more
 * than reading.
 */
export function scopesOf(roles: readonly string[], entitlements: readonly string[]): string[] {
  const maySubmit = hasDuty(roles, 'submit_runs');
  return entitlements.filter((scope) => maySubmit || scope.endsWith(':read'));
}

/** Whether a word is a role that grants duties in the console. */
export function isPersonRole(word: string): word is PersonRole {
  return (personRoles as readonly string[]).includes(word);
}
