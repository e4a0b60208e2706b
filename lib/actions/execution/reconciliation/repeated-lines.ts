import { instrumentSchemes } from '../batch/instrument.ts';
import {
  statusRoles,
  type ObservationFacts,
  type ObservationStatus,
  type ObservedLine,
} from './settlement-facts.ts';

/** A name for an observation that does not depend on when it came. */
export function observationKey({ custodian, reference }: ObservationFacts): string {
  return `${custodian}/${reference}`;
}

/** A name for a line of an observation. */
export function lineKey(from: ObservationFacts, line: ObservedLine): string {
  return `${observationKey(from)}#${line.reference}`;
}

/** Whether an observation of this status says that something moved. */
export function isMovement(status: ObservationStatus): boolean {
  return statusRoles[status] === 'moves';
}

/**
 * What moved, whoever tells of it again: the document of the custodian, its day and account, and the line. Neither the
 * reference of the observation or of the line nor the instant of observation make another movement of it.
 */
export function movementKey(from: ObservationFacts, line: ObservedLine): string {
  const { custodian, sourceSystem, sourceReference, sourceHash, settlementDate, account } = from;
  const { orderHash, instrument, side, quantity, currency, amountMinor } = line;
  const names = instrumentSchemes.map((scheme) => instrument?.[scheme] ?? null);
  const source = [custodian, sourceSystem, sourceReference, sourceHash, settlementDate, account];
  return JSON.stringify([...source, orderHash, names, side, String(quantity), currency, String(amountMinor)]);
}

/**
 * Lines that say again what another observation of the batch says, by their keys. A document may state a movement as
 * often as it has lines for it: the observation that states it most often counts, of several the earliest, then the first
 * by name. What is no movement is repeated where the whole observation says the same of the same instant.
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
