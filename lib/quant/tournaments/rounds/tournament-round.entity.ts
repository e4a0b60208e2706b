import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { LiveStanding } from './live-verdict.ts';
import type { RoundScore } from './score-round.ts';
import type { RoundState, VoidReason } from './tournament-round.ts';

const TournamentRoundSchema = defineEntity({
  name: 'TournamentRound',
  filters: tenantFilter,
  properties: {
    tournamentUid: p.text().primary(),
    round: p.integer().primary(),
    ...tenantColumns,
    state: p.text().$type<RoundState>(),
    opensAt: p.datetime(),
    closesAt: p.datetime(),
    /** The time of the next step; null after the last step. */
    lookAt: p.datetime().nullable(),
    /** The run that seals the forecasts. */
    runUid: p.text().nullable(),
    reason: p.text().$type<VoidReason>().nullable(),
    score: p.json<RoundScore>().nullable(),
    /** The comparison of the entries over the rounds that were scored up to this one. */
    standing: p.json<LiveStanding>().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

/** A live round of a tournament. */
export class TournamentRound extends TournamentRoundSchema.class {}
TournamentRoundSchema.setClass(TournamentRound);
