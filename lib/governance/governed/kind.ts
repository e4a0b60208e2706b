import type { Static, TSchema } from 'typebox';
import { createAjv } from '#lib/core/ajv.ts';
import type { Prefix } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from './governed-record.entity.ts';

/** A fault of a body. `pointer` is the JSON pointer to the faulty member. */
export type BodyFault = { pointer: string; code: string; message: string };

export type CheckFacts = {
  tenant: Tenant;
  key: string;
  now: Date;
  /**
   * Uid of the person who proposes the record: its drafter or, for a record without a drafter, the person who submitted
   * it.
   */
  by: string | null;
};

/** A kind of governed record: a record that needs two persons to become active. */
export type GovernedKind<Schema extends TSchema = TSchema> = {
  kind: string;
  prefix: Prefix;
  schema: Schema;
  /** Returns the key from the body. Omitted if the drafter chooses the key. */
  keyOf?(body: Static<Schema>): string;
  /** Returns the persons whom the record is about. */
  parties?(em: Em, body: Static<Schema>, facts: { tenant: Tenant; now: Date }): Promise<string[]>;
  /** Finds faults that the schema cannot express. Called when a record is drafted, submitted and approved. */
  check?(em: Em, body: Static<Schema>, facts: CheckFacts): Promise<BodyFault[]>;
  /**
   * Whether one person may end the record. Defaults to true. If false, the record ends only when a new
   * version that two persons approved replaces it.
   */
  mayBeEnded?(body: Static<Schema>): boolean;
  /** Applies the effects of a version that becomes active or stops being active, in the same transaction. */
  changed?(em: Em, record: GovernedRecord, now: Date): Promise<void>;
};

const ajv = createAjv({ useDefaults: true });
const validators = new WeakMap<TSchema, ReturnType<typeof ajv.compile>>();

export function defineKind<const Schema extends TSchema>(kind: GovernedKind<Schema>): GovernedKind<Schema> {
  return kind;
}

/** Returns every fault of a body against its schema, and fills in defaults. */
export function schemaFaults({ schema }: Pick<GovernedKind, 'schema'>, body: unknown): BodyFault[] {
  let validate = validators.get(schema);
  if (!validate) validators.set(schema, (validate = ajv.compile(schema)));
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, keyword, message, params }) => {
    const member = (params as { additionalProperty?: string; missingProperty?: string }) ?? {};
    const last = member.additionalProperty ?? member.missingProperty;
    return {
      pointer: last === undefined ? instancePath : `${instancePath}/${last}`,
      code: keyword,
      message: message ?? 'is not valid',
    };
  });
}
