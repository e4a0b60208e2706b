import { isObject } from '#lib/core/is-object.ts';
import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import type { StoredRun } from '../facts/readers.ts';
import type { Shock } from '../language/query.ts';
import { rememberRun, type ReadingState } from './reading.ts';

/** The largest number of sealed runs of one kind that a question chooses from: the newest runs. */
const RUNS_MAX = 200;

type Row = { uid: string; input: Record<string, unknown>; sealedAt: string };

/** Lists the sealed runs of a kind, the oldest first. */
export async function sealedRuns(state: ReadingState, kind: string): Promise<StoredRun[]> {
  const { workspace, environment } = tenantOf(state.em);
  const { asOf } = state;
  const { rows } = await sql<Row>`
    select r.uid, r.input, r.finished_at::text as "sealedAt" from run r
    where r.workspace_uid = ${workspace} and r.environment = ${environment} and r.kind = ${kind}
      and r.state = 'succeeded' and (${asOf ?? null}::date is null
        or r.finished_at < (${asOf ?? null}::date + 1)::timestamp at time zone 'utc')
    order by right(r.uid, 26) desc limit ${RUNS_MAX}
  `.execute(state.em.getKysely());
  return rows.toReversed().map(({ uid, input }, order) => storedRun({ uid, input, kind, order }));
}

function storedRun({
  uid,
  input,
  kind,
  order,
}: Pick<Row, 'uid' | 'input'> & { kind: string; order: number }): StoredRun {
  const { as_of_date: asOf, regime, seed, stress, metric, company_id: company } = input;
  return {
    label: uid,
    kind,
    order,
    ...(typeof asOf === 'string' ? { asOf } : {}),
    ...(typeof regime === 'string' ? { regime } : {}),
    ...(typeof seed === 'number' ? { seed: String(seed) } : {}),
    ...(Array.isArray(stress) ? { shocks: stress.map(shockOf) } : {}),
    ...(typeof metric === 'string' ? { metric } : {}),
    ...(typeof company === 'number' ? { subject: String(company) } : {}),
  };
}

function shockOf({ factor, unit, shock }: { factor: string; unit: string; shock: number }): Shock {
  return { factor, unit, value: shock };
}

/** Reads sealed results, each once for a question. */
export function resultReader(state: ReadingState) {
  const read = new Map<string, Promise<Record<string, unknown> | undefined>>();
  const resultOf = (uid: string): Promise<Record<string, unknown> | undefined> => {
    const known = read.get(uid) ?? readResult(state, uid);
    read.set(uid, known);
    return known;
  };
  return {
    /**
     * Returns the value at a pointer of a run's sealed result if the value is a number or a text; undefined otherwise.
     */
    async value(uid: string, pointer: string): Promise<number | string | undefined> {
      const found = at(await resultOf(uid), pointer);
      return typeof found === 'number' || typeof found === 'string' ? found : undefined;
    },
    /** Returns the values of a list of scalars, or the member `name` of each object of a list. */
    async keys(uid: string, pointer: string, name: string): Promise<string[]> {
      const found = at(await resultOf(uid), pointer);
      if (!Array.isArray(found)) return [];
      return found.flatMap((each: unknown) => {
        const value = isObject(each) ? each[name] : each;
        return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
      });
    },
  };
}

async function readResult(state: ReadingState, uid: string): Promise<Record<string, unknown> | undefined> {
  const { workspace, environment } = tenantOf(state.em);
  const { rows } = await sql<{ members: Record<string, unknown>; seal: { hash: string } }>`
    select members, seal from run_result
    where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(state.em.getKysely());
  const [row] = rows;
  if (!row) return undefined;
  rememberRun(state, uid, row.seal.hash);
  return { ...row.members, seal: row.seal };
}

/** Follows a pointer (RFC 6901). `[name=value]` after a step takes the list element that has this member. */
function at(document: unknown, pointer: string): unknown {
  let found: unknown = document;
  for (const step of pointer.split('/').slice(1)) {
    const [, name = '', chosen, wanted] = /^([^[]*)(?:\[([^=]+)=(.*)\])?$/.exec(step) ?? [];
    if (Array.isArray(found)) found = found[Number(name)];
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
    if (chosen === undefined) continue;
    if (!Array.isArray(found)) return undefined;
    found = found.find((each: unknown) => isObject(each) && String(each[chosen]) === wanted);
  }
  return found;
}
