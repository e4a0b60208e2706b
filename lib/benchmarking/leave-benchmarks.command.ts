import { defineCommand, personOf } from '#lib/governance/command.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';
import { decideLeave } from './membership.ts';
import { lockMembership, productionOf } from './membership.query.ts';

type Input = { workspace: string };

/** Ends the participation of a workspace. Published cells remain, but no further cell contains its figures. */
export const leaveBenchmarks = defineCommand<Input>()({
  find: productionOf,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockMembership(em, place),
  facts: async (_em, current) => current,
  decide: (current) => decideLeave(current !== null),
  async write(_em, current, _verdict, at) {
    current!.leftByUid = personOf(at);
    current!.leftAt = at.now;
    return { result: current! };
  },
  entry: (current, verdict) =>
    verdict.ok
      ? { op: 'benchmark.left', subject: { type: 'benchmark_membership', uid: current!.uid } }
      : undefined,
  refusals: { ...unknownWorkspace, not_joined: 'The workspace does not take part in benchmarks.' },
});
