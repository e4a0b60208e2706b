import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { createAjv } from '#lib/core/ajv.ts';
import { Closed } from '#lib/core/schema.ts';
import { parts, units } from './cost.ts';

const Amount = Type.Number({ minimum: 0 });
const members = <Name extends string>(names: readonly Name[]) =>
  Closed(Object.fromEntries(names.map((name) => [name, Amount])) as Record<Name, typeof Amount>);

const MeasuredCost = Closed({
  processorMs: members(parts),
  walBytes: Amount,
  walFlushes: Amount,
  pageWrites: Amount,
  storedBytes: members(['table', 'index', 'toast']),
  postgresTrips: Amount,
  queueTrips: Amount,
  connectionMs: Amount,
  slotMs: Amount,
});

const Costs = Closed(
  Object.fromEntries(units.map((unit) => [unit, MeasuredCost])) as Record<
    (typeof units)[number],
    typeof MeasuredCost
  >,
);

/** A measurement of one machine: the file of `--json` and `--from`. */
export const Measured = Closed({
  measured_at: Type.String(),
  machine: Closed({
    processor: Type.String(),
    cores: Amount,
    memoryGb: Amount,
    node: Type.String(),
    postgres: Type.String(),
    /** The load of the machine before and after the measurement: processes that ran or waited, over a minute. */
    load: members(['before', 'after']),
  }),
  queue: Type.Enum(['postgres', 'redis']),
  /** Whether the units were so few that the figures have no meaning. */
  quick: Type.Boolean(),
  costs: Costs,
  footprint: Closed({
    memoryMb: members(['api', 'worker', 'scheduler', 'connection', 'redis']),
    connections: members(['api', 'worker']),
    idleMsPerS: Amount,
  }),
});
export type Measured = Static<typeof Measured>;

/** Reads the file of an earlier measurement. Throws if it is not one. */
export function readMeasured(file: string): Measured {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = createAjv();
  if (!ajv.validate(Measured, content))
    throw new Error(`${file} is not a measurement: ${ajv.errorsText(ajv.errors)}`);
  return content as Measured;
}
