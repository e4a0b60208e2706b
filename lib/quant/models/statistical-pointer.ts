import { Problem, type Fault } from '#lib/core/problem.ts';

/** The members of a forecast request that belong to `series` in the input of a statistical model. */
const ofSeries: ReadonlySet<string> = new Set(['/metric', '/company_id', '/frequency']);

/**
 * Converts a fault of a forecast request to a fault of the input of a statistical model. `series` is the name of the
 * member that contains the values.
 */
export function modelInputFault(fault: Fault, series: 'metric' | 'values'): Fault {
  const pointer = fault.pointer === '/metric' ? `/${series}` : fault.pointer;
  const place = ofSeries.has(fault.pointer) ? '/input/series' : '/input';
  return { ...fault, pointer: `${place}${pointer}`, in: 'body' };
}

/**
 * Runs a function that reads a metric. If the function throws a problem, the pointers of the faults are converted to
 * the input of a statistical model.
 */
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
