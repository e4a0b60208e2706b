export type Status = 'ok' | 'warning' | 'fault';

/** What one check saw, and what to do about it unless it is well. */
export type Finding = { check: string; status: Status; seen: string; remedy?: string };

export function ok(check: string, seen: string): Finding {
  return { check, status: 'ok', seen };
}

export function warning(check: string, seen: string, remedy: string): Finding {
  return { check, status: 'warning', seen, remedy };
}

export function fault(check: string, seen: string, remedy: string): Finding {
  return { check, status: 'fault', seen, remedy };
}

/** A fault with one remedy for each list that is not empty, or one line that all is well. */
export function allWell(findings: readonly Finding[], otherwise: Finding): Finding[] {
  return findings.length ? [...findings] : [otherwise];
}
