import fc from 'fast-check';
import type { PinnedNode } from '#lib/actions/delegations/quorum.ts';
import { Auditor } from './auditor.ts';
import type { DelegationBackend } from './backend.ts';
import { zones } from './local-day.ts';
import {
  applications,
  FIRST_DAY,
  grantedByHead,
  HEAD,
  independentVoters,
  nodes,
  persons,
  plainTerms,
} from './world.ts';

const DAY = 86_400_000;
const SEEN_MAX = 3;

const oneAfterTheOther: readonly PinnedNode[] = [
  { position: 1, key: 'first', quorum: 1, roles: ['controller'], users: [] },
  { position: 2, key: 'then', quorum: 1, roles: ['treasurer'], users: [] },
  { position: 3, key: 'last', quorum: 1, roles: ['controller'], users: [] },
];
const graphs = fc.constantFrom(nodes, oneAfterTheOther);
const budgets = fc
  .constantFrom(
    ...([
      [300, 500, 900],
      [200, 200, 500],
      [1, 1, 2],
      [300, 500, 901],
      [301, 500, 900],
      [200, 100, 900],
      [100, 500, 400],
      [0, 500, 900],
    ] as const),
  )
  .map(([per_action_minor, per_day_minor, per_month_minor]) => ({
    per_action_minor,
    per_day_minor,
    per_month_minor,
  }));
const fitting = fc.constantFrom(
  { per_action_minor: 300, per_day_minor: 500, per_month_minor: 900 },
  { per_action_minor: 200, per_day_minor: 200, per_month_minor: 500 },
);

type Command = fc.AsyncCommand<object, Auditor>;

/** Returns a command on one of the delegations or reservations that exist when it runs. */
function command<Given extends unknown[]>(
  name: string,
  given: fc.Arbitrary<Given>,
  needs: 'nothing' | 'delegation' | 'reservation',
  run: (auditor: Auditor, pick: number, ...given: Given) => Promise<unknown>,
): fc.Arbitrary<Command> {
  return fc.tuple(fc.nat(SEEN_MAX * 10 - 1), given).map(([pick, values]) => ({
    check: () => true,
    async run(_, auditor) {
      const there = { nothing: 1, delegation: auditor.seen.length, reservation: auditor.held.length }[needs];
      if (!there) return;
      await run(auditor, pick, ...values);
      await auditor.balance();
    },
    toString: () =>
      `${name}(${[...(needs === 'nothing' ? [] : [`#${pick}`]), ...values.map((each) => JSON.stringify(each))].join(', ')})`,
  }));
}

const one = <T>(from: readonly T[], pick: number): T => from[pick % from.length]!;
const seen = (auditor: Auditor, pick: number) => one(auditor.seen, pick);
/** Selects an element. If relevant elements exist, most of the selected elements are relevant. */
const mostly = <T>(from: readonly T[], matters: (each: T) => boolean, pick: number): T => {
  const those = from.filter(matters);
  return one(those.length && pick % 4 ? those : from, pick);
};
const open = (auditor: Auditor, pick: number) => mostly(auditor.held, ({ isOpen }) => isOpen, pick);
const anyApplication = fc.constantFrom(...independentVoters, ...Object.keys(applications));
const everyVoter = fc.shuffledSubarray([...independentVoters], { minLength: 5 });
const anyPerson = fc.constantFrom(...persons);
const anyHolder = fc.constantFrom(...persons, HEAD);
const bounds = ['per_action', 'per_action+1', 'remaining', 'remaining+1', '0', '-1', '1'] as const;
const moments = [
  'hour',
  'midnight-1',
  'midnight',
  'day',
  'lapse-1',
  'lapse',
  'end-1',
  'end',
  'back',
  'month',
] as const;

