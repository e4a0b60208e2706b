const roles = {
  grantor: { name: 'Grace Grantor', role: 'owner' },
  controller: { name: 'Carl Controller', role: 'controller' },
  drafter: { name: 'Dora Drafter', role: 'treasury' },
  approver: { name: 'Aldo Approver', role: 'treasury' },
} as const;

type Part = keyof typeof roles;

/** The four people of a sample by role. The first name of each is their address. */
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
