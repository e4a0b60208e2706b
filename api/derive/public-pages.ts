import { headersOf } from './answer-headers.ts';
import type { Components, Json } from './components.ts';
import { ChangeLedger } from './ledger.ts';
import { pageProblemAnswers } from './problem-answers.ts';
import { API_PREFIX } from './router.ts';

/** The pages below `/api/v2` that need no credential, as the OpenAPI document describes them. */
export function publicPages(components: Components): Record<string, Json> {
  return {
    [`${API_PREFIX}/changes`]: {
      get: {
        operationId: 'changes',
        'x-addition': true,
        tags: ['Contract'],
        summary: 'Shows the change ledger: how each operation stands.',
        description:
          'For every operation its scope, whether contract and catalog agree on it, its stability and where it is in ' +
          'its life. Counted from both, not asserted. It needs no credential and grants nothing.',
        security: [],
        parameters: [],
        responses: {
          200: {
            description: 'The ledger.',
            headers: headersOf(components),
            content: { 'application/json': components.media(ChangeLedger) },
          },
          ...pageProblemAnswers(components),
        },
      },
    },
  };
}
