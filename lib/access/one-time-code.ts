import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** Steps before and after the present one that count, for clocks that differ. */
const WINDOW = 1;

/** A new secret for one-time codes (RFC 6238, SHA-1, six digits, 30 s: what every authenticator reads). */
export function newCodeSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an authenticator takes, also as a QR code. */
export function enrolmentUri(secret: string, person: string): string {
  return totpOf(secret, person).toString();
}

/** The step that a code belongs to, or undefined when it belongs to none near `now` or to one that was used before. */
export function stepOfCode(secret: string, code: string, now: Date, lastStep: number): number | undefined {
  const timestamp = now.getTime();
  const offset = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  if (offset === null) return undefined;
  const step = Math.floor(timestamp / 1_000 / PERIOD_S) + offset;
  return step > lastStep ? step : undefined;
}

/** The code of an instant, as an authenticator shows it. */
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
