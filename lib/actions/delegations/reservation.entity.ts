import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { Envelope } from './authorize.ts';
import type { ReservationState, Window } from './windows.ts';

const DelegationWindowSchema = defineEntity({
  name: 'DelegationWindow',
  filters: tenantFilter,
  properties: {
    delegationUid: p.text().primary(),
    kind: p.text().$type<Window>().primary(),
    key: p.text().primary(),
    ...tenantColumns,
    cap: p.bigint('bigint'),
    reserved: p.bigint('bigint'),
    settled: p.bigint('bigint'),
  },
});

/** The usage of a delegation's budget in a calendar day or month. */
export class DelegationWindow extends DelegationWindowSchema.class {}
DelegationWindowSchema.setClass(DelegationWindow);

const ReservationSchema = defineEntity({
  name: 'Reservation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    delegationUid: p.text(),
    /**
     * The machine's own reference for the action. A repeated delivery with the same reference reserves
     * nothing more.
     */
    reference: p.text(),
    state: p.text().$type<ReservationState>(),
    envelope: p.json<Envelope>(),
    envelopeHash: p.text(),
    amount: p.bigint('bigint'),
    settled: p.bigint('bigint').nullable(),
    day: p.text(),
    month: p.text(),
    decisionUid: p.text().nullable(),
    createdAt: p.datetime(),
    leaseUntil: p.datetime(),
    endedAt: p.datetime().nullable(),
    exception: p.text().nullable(),
    /** The largest reported settlement above the reserved amount. */
    offered: p.bigint('bigint').nullable(),
    /** The evidence of the outcome. */
    evidence: p.text().nullable(),
  },
});

/**
 * An authorized action of a machine, and the amount that is reserved from the budgets until the action has an outcome.
 */
export class Reservation extends ReservationSchema.class {}
ReservationSchema.setClass(Reservation);
