import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { CompiledQuery } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** A node of a query plan, as `explain (analyze, format json)` reports it. */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** Returns the plans of the statements that `work` sends, as executed in the em's transaction. */
export async function plansOf(em: Em, work: (em: Em) => Promise<unknown>): Promise<PlanNode[]> {
  const database = em.getKysely();
  const sent: CompiledQuery[] = [];
  const watch: KyselyPlugin = {
    transformQuery({ node, queryId }): RootOperationNode {
      sent.push(database.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const watching = database.withPlugin(watch);
  const watched = new Proxy(em, {
    get(target, name) {
      if (name === 'getKysely') return () => watching;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  await work(watched);
  const plans: PlanNode[] = [];
  for (const { sql, parameters } of sent) {
    const explained = CompiledQuery.raw(`explain (analyze, timing off, format json) ${sql}`, [...parameters]);
    const { rows } = await database.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explained);
    plans.push(rows[0]!['QUERY PLAN'][0]!.Plan);
  }
  return plans;
}

export type Scan = { relation: string; how: string; condition: string; rows: number };

/** Returns the scans of the tables whose names match the pattern. Scans that read no rows are left out. */
export function scansOf(plans: readonly PlanNode[], pattern: RegExp): Scan[] {
  return plans.flatMap((node) => {
    const below = scansOf(node.Plans ?? [], pattern);
    const relation = node['Relation Name'];
    if (relation === undefined || !pattern.test(relation)) return below;
    const rows = Math.round(
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    );
    if (rows === 0) return below;
    return [{ relation, how: node['Node Type'], condition: node['Index Cond'] ?? '', rows }, ...below];
  });
}
