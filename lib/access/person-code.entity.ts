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
    /** The step of the last code that was used; a code counts once. */
    lastStep: p.bigint('number'),
    enrolledAt: p.datetime(),
    /** Instants of the wrong codes of the last minutes, in ISO 8601. */
    wrongAt: p.array(),
    /** Until then no code counts, the right one neither. */
    lockedUntil: p.datetime().nullable(),
  },
});

/** What a person proves themselves with at the operator's command line. */
export class PersonCode extends PersonCodeSchema.class {}
PersonCodeSchema.setClass(PersonCode);