const commands = [
  command('create', fc.tuple(graphs, budgets), 'nothing', async (auditor, _, nodes, budgets) => {
    if (auditor.seen.length < SEEN_MAX) await auditor.create({ nodes, budgets });
  }),
  command(
    'activate',
    fc.tuple(graphs, fitting, everyVoter),
    'nothing',
    async (auditor, _, nodes, budgets, voters) => {
      const made = auditor.seen.length < SEEN_MAX ? await auditor.create({ nodes, budgets }) : undefined;
      for (const application of made ? [...voters, ...voters] : []) await auditor.approve(made!, application);
    },
  ),
  command(
    'undermine',
    fc.tuple(graphs, fitting, everyVoter, fc.integer({ min: 1, max: 3 })),
    'nothing',
    async (auditor, _, nodes, budgets, voters, first) => {
      const made = auditor.seen.length < SEEN_MAX ? await auditor.create({ nodes, budgets }) : undefined;
      if (!made) return;
      const cast: string[] = [];
      for (const application of [...voters, ...voters]) {
        if (made.votes.length === first) break;
        const before = made.votes.length;
        await auditor.approve(made, application);
        if (made.votes.length > before) cast.unshift(application);
      }
      const lost = made.votes.at(0);
      if (lost) await auditor.endAuthority(grantedByHead.has(lost.person) ? HEAD : lost.person);
      // All applications vote again. The applications that had voted come first, the latest voter before the
      // others.
      for (const application of [...cast, ...voters, ...voters]) await auditor.approve(made, application);
    },
  ),
  command('approve', fc.tuple(anyApplication), 'delegation', (auditor, pick, application) =>
    auditor.approve(seen(auditor, pick), application),
  ),
  command('resume', fc.tuple(anyPerson), 'delegation', (auditor, pick, person) =>
    auditor.resume(seen(auditor, pick), person),
  ),
  command(
    'restore',
    fc.tuple(fc.shuffledSubarray([...persons], { minLength: 8 })),
    'delegation',
    async (auditor, pick, people) => {
      for (const person of [...people, ...people]) await auditor.resume(seen(auditor, pick), person);
    },
  ),
  command('reject', fc.tuple(anyPerson), 'delegation', (auditor, pick, person) =>
    auditor.reject(seen(auditor, pick), person),
  ),
  command('suspend', fc.tuple(), 'delegation', (auditor, pick) => auditor.suspend(seen(auditor, pick))),
  command('revoke', fc.tuple(), 'delegation', (auditor, pick) => auditor.revoke(seen(auditor, pick))),
  command('endAuthority', fc.tuple(anyHolder), 'nothing', (auditor, _, person) =>
    auditor.endAuthority(person),
  ),
  ...[0, 1, 2, 3].map(() =>
    command('spend', fc.tuple(fc.constantFrom(...bounds)), 'delegation', (auditor, pick, bound) => {
      const of = mostly(auditor.seen, ({ is }) => is === 'active', pick);
      const [base, more] = bound.split('+');
      const from = { per_action: of.budgets.per_action_minor, remaining: auditor.remaining(of) };
      return auditor.spend(of, (from[base as keyof typeof from] ?? Number(base)) + Number(more ?? 0));
    }),
  ),
  command('use up', fc.tuple(fc.integer({ min: 1, max: 5 })), 'delegation', async (auditor, pick, days) => {
    const of = mostly(auditor.seen, ({ is }) => is === 'active', pick);
    const { per_action_minor: max } = of.budgets;
    if (max === 1) return;
    for (let day = 0; day < days; day += 1) {
      for (let left = auditor.remaining(of); left > 0; left = auditor.remaining(of)) {
        const before = auditor.held.length;
        await auditor.spend(of, Math.min(max, left));
        if (auditor.held.length === before) return;
      }
      await auditor.spend(of, 1);
      await auditor.moveTo(midnightAfter(auditor.now));
    }
  }),
  command(
    'settle',
    fc.tuple(fc.constantFrom('all', 'all+1', '1', '0')),
    'reservation',
    (auditor, pick, part) => {
      const held = open(auditor, pick);
      return auditor.settle(
        held,
        ({ all: held.amount, 'all+1': held.amount + 1 } as Record<string, number>)[part] ?? Number(part),
      );
    },
  ),
  command('release', fc.tuple(), 'reservation', (auditor, pick) => auditor.release(open(auditor, pick))),
  command('tick', fc.tuple(fc.constantFrom(...moments)), 'nothing', (auditor, pick, moment) =>
    auditor.moveTo(momentOf(auditor, pick, moment)),
  ),
];

/**
 * Returns an instant at or just before a possible change of state (a midnight in the delegation's time zone, or the end
 * of a draft or of the terms of a delegation), or an instant at a fixed distance from now.
 */
function momentOf({ now, seen }: Auditor, pick: number, moment: (typeof moments)[number]): number {
  const created = seen.length ? one(seen, pick).createdAt : now;
  const until = Date.parse(plainTerms.valid_until);
  const midnight = midnightAfter(now);
  const to = {
    hour: now + DAY / 24,
    day: now + DAY,
    'midnight-1': midnight - 1,
    midnight,
    'lapse-1': created + 7 * DAY - 1,
    lapse: created + 7 * DAY,
    'end-1': until - 1,
    end: until,
    month: now + 31 * DAY,
    back: now - DAY,
  };
  return Math.max(FIRST_DAY.getTime() - 2 * DAY, to[moment]);
}

function midnightAfter(now: number): number {
  const offset = zones[plainTerms.time_zone]!;
  const local = Math.floor((now + offset(now)) / DAY + 1) * DAY;
  return local - offset(local - offset(now));
}

/**
 * Runs any sequence of calls after the calls of `open`, each time on a new backend from `start`, and checks
 * each answer. A failure prints its seed and its path. To reproduce a failure, pass the seed and the first
 * number of the path. The rest of the path cannot be repeated, because shrinking depends on which commands
 * ran.
 */
export async function holdAgainstModel(
  start: () => Promise<DelegationBackend>,
  options: fc.Parameters<[Iterable<Command>]> = {},
  open: (auditor: Auditor) => Promise<void> = async () => {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (each) => {
      const auditor = new Auditor(await start());
      await open(auditor);
      await fc.asyncModelRun(() => ({ model: {}, real: auditor }), each);
    }),
    options,
  );
}
