import type { Mutation } from './mutate.ts';

const chain = 'lib/actions/authority/chain.ts';
const support = 'lib/actions/delegations/support.ts';

/** Defects of the rules on the authorities that delegations and votes depend on. */
export const defectsOfChains: Readonly<Record<string, Mutation>> = {
  'an authority is in force although the authority above is not in force': {
    file: chain,
    find: 'at = link.body.granted_under;',
    replace: 'at = null;',
  },
  'an authority is in force although the granting person does not hold the authority above': {
    file: chain,
    find: 'if (below && !isHeldBy(link.body, below.submittedByUid, ground)) return undefined;',
    replace: '',
  },
  'an authority is in force although the granting person is inactive': {
    file: chain,
    find: 'persons.has(person) && ',
    replace: '',
  },
  'a chain of authorities that leads back to itself is in force': {
    file: chain,
    find: 'if (!link || chain.includes(link)) return undefined;',
    replace: 'if (!link) return undefined; if (chain.includes(link)) break;',
  },
  'an authority is in force although the authority above has expired': {
    file: chain,
    find: 'if (!isInTime(link.body, now)) return undefined;',
    replace: 'if (!below && !isInTime(link.body, now)) return undefined;',
  },
  'an authority is in force although the ceiling was lowered below it': {
    file: chain,
    find: '{ ...bodies.at(-1)!, limits: [...ceiling] }',
    replace: 'bodies.at(-1)!',
  },
  'an authority is in force although the authority above does not cover the terms': {
    file: chain,
    find: 'for (const body of chain) {',
    replace: 'for (const body of chain.slice(0, 1)) {',
  },
  'a vote counts although the person no longer holds the authority of the vote': {
    file: support,
    find: 'if (!chain || !isHeldBy(chain[0]!, person, powers))',
    replace: 'if (!chain)',
  },
  'a vote counts although the person has lost the role of the vote': {
    file: support,
    find: "if (role && !(powers.members.get(role) ?? []).includes(person)) return 'role_lost';",
    replace: '',
  },
};
