const roles = {
  grantor: { name: 'Grace Grantor', role: 'owner' },
  controller: { name: 'Carl Controller', role: 'controller' },
  drafter: { name: 'Dora Drafter', role: 'treasury' },
  approver: { name: 'Aldo Approver', role: 'treasury' },
} as const;

type Part = keyof typeof roles;

/** Returns the four persons of a sample by role. The email address of a person begins with the first name. */
export function samplePersons<T>(
  suffix: string,
  make: (person: { name: string; email: string; roles: string[] }) => T,
): Record<Part, T> {
  const made = Object.entries(roles).map(([part, { name, role }]) => {
    const email = `${name.split(' ')[0]!.toLowerCase()}${suffix}@sample.example`;
    return [part, make({ name: `${name}${suffix}`, email, roles: [role] })];
  });
  return Object.fromEntries(made) as Record<Part, T>;
}
