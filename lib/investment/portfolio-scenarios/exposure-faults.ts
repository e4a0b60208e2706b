import type { Fault } from '#lib/core/problem.ts';
import type { ScenarioOptions } from './scenario-request.schema.ts';

const FAULTS_MAX = 50;

/**
 * Returns the faults of the exposures of a request, at most 50: exposures that are missing or not allowed for
 * the kind of mapping, factors that the run does not have, and repeated symbols or factors.
 */
export function exposureFaults(mapping: ScenarioOptions['mapping'], factors: readonly string[]): Fault[] {
  const { kind, exposures } = mapping;
  if ((kind === 'given') !== (exposures !== null)) {
    const message =
      kind === 'given' ? 'is required if /mapping/kind is given' : `is not allowed for the kind ${kind}`;
    return [fault('', kind === 'given' ? 'required' : 'not_allowed', message)];
  }
  const symbols = new Set<string>();
  return (exposures ?? [])
    .flatMap(({ symbol, betas }, at) => {
      const faults = symbols.has(symbol)
        ? [fault(`/${at}/symbol`, 'duplicate', `${symbol} is named twice`)]
        : [];
      symbols.add(symbol);
      const named = new Set<string>();
      for (const [place, { factor }] of betas.entries()) {
        const pointer = `/${at}/betas/${place}/factor`;
        if (!factors.includes(factor))
          faults.push(fault(pointer, 'unknown', `${factor} is not a factor of the run`));
        else if (named.has(factor)) faults.push(fault(pointer, 'duplicate', `${factor} is named twice`));
        named.add(factor);
      }
      return faults;
    })
    .slice(0, FAULTS_MAX);
}

function fault(place: string, code: string, message: string): Fault {
  return { pointer: `/mapping/exposures${place}`, in: 'body', code, message };
}
