import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';
import { BenchmarkMembership } from './benchmark-membership.entity.ts';
import { decideJoin } from './membership.ts';
import { lockMembership, productionOf } from './membership.query.ts';
import type { MetricKey } from './metrics.ts';

type Input = { workspace: string; metrics: MetricKey[]; group: string | null };

/** Lets the production environment of a workspace take part in benchmarks, from the next month on. */
export const joinBenchmarks = defineCommand<Input>()({
  find: productionOf,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockMembership(em, place),
  facts: async (_em, current) => current,
  decide: (current) => decideJoin(current !== null),
  async write(em, _facts, _verdict, at) {
    const { input, place, now } = at;
    const membership = em.create(BenchmarkMembership, {
      uid: newUid(prefixes.benchmarkMembership),
      workspaceUid: place.workspace,
      environment: place.environment,
      metrics: input.metrics,
      groupKey: input.group,
      joinedByUid: personOf(at),
      joinedAt: now,
      leftByUid: null,
      leftAt: null,
    });
    return { result: membership };
  },
  entry: (_facts, verdict, { metrics, group }, membership) =>
    verdict.ok
      ? {
          op: 'benchmark.joined',
          subject: { type: 'benchmark_membership', uid: membership!.uid },
          details: { metrics: metrics.join(' '), group },
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    already_joined:
      'The workspace already takes part in the benchmarks. To change its metrics or group, leave and join again.',
  },
});
