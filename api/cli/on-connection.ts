import { placeOfConnection } from '#lib/ai/connection.repository.ts';
import type { Environment, Em } from '#lib/database/base.ts';
import { governingPerson, type GovernedOptions } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

export type OnConnection = {
  em: Em;
  operator: Operator;
  place: { workspace: string; environment: Environment };
  /** The person who does it. */
  by: string;
};

/** Does something to a connection as a person of its workspace, and writes it into the audit log. */
export function onConnection<T>(
  uid: string,
  op: `ai.${string}`,
  options: GovernedOptions,
  work: (on: OnConnection) => Promise<{ result: T; details?: Record<string, string | number | null> }>,
): Promise<T> {
  return asOperator(async (operator) => {
    const place = await operator.everywhere((em) => placeOfConnection(em, uid));
    if (!place) throw new Refusal('connection_unknown', `there is no connection ${uid}`);
    return operator.inWorkspace(
      place.workspace,
      async (em) => {
        const { uid: by } = await governingPerson(em, operator, place, options);
        const { result, details = {} } = await work({ em, operator, place, by });
        await record(em, { op, ...place, by, subject: { type: 'ai_connection', uid }, details });
        return result;
      },
      place.environment,
    );
  });
}
