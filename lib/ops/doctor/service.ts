import { allWell, fault, ok, warning, type Finding } from './finding.ts';

const WAIT_S_MAX = 60;

export type ServiceFacts = {
  /**
   * The number of Assay's processes that are connected to the database, by kind, such as `worker-numerics`. Null behind a
   * pooler: it shares its connections among the processes, so their names do not show which processes run.
   */
  connected: Readonly<Record<string, number>> | null;
  /** The wait in seconds of the oldest run that has not been started; 0 if no run waits. */
  oldestWaitSeconds: number;
  /** Uids of the runs that have been computing for longer than the time limit of their kind. */
  overdue: readonly string[];
  /** Uids of the open runs without a live queue job. */
  lost: readonly string[];
};

const parts = ['api', 'worker-numerics', 'worker-io', 'scheduler'] as const;
const starts: Record<(typeof parts)[number], string> = {
  api: 'npm run api',
  'worker-numerics': 'npm run worker',
  'worker-io': 'WORKER_QUEUE=io npm run worker',
  scheduler: 'npm run scheduler',
};

export function judgeService(facts: ServiceFacts): Finding[] {
  return [...judgeParts(facts.connected), judgeWait(facts), ...judgeRuns(facts)];
}

function judgeParts(connected: ServiceFacts['connected']): Finding[] {
  if (connected === null)
    return [
      warning(
        'processes',
        'a pooler shares the connections, so they do not show which parts of Assay run',
        'request /readyz of each part',
      ),
    ];
  const missing = parts.filter((part) => !connected[part]);
  if (missing.length === parts.length)
    return [
      warning('processes', 'no part of Assay is connected to the database', 'start it: `npm run serve`'),
    ];
  const findings = missing.map((part) =>
    fault('processes', `no ${part} is connected to the database`, `start one: \`${starts[part]}\``),
  );
  return allWell(findings, ok('processes', parts.map((part) => `${connected[part]} ${part}`).join(', ')));
}

function judgeWait({ oldestWaitSeconds }: ServiceFacts): Finding {
  const seen = `the oldest run waits for ${Math.round(oldestWaitSeconds)} s`;
  return oldestWaitSeconds > WAIT_S_MAX
    ? warning('waiting runs', seen, 'add workers, or look at their logs')
    : ok('waiting runs', oldestWaitSeconds > 0 ? seen : 'none');
}

function judgeRuns({ overdue, lost }: ServiceFacts): Finding[] {
  return [
    ...overdue.map((uid) =>
      warning(
        'overdue runs',
        `${uid} has been computing for longer than its limit`,
        `\`assay jobs show ${uid}\``,
      ),
    ),
    ...lost.map((uid) =>
      warning('lost runs', `${uid} is open and has no live queue job`, `\`assay jobs retry ${uid}\``),
    ),
  ];
}
