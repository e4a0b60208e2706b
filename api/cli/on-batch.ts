import type { Environment, Em } from '#lib/database/base.ts';
import type { Person } from '#lib/workspace/person.entity.ts';
import { governingPerson, type GovernedOptions } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';
import { findWorkspace } from './options.ts';
import { Refusal } from '#lib/core/refusal.ts';

export type Place = { workspace: string; environment: Environment };

/** Runs a command of a person in one workspace and environment, in one transaction. */
export function inPlaceAs<T>(
  place: Place,
  options: GovernedOptions,
  work: (em: Em, person: Person) => Promise<T>,
): Promise<T> {
  return asOperator((operator) =>
    operator.inWorkspace(
      place.workspace,
      async (em) => {
        await findWorkspace(em, place.workspace);
        return work(em, await governingPerson(em, operator, place, options));
      },
      place.environment,
    ),
  );
}

/** A record that a command is about, and how it is refused where there is none. */
export type About = { find(em: Em): Promise<(Row & object) | null>; code: string; what: string };

/** The same for a command that is about a record, which says where it is. */
export function onRecordAs<T>(
  about: About,
  options: GovernedOptions,
  work: (em: Em, person: Person, place: Place) => Promise<T>,
): Promise<T> {
  return asOperator((operator) => onRecord(operator, about, options, work));
}

/** The same for a command that goes on after the transaction. */
export async function onRecord<T>(
  operator: Operator,
  { find, code, what }: About,
  options: GovernedOptions,
  work: (em: Em, person: Person, place: Place) => Promise<T>,
): Promise<T> {
  const found = await operator.everywhere(find);
  if (!found) throw new Refusal(code, `there is no such ${what}`);
  const place = { workspace: found.workspaceUid, environment: found.environment };
  return operator.inWorkspace(
    place.workspace,
    async (em) => work(em, await governingPerson(em, operator, place, options), place),
    place.environment,
  );
}

type Row = { workspaceUid: string; environment: Environment };
