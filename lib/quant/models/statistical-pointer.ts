import { Problem, type Fault } from '#lib/core/problem.ts';

/** The members of a forecast request that are members of the series. */
const ofSeries: ReadonlySet<string> = new Set(['/metric', '/company_id', '/frequency']);

/**
 * Returns a fault of a forecast request as a fault of the input of a statistical model. `series` is the member that has
 * the series.
 */
export function modelInputFault(fault: Fault, series: 'metric' | 'values'): Fault {
  const pointer = fault.pointer === '/metric' ? `/${series}` : fault.pointer;
  const place = ofSeries.has(fault.pointer) ? '/input/series' : '/input';
  return { ...fault, pointer: `${place}${pointer}`, in: 'body' };
}

/** Carries out work on a metric. The faults of a thrown problem point to the input of a statistical model. */
export async function underModelInput<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail, errors, members } = error;
    throw new Problem(code, detail, {
      members,
      errors: errors.map((fault) => modelInputFault(fault, 'metric')),
    });
  }
}
