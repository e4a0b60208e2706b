import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Environment } from '#lib/database/base.ts';
import { defineCommand, type WholeWorkspace } from '#lib/governance/command.ts';
import { Person } from '../person.entity.ts';
import { newConsoleSecret } from './session-secret.ts';
import { LINK_MINUTES } from './session.ts';

type Input = { person: string; environment: Environment };

/** Issues a link with which a person signs in to the console once. Only the result contains its secret. */
export const issueConsoleLink = defineCommand<Input>()({
  async find(em, { person }): Promise<WholeWorkspace | undefined> {
    const found = await em.findOne(Person, { uid: person }, { filters: false });
    return found ? { workspace: found.workspaceUid } : undefined;
  },
  unknown: 'person_unknown',
  lock: async () => undefined,
  facts: (em, _locked, { person }) => em.findOneOrFail(Person, { uid: person }, { filters: false }),
  decide: ({ state }) =>
    state === 'active' ? { ok: true as const } : { ok: false as const, code: 'person_not_active' as const },
  async write(em, person, _verdict, { input: { environment }, now, place, actor }) {
    const secret = newConsoleSecret();
    const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
    await sql`
      insert into console_link (link_hash, workspace_uid, environment, person_uid, created_at, expires_at, issued_by_uid)
      values (${sha256(secret)}, ${place.workspace}, ${environment}, ${person.uid}, ${now}, ${expiresAt},
        ${actor.kind === 'person' ? actor.uid : null})
    `.execute(em.getKysely());
    return { result: { secret, expiresAt } };
  },
  entry: ({ uid }) => ({ op: 'person.console_link_issued', subject: { type: 'person', uid } }),
  refusals: {
    person_unknown: ({ person }) => `The person ${person} does not exist.`,
    person_not_active: 'Only an active person can sign in to the console.',
  },
});
