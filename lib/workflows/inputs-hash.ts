import { canonicalHash } from '#lib/core/seal.ts';
import type { ParameterValues } from './parameters.ts';

/** Returns the hash of a run's inputs: its definition, application and parameters. */
export function inputsHash({
  version: { digest },
  application,
  parameters,
}: {
  version: { digest: string };
  application: string;
  parameters: ParameterValues;
}): string {
  return canonicalHash({ digest, application_uid: application, parameters });
}
