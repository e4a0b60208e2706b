import type { Mutation } from './mutate.ts';

const chain = 'lib/actions/authority/chain.ts';
const support = 'lib/actions/delegations/support.ts';

/** Defects of the rules on the authorities that delegations and votes depend on. */
export const defectsOfChains: Readonly<Record<string, Mutation>> = {
  'an authority is in force without the one it was granted under': {
    file: chain,
    find: 'at = link.body.granted_under;',
    replace: 'at = null;',
  },
  'who granted an authority need not have the one above': {
    file: chain,
    find: 'if (below && !isHeldBy(link.body, below.submittedByUid, ground)) return undefined;',
    replace: '',
  },
  'who granted an authority need not be active': {
    file: chain,
    find: 'persons.has(person) && ',
    replace: '',
  },
  'authorities may rest on one another': {
    file: chain,
    find: 'if (!link || chain.includes(link)) return undefined;',
    replace: 'if (!link) return undefined; if (chain.includes(link)) break;',
  },
  'an authority outlives the one above': {
    file: chain,
    find: 'if (!isInTime(link.body, now)) return undefined;',
    replace: 'if (!below && !isInTime(link.body, now)) return undefined;',
  },
  'the ceiling is looked at when an authority is granted, and never again': {
    file: chain,
    find: '{ ...bodies.at(-1)!, limits: [...ceiling] }',
    replace: 'bodies.at(-1)!',
  },
  'the authorities above need not be wide enough': {
    file: chain,
    find: 'for (const body of chain) {',
    replace: 'for (const body of chain.slice(0, 1)) {',
  },
  'a vote counts under an authority that the person no longer has': {
    file: support,
    find: 'if (!chain || !isHeldBy(chain[0]!, person, powers))',
    replace: 'if (!chain)',
  },
  'a vote keeps its place when the role is lost': {
    file: support,
    find: "if (role && !(powers.members.get(role) ?? []).includes(person)) return 'role_lost';",
    replace: '',
  },
};
