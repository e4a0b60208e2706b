import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/**
 * The codes of this many time steps before and after the current step are accepted too, because clocks may differ.
 */
const WINDOW = 1;

/**
 * Returns a new secret for one-time codes (RFC 6238, SHA-1, six digits, 30 s). Every authenticator app supports such
 * codes.
 */
export function newCodeSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the enrolment URI for an authenticator app. The URI can also be shown as a QR code. */
export function enrolmentUri(secret: string, person: string): string {
  return totpOf(secret, person).toString();
}

/**
 * Returns the time step of a code; undefined if the code matches no step near `now`, or if its step was already used.
 */
export function stepOfCode(secret: string, code: string, now: Date, lastStep: number): number | undefined {
  const timestamp = now.getTime();
  const offset = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  if (offset === null) return undefined;
  const step = Math.floor(timestamp / 1_000 / PERIOD_S) + offset;
  return step > lastStep ? step : undefined;
}

/** Returns the code at an instant, as an authenticator app shows it. */
export function codeAt(secret: string, now: Date): string {
  return totpOf(secret).generate({ timestamp: now.getTime() });
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Assay',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });
}
