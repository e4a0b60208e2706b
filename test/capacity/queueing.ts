/**
 * Formulas of queues with Poisson arrivals, which the simulation is compared with. `load` is the arrival rate times the
 * service time divided by the number of servers, from 0 to below 1. Times are in the unit of the service time.
 */

/**
 * Returns the mean wait before service in M/M/c: exponential service times, `servers` servers, first in, first out.
 *
 * Errors: `RangeError` if the load is not at least 0 and below 1, or `servers` is not a whole number above 0.
 * Source: Erlang's C formula, Kleinrock, "Queueing Systems", volume 1, 1975, equations 3.40 and 3.41.
 *
 * @example
 * waitOfMarkovian({ servers: 1, load: 0.5, service: 1 }); // 1
 */
export function waitOfMarkovian(queue: { servers: number; load: number; service: number }): number {
  const { servers, load, service } = queue;
  return (waitProbability(queue) * service) / (servers * (1 - load));
}

/**
 * Returns the wait before service in M/M/c that a share of the arrivals does not exceed: the quantile of a distribution
 * that is 0 with probability 1 - C, and else exponential.
 *
 * Errors: as `waitOfMarkovian`, and `RangeError` if `share` is not at least 0 and below 1.
 * Source: as `waitOfMarkovian`.
 *
 * @example
 * waitQuantileOfMarkovian({ servers: 1, load: 0.5, service: 1 }, 0.5); // 0
 */
export function waitQuantileOfMarkovian(
  queue: { servers: number; load: number; service: number },
  share: number,
): number {
  if (!(share >= 0 && share < 1)) throw new RangeError(`the share must be from 0 to below 1, got ${share}`);
  const waits = waitProbability(queue);
  const { servers, load, service } = queue;
  if (share <= 1 - waits) return 0;
  return (Math.log(waits / (1 - share)) * service) / (servers * (1 - load));
}

/**
 * Returns the mean wait before service in M/D/1: one server, and a service that always takes the same time.
 *
 * Errors: `RangeError` if the load is not at least 0 and below 1.
 * Source: the Pollaczek-Khinchine formula without variance, Kleinrock, volume 1, equation 5.63.
 *
 * @example
 * waitOfConstant({ load: 0.5, service: 1 }); // 0.5
 */
export function waitOfConstant({ load, service }: { load: number; service: number }): number {
  requireLoad(load);
  return (load * service) / (2 * (1 - load));
}

/** The probability that an arrival waits in M/M/c (Erlang C), by the recursion of Erlang B, which cannot overflow. */
function waitProbability({ servers, load }: { servers: number; load: number }): number {
  requireLoad(load);
  if (!(Number.isInteger(servers) && servers >= 1)) {
    throw new RangeError(`servers must be a whole number above 0, got ${servers}`);
  }
  const offered = load * servers;
  let blocked = 1;
  for (let server = 1; server <= servers; server += 1)
    blocked = (offered * blocked) / (server + offered * blocked);
  return blocked / (1 - load * (1 - blocked));
}

function requireLoad(load: number): void {
  if (!(load >= 0 && load < 1)) throw new RangeError(`the load must be from 0 to below 1, got ${load}`);
}
