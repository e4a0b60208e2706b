import { cliPage } from './cli.ts';
import {
  configurationPage,
  eventsPage,
  identifiersPage,
  metricsPage,
  operationsPage,
  problemsPage,
  runsPage,
  scopesPage,
} from './declared.ts';
import { helpDocument } from './help.ts';
import { statesPage } from './states.ts';

/** Returns the pages of the reference and the printed help by file, each generated from the source. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'api/cli/help.json': await helpDocument(),
    'docs/reference/cli.md': await cliPage(),
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/events.md': eventsPage(),
    'docs/reference/identifiers.md': identifiersPage(),
    'docs/reference/metrics.md': metricsPage(),
    'docs/reference/operations.md': operationsPage(),
    'docs/reference/problems.md': problemsPage(),
    'docs/reference/runs.md': runsPage(),
    'docs/reference/scopes.md': scopesPage(),
    'docs/reference/states.md': statesPage(),
  };
}
