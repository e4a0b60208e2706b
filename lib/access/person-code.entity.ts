import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';

const PersonCodeSchema = defineEntity({
  name: 'PersonCode',
  filters: workspaceFilter,
  properties: {
    personUid: p.text().primary(),
    workspaceUid: p.text(),
    /** The secret of the codes, encrypted. */
    sealedSecret: p.text(),
    /** The time step of the last used code. Each code can be used once. */
    lastStep: p.bigint('number'),
    enrolledAt: p.datetime(),
    /** The times of recent wrong codes, ISO 8601. */
    wrongAt: p.array(),
    /** The end of the lock. Until then, even a correct code is refused. */
    lockedUntil: p.datetime().nullable(),
  },
});

/** The one-time codes with which a person proves their identity in the operator CLI. */
export class PersonCode extends PersonCodeSchema.class {}
PersonCodeSchema.setClass(PersonCode);
