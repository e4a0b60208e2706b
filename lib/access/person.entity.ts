import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { PersonState } from './person.ts';

const PersonSchema = defineEntity({
  name: 'Person',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    workspaceUid: p.text(),
    name: p.text(),
    email: p.text(),
    roles: p.array(),
    state: p.text().$type<PersonState>(),
    createdAt: p.datetime(),
  },
});

/**
 * A named human being. An operator acts as a person. The credential of an application never acts as a person.
 */
export class Person extends PersonSchema.class {}
PersonSchema.setClass(Person);
