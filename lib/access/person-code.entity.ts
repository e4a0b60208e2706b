import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { CodeState } from './person-code.ts';

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
    state: p.text().$type<CodeState>(),
    /** The person who issued the sign-in link that led to the session in which the codes were set up. */
    linkIssuedByUid: p.text().nullable(),
    confirmedAt: p.datetime().nullable(),
    /** Null for the first codes of a workspace, which nobody can confirm. */
    confirmedByUid: p.text().nullable(),
    /** The times of recent wrong codes, ISO 8601. */
    wrongAt: p.array(),
    /** The end of the lock. Until then, even a correct code is refused. */
    lockedUntil: p.datetime().nullable(),
  },
});

/** The one-time codes with which a person proves their identity in the operator CLI. */
export class PersonCode extends PersonCodeSchema.class {}
PersonCodeSchema.setClass(PersonCode);
