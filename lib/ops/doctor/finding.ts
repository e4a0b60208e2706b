export type Status = 'ok' | 'warning' | 'fault';

/** The result of one check: the observation, and the remedy if there is a fault. */
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

/** Returns the findings. Without findings, returns one finding, which states that everything is in order. */
export function allWell(findings: readonly Finding[], otherwise: Finding): Finding[] {
  return findings.length ? [...findings] : [otherwise];
}
