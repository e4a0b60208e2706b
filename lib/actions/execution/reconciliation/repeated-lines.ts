import { instrumentSchemes } from '../batch/instrument.ts';
import {
  statusRoles,
  type ObservationFacts,
  type ObservationStatus,
  type ObservedLine,
} from './settlement-facts.ts';

/** Returns a key of an observation: its custodian and reference. The key does not depend on the time of arrival. */
export function observationKey({ custodian, reference }: ObservationFacts): string {
  return `${custodian}/${reference}`;
}

/** Returns a key of a line: the key of its observation, and the reference of the line. */
export function lineKey(from: ObservationFacts, line: ObservedLine): string {
  return `${observationKey(from)}#${line.reference}`;
}

/** Whether an observation with this status reports a movement. */
export function isMovement(status: ObservationStatus): boolean {
  return statusRoles[status] === 'moves';
}

/**
 * Returns a key of a movement: the custodian's document, the settlement day, the account, and the content of the line.
 * All reports of one movement have the same key. The references of the observation and of the line, and the time of
 * observation, are not part of the key.
 */
export function movementKey(from: ObservationFacts, line: ObservedLine): string {
  const { custodian, sourceSystem, sourceReference, sourceHash, settlementDate, account } = from;
  const { orderHash, instrument, side, quantity, currency, amountMinor } = line;
  const names = instrumentSchemes.map((scheme) => instrument?.[scheme] ?? null);
  const source = [custodian, sourceSystem, sourceReference, sourceHash, settlementDate, account];
  return JSON.stringify([...source, orderHash, names, side, String(quantity), currency, String(amountMinor)]);
}

/**
 * Returns the keys of the lines that repeat a line of another observation of the batch. Equal movements are compared
 * per observation, because a document can contain the same movement in several lines. The lines of the observation that
 * contains the movement most often are counted. Of several such observations, the earliest is used or, if their times
 * are equal, the first by key. A line without a movement is a repetition if both observations have the same content and
 * the same time.
 */
export function repeatedLines(observations: readonly ObservationFacts[]): Set<string> {
  const counted = observations.filter(({ isEarly }) => !isEarly);
  const said = counted.flatMap((from) =>
    from.lines
      .filter(({ reference }) => !from.countedElsewhere.includes(reference))
      .map((line) => ({
        line,
        from,
        what: isMovement(from.status) ? movementKey(from, line) : from.contentHash,
      })),
  );
  return new Set(
    [...Map.groupBy(said, ({ what }) => what).values()].flatMap((same) =>
      [...Map.groupBy(same, ({ from }) => from).values()]
        .toSorted(
          ([a, ...as], [b, ...bs]) => bs.length - as.length || compare(nameOf(a!.from), nameOf(b!.from)),
        )
        .slice(1)
        .flatMap((own) => own.map(({ from, line }) => lineKey(from, line))),
    ),
  );
}

function nameOf(from: ObservationFacts): string {
  return `${from.observedAt} ${observationKey(from)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
