import type { Static, TSchema } from 'typebox';
import { createAjv } from '#lib/core/ajv.ts';
import type { Prefix } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from './governed-record.entity.ts';

/** What is wrong with a body, and where (a JSON pointer). */
export type BodyFault = { pointer: string; code: string; message: string };

export type CheckFacts = {
  tenant: Tenant;
  key: string;
  now: Date;
  /** Who wants it: the drafter of a draft, else who submitted it. */
  by: string | null;
};

/** A kind of record that two persons bring into force. */
export type GovernedKind<Schema extends TSchema = TSchema> = {
  kind: string;
  prefix: Prefix;
  about: string;
  schema: Schema;
  /** The key where the body names it; else whoever drafts it does. */
  keyOf?(body: Static<Schema>): string;
  /** The persons whom it is about. */
  parties?(em: Em, body: Static<Schema>, facts: { tenant: Tenant; now: Date }): Promise<string[]>;
  /** What the schema cannot say; asked when it is drafted, submitted and approved. */
  check?(em: Em, body: Static<Schema>, facts: CheckFacts): Promise<BodyFault[]>;
  /** Whether one person may end it; always where it is left out. Else a version that two approve takes its place. */
  mayBeEnded?(body: Static<Schema>): boolean;
  /** What follows when a version comes into force, or goes out of it, in the same transaction. */
  changed?(em: Em, record: GovernedRecord, now: Date): Promise<void>;
};

const ajv = createAjv({ useDefaults: true });
const validators = new WeakMap<TSchema, ReturnType<typeof ajv.compile>>();

export function defineKind<const Schema extends TSchema>(kind: GovernedKind<Schema>): GovernedKind<Schema> {
  return kind;
}

/** Every fault of a body by its schema; defaults are filled in. */
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
