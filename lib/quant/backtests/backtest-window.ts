/** A fault of a request by the JSON pointer of its member. */
export type WindowFault = { pointer: string; in: 'body'; code: string; message: string };

/**
 * Returns the faults of the days of a backtest: the first day must be before the last day, and neither the
 * last day nor the as-of day may be after today. The data of the last day must be known, so the as-of day
 * must not be before the last day.
 */
export function windowFaults(
  { from, to, asOf }: { from: string; to: string; asOf: string },
  today: string,
): WindowFault[] {
  const faults: WindowFault[] = [];
  if (from >= to)
    faults.push({ pointer: '/from', in: 'body', code: 'order', message: 'must be before `to`' });
  if (to > today)
    faults.push({ pointer: '/to', in: 'body', code: 'in_future', message: `must not be after ${today}` });
  if (asOf > today)
    faults.push({ pointer: '/as_of', in: 'body', code: 'in_future', message: `must not be after ${today}` });
  else if (asOf < to)
    faults.push({ pointer: '/as_of', in: 'body', code: 'order', message: 'must not be before `to`' });
  return faults;
}
