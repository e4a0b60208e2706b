import { inTenant, openOrm } from '#lib/database/orm.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import { planRounds } from '#lib/quant/tournaments/rounds/tournament-rounds.query.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { createSealedRun } from './sealed-run.ts';

/** Creates a sealed tournament with one live round, and returns the uid of the tournament. */
export async function createTournamentRound(backend: Backend, tenancy: Tenancy): Promise<string> {
  const uid = await createSealedRun(backend, tenancy, modelTournamentsRun);
  const orm = openOrm(backend.ownerUrl, 1);
  const { workspace, environment } = tenancy;
  try {
    await inTenant(orm, { workspace, environment }, async (em) => {
      planRounds(em, uid, { rounds: 1, every_days: 1, open_hours: 720 }, new Date());
    });
  } finally {
    await orm.close();
  }
  return uid;
}
