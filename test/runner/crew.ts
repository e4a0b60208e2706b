import type { Lane, Lanes } from './files.ts';
import { startMember, type Member } from './member.ts';
import type { Outcome } from './task.ts';

/** The result of a file, or the report that a process has ended. */
export type Report = Outcome & { file: string; lane: Lane; text: string };

export type Crew = {
  /** Runs every file once, in the order of its lane. `onReport` is called for each file as it ends. */
  run(lanes: Lanes, onReport: (report: Report) => void): Promise<void>;
  /** Ends all processes and the services they started; `run` then rejects. */
  abandon(): Promise<void>;
};

export type CrewOptions = { size: number; env: Record<string, string>; grep?: string; colour: boolean };

/**
 * Another process joins a lane only if the lane then has at least this many remaining files per process. With
 * fewer files, starting a service would take longer than it saves.
 */
const JOIN_FROM = 8;

const ORDER: readonly Lane[] = ['postgres', 'redis', 'none'];

/**
 * Creates a few processes that run the test files. Each process works in one lane, with its own service if
 * the lane needs one, and moves to another lane when its lane is empty. There are never more services than
 * processes.
 */
export function openCrew({ size, env, colour, grep }: CrewOptions): Crew {
  const members = new Set<Member>();
  let isAbandoned = false;
  let count = 0;

  /** Runs one process until its lane is empty or it has crashed. */
  async function work(lane: Lane, files: string[], onReport: (report: Report) => void): Promise<void> {
    const name = String((count += 1));
    const member = startMember({
      ...env,
      TEST_PART: name,
      ...(lane === 'none' ? {} : { TEST_BACKEND: lane }),
    });
    members.add(member);
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const report = await member.run({ file, colour, ...(grep === undefined ? {} : { grep }) });
      if (isAbandoned) return;
      onReport({ file, lane, ...report });
      if (member.hasEnded()) return;
    }
    const last = await member.end();
    if (!isAbandoned) onReport({ file: '', lane, ...last });
  }

  return {
    async run(lanes, onReport) {
      const busy = new Map<Lane, number>();
      /**
       * Returns a lane with files and no process, or else the lane with the most files per process; undefined if no
       * lane has enough files for another process.
       */
      const next = () =>
        ORDER.map((lane) => ({ lane, load: lanes[lane].length / (busy.get(lane) ?? 0) }))
          .filter(({ load }) => !isAbandoned && load >= JOIN_FROM)
          .sort((a, b) => (a.load === b.load ? 0 : b.load - a.load))[0]?.lane;
      const keepBusy = async () => {
        for (let lane = next(); lane !== undefined; lane = next()) {
          busy.set(lane, (busy.get(lane) ?? 0) + 1);
          await work(lane, lanes[lane], onReport);
          busy.set(lane, busy.get(lane)! - 1);
        }
      };
      await Promise.all(Array.from({ length: size }, keepBusy));
      if (isAbandoned) throw new Error('the run was aborted');
    },
    async abandon() {
      isAbandoned = true;
      await Promise.all([...members].map((member) => member.abandon()));
    },
  };
}
