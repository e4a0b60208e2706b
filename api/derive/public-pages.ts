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
        summary: 'Shows the change ledger, with the status of each operation.',
        description:
          'Returns for each operation its scope, whether contract and catalog agree on it, its stability and its lifecycle stage. The status is computed from the contract and the catalog. Needs no credential and grants no access.',
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
