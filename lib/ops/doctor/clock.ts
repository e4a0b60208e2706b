import { allWell, fault, ok, type Finding } from './finding.ts';

const SKEW_MS_MAX = 2_000;

/**
 * Returns the finding about the clocks. `aheadMs` states how far each server's clock is ahead of this machine's, in
 * milliseconds.
 */
export function judgeClocks(aheadMs: Readonly<Record<string, number>>): Finding[] {
  const findings = Object.entries(aheadMs)
    .filter(([, ms]) => Math.abs(ms) > SKEW_MS_MAX)
    .map(([server, ms]) =>
      fault(
        'clock',
        `${server} is ${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead of' : 'behind'} this machine`,
        'synchronise the clocks of all machines (chrony, systemd-timesyncd)',
      ),
    );
  const seen = Object.entries(aheadMs).map(([server, ms]) => `${server} ${Math.round(ms)} ms`);
  return allWell(findings, ok('clock', seen.join(', ')));
}
