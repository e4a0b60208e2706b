import { allWell, fault, ok, warning, type Finding } from './finding.ts';

const MEGABYTE = 1_000_000;
const DISK_FAULT = 200 * MEGABYTE;
const DISK_WARNING = 1_000 * MEGABYTE;

export type MachineFacts = {
  /** The running version of Node, such as `24.21.0`. `tested` is the version that Assay is tested on. */
  node: string;
  nodeTested: string;
  /** The path of `ASSAY_HOME`, or of the nearest existing folder above it, and the free bytes there. */
  home: { path: string; freeBytes: number };
  packages: readonly { name: string; wanted: string; installed: string | undefined }[];
};

export function judgeMachine({ node, nodeTested, home, packages }: MachineFacts): Finding[] {
  return [judgeNode(node, nodeTested), ...judgePackages(packages), judgeDisk(home)];
}

function judgeNode(node: string, tested: string): Finding {
  const newer = major(node) - major(tested);
  if (newer < 0)
    return fault('node', node, `install Node ${major(tested)}, or start Assay with its npm scripts`);
  return newer === 0
    ? ok('node', node)
    : warning('node', `${node}; Assay is tested on ${tested}`, `use Node ${major(tested)}`);
}

function judgePackages(packages: MachineFacts['packages']): Finding[] {
  const others = packages
    .filter(({ wanted, installed }) => wanted !== installed)
    .map(({ name, wanted, installed }) =>
      fault(
        'packages',
        `${name} is ${installed ?? 'not installed'}; package.json requires ${wanted}`,
        'run `npm ci`',
      ),
    );
  return allWell(others, ok('packages', `${packages.length} as package.json requires`));
}

function judgeDisk({ path, freeBytes }: MachineFacts['home']): Finding {
  const seen = `${Math.floor(freeBytes / MEGABYTE)} MB free at ${path}`;
  const remedy = 'free space, or set ASSAY_HOME to a larger disk';
  if (freeBytes < DISK_FAULT) return fault('disk', seen, remedy);
  return freeBytes < DISK_WARNING ? warning('disk', seen, remedy) : ok('disk', seen);
}

function major(version: string): number {
  return Number(version.split('.')[0]);
}
