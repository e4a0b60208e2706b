import { headersOf } from './answer-headers.ts';
import type { Components, Json } from './components.ts';
import { ChangeLedger } from './ledger.ts';
import { pageProblemAnswers } from './problem-answers.ts';
import { API_PREFIX } from './router.ts';

/** Returns the pages below `/api/v2` that need no credential, as parts of the OpenAPI document. */
export function publicPages(components: Components): Record<string, Json> {
  return {
    [`${API_PREFIX}/changes`]: {
      get: {
        operationId: 'changes',
        'x-addition': true,
        tags: ['Contract'],
        summary: 'Returns the change ledger: the status of each operation of the interface.',
        description:
          'Returns the scope, stability and lifecycle stage of each operation, and whether the published contract and the catalog of this service agree on the operation. The status is computed from the contract and the catalog. Needs no credential and grants no access.',
        security: [],
        parameters: [],
        responses: {
          200: {
            description: 'The change ledger.',
            headers: headersOf(components),
            content: { 'application/json': components.media(ChangeLedger) },
          },
          ...pageProblemAnswers(components),
        },
      },
    },
  };
}
